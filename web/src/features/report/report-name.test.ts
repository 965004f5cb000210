import { expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { reportName } from './report-name.ts'

const made = madeReport({ days: 30 })

it.each([
  ['可转债轮动', '双低、溢价率', '双低 + 溢价率 · 10 只'],
  ['我的双低', '双低', '我的双低'],
  ['可转债轮动', '', '可转债轮动'],
])('%s of %s is called %s', (name, family, wanted) => {
  expect(reportName({ ...made, name, robustness: { ...made.robustness, family } })).toBe(wanted)
})

it('a small part of the list is told as it is', () => {
  const hold_method = { ...made.parameters!.hold_method, hold_range_type: 2 as const, hold_range_start: 0, hold_range_end: 0.005 }
  const parameters = { ...made.parameters!, hold_method }
  expect(reportName({ ...made, name: '可转债轮动', parameters })).toBe('双低 · 前 0–0.5%')
})
