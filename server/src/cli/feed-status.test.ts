import { expect, test } from 'vitest'
import { builtInYear } from '../market/calendar.ts'
import { reachText, sessionText } from './feed-status.ts'

const at = (text: string) => sessionText(new Date(`${text}+08:00`))

test('what the exchanges do on a day, and when the last one closed', () => {
  expect(at('2026-11-23T14:00:00')).toBe('今天是交易日，最近收盘的交易日是 2026-11-20。')
  expect(at('2026-11-23T15:00:00')).toBe('今天是交易日，最近收盘的交易日是 2026-11-23。')
  expect(at('2026-11-21T12:00:00')).toBe('今天休市，最近收盘的交易日是 2026-11-20。')
})

test('the end of the calendar is told before it comes, and beyond it no day is called the last that has closed', () => {
  expect(at(`${builtInYear}-12-20T12:00:00`)).toContain(`交易日历只到 ${builtInYear} 年`)
  expect(at(`${builtInYear + 1}-01-05T12:00:00`)).toContain('或更新程序')
  expect(at(`${builtInYear + 1}-01-05T12:00:00`)).not.toContain('最近收盘')
})

test('how far a market is', () => {
  const now = new Date('2026-11-23T16:00:00+08:00')
  const until = (lastDate: string, dataMode: 'imported' | 'demo' = 'imported') => reachText({ dataMode, lastDate }, now)
  expect(until('2026-11-23')).toBe('2026-11-23，没有缺少的交易日')
  expect(until('2026-11-19')).toBe('2026-11-19，缺 2 个交易日')
  expect(until('2026-11-20', 'demo')).toBe('2026-11-20，演示行情，不采集')
  expect(reachText(null, now)).toBe('还没有行情')
})
