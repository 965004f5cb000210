import { expect, test } from 'vitest'
import { lastYear } from '../market/calendar.ts'
import { sessionText } from './feed-status.ts'

const at = (text: string) => sessionText(new Date(`${text}+08:00`))

test('what the exchanges do on a day, and when the last one closed', () => {
  expect(at('2026-11-23T14:00:00')).toBe('今天是交易日，最近收盘的交易日是 2026-11-20。')
  expect(at('2026-11-23T15:00:00')).toBe('今天是交易日，最近收盘的交易日是 2026-11-23。')
  expect(at('2026-11-21T12:00:00')).toBe('今天休市，最近收盘的交易日是 2026-11-20。')
})

test('the end of the calendar is told before it comes, and beyond it no day is called the last that has closed', () => {
  expect(at(`${lastYear}-12-20T12:00:00`)).toContain(`交易日历只到 ${lastYear} 年`)
  expect(at(`${lastYear + 1}-01-05T12:00:00`)).toContain('请更新程序')
  expect(at(`${lastYear + 1}-01-05T12:00:00`)).not.toContain('最近收盘')
})
