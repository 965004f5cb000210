import type { MetricKey } from '@convexa/contract/metrics'
import type { Report, ReportCore } from '@convexa/contract/report'
import { metricsOf } from '@convexa/engine/report'
import { describe, expect, it } from 'vitest'
import { madeReport, weekdays } from '../../../test/made-report.ts'
import { capitalWords } from '../rule/capital-words.ts'
import { csvOf, fileNameOf } from './files.ts'
import { heldCount, heldValue } from './held-on.ts'
import { metricGroups, writeMetric } from './metric-rows.ts'
import { heatOf, monthTable } from './month-table.ts'
import { costDrag, hardestStretch, inSampleSharpe, monthsSentence, neverBought, topShare } from './sentences.ts'
import { closes, fillDecimals } from './trade-text.ts'

const words = (pieces: ReturnType<typeof hardestStretch>) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('')
const small = madeReport({ days: 300 })

/** A report whose net value is given; dates are weekdays from 2024-01-01. */
function withNav(nav: number[], drawdowns: Report['drawdowns']): ReportCore {
  return { ...small, curves: { ...small.curves, dates: weekdays('2024-01-01', nav.length), nav }, drawdowns }
}

describe('the hardest stretch in one sentence', () => {
  it('a fall that was made good', () => {
    const fall = {
      peak: '2024-01-02',
      trough: '2024-01-04',
      end: '2024-01-08',
      depth: -0.2,
      down_days: 2,
      recover_days: 2,
      bench_return: null,
    }
    expect(words(hardestStretch(withNav([1, 1.25, 1.1, 1.0, 1.2, 1.3], [fall])))).toBe(
      '如果从头持有，最难熬的一段亏了 20.0%，从高点到回本用了 4 个交易日；投入 10 万元，最低时账面比之前的高点少 2.5 万元。',
    )
  })
  it('a fall that lasts', () => {
    const fall = { peak: '2024-01-02', trough: '2024-01-04', end: null, depth: -0.2, down_days: 2, recover_days: null, bench_return: null }
    expect(words(hardestStretch(withNav([1, 1.25, 1.1, 1.0, 1.2], [fall])))).toContain('到区间结束过了 3 个交易日还没有回本')
  })
  it('the starting capital is a peak too', () => {
    const fall = { peak: '2024-01-01', trough: '2024-01-02', end: null, depth: -0.2, down_days: 2, recover_days: null, bench_return: null }
    const lasting = words(hardestStretch(withNav([0.9, 0.8, 0.95], [fall])))
    expect(lasting).toContain('少 2 万元')
    expect(lasting).toContain('到区间结束过了 3 个交易日')
    const over = { ...fall, end: '2024-01-04', recover_days: 2 }
    expect(words(hardestStretch(withNav([0.9, 0.8, 0.95, 1.05], [over])))).toContain('从高点到回本用了 4 个交易日')
  })
  it('a fall to nothing is told in money too', () => {
    const fall = { peak: '2024-01-02', trough: '2024-01-03', end: null, depth: -1, down_days: 1, recover_days: null, bench_return: null }
    expect(words(hardestStretch(withNav([1, 1.5, 0], [fall])))).toContain('最低时账面比之前的高点少 15 万元')
  })
  it('a curve that never falls', () => expect(words(hardestStretch(withNav([1, 1.1], [])))).toContain('没有低于'))
})

describe('a run that bought nothing', () => {
  const idle = { ...small, trades: [], trades_total: 0, contributions: [] }
  it('says so, and nothing else', () => {
    expect(neverBought(small)).toBe(false)
    expect(words(hardestStretch(idle))).toContain('全程没有买入任何证券')
    expect(monthsSentence(idle, false)).toBe('全程没有买入任何证券。')
  })
})

describe('the ratio before the out-of-sample start', () => {
  const nav = Array.from({ length: 60 }, (_, i) => 1 + i * 0.01 + (i % 2) * 0.02)
  it('is of the days before it alone', () => {
    const report = withNav(nav, [])
    const start = report.curves.dates[40] ?? ''
    const inside = inSampleSharpe({ ...report, oos_start: start })
    const changed = nav.map((value, i) => (i < 40 ? value : value / 2))
    expect(inside).toBeGreaterThan(0)
    expect(inSampleSharpe({ ...withNav(changed, []), oos_start: start })).toBe(inside)
  })
  it('is that of the engine', () => {
    const report = withNav(nav, [])
    const dates = report.curves.dates.slice(0, 40)
    const own = metricsOf({ dates, nav: Float64Array.from(nav.slice(0, 40)), bench: null, monthWinRate: null, run: null }).sharpe
    expect(inSampleSharpe({ ...report, oos_start: report.curves.dates[40] ?? '' })).toBeCloseTo(own as number, 12)
  })
  it('needs 20 days', () => {
    const report = withNav(nav, [])
    expect(inSampleSharpe({ ...report, oos_start: report.curves.dates[10] ?? '' })).toBeNull()
    expect(inSampleSharpe({ ...report, oos_start: null })).toBeNull()
  })
})

it('a day of a long list counts and values all of it, not just those it names', () => {
  const curves = { ...small.curves, hold_count: small.curves.dates.map(() => 500) }
  const day = { nav: 1.25, cash: 5_000 }
  expect(heldCount(curves, small.curves.dates[7] ?? '')).toBe(500)
  expect(heldValue({ ...small.settings, capital: 10 }, day)).toBe(120_000)
})

it('a sale that only adjusts a weight is no finished trade', () => {
  expect(closes({ return_: 0.1, reason: 'rank_out' })).toBe(true)
  expect(closes({ return_: 0.1, reason: 'rebalance' })).toBe(false)
  expect(closes({ return_: null, reason: 'enter' })).toBe(false)
})

it('slippage takes a price off its tick', () => {
  const cost = { buy_rate: 0, sell_rate: 0 }
  expect(fillDecimals({ kind: 'stk', settings: { ...small.settings, cost } })).toBe(2)
  expect(fillDecimals({ kind: 'stk', settings: { ...small.settings, cost: { ...cost, slippage: 0.001 } } })).toBe(4)
})

it.each([
  [10, '10 万元'],
  [2.854, '2.85 万元'],
  [0.18, '1,800 元'],
  [1500, '1,500 万元'],
])('%d 万元 reads %s', (wan, text) => expect(capitalWords(wan)).toBe(text))

it('the months in one sentence', () => {
  const monthly = [0.02, -0.01, 0.1].map((nav_return, i) => ({
    ...(small.monthly[0] as Report['monthly'][number]),
    period: `2025-0${i + 8}`,
    nav_return,
  }))
  expect(monthsSentence({ ...small, monthly }, false)).toBe('3 个月里有 1 个月亏损；最好的一个月是 2025 年 10 月，+10.0%。')
})

it('the yearly cost is the annual return without costs less the one with them', () => {
  const drag = costDrag({ ...small, gross_nav: [1, 1.21], metrics: { ...small.metrics, days: 242, annual_return: 0.2 } })
  expect(drag).toBeCloseTo(0.01, 12)
})
it('a loss has no top share', () => expect(topShare({ ...small, contributions: [] })).toBeNull())

it('months stand under their year, missing ones are absent', () => {
  const table = monthTable(small.monthly, small.yearly, 'nav_return')
  expect(table[0]?.year).toBe('2022')
  expect(table[0]?.months.slice(0, 7).every((cell) => cell.value === null)).toBe(true)
  expect(table[0]?.months[7]?.value).toBe(small.monthly[0]?.nav_return)
  expect(table[0]?.months[7]?.end).toBe('2022-08-31')
})

it.each([
  [null, ''],
  [0.0004, ''],
  [0.0199, 'heat heat-up-1'],
  [0.02, 'heat heat-up-2'],
  [-0.05, 'heat heat-down-3'],
])('%d is tinted %s', (value, className) => expect(heatOf(value)).toBe(className))

it('every metric of the report is listed once', () => {
  const keys = metricGroups.flatMap((group) => group.keys)
  expect(new Set(keys).size).toBe(keys.length)
  const numbers = Object.keys(small.metrics).filter((key) => !/_start$|_end$|_date$|^days$|^oos$|^turnover$/.test(key))
  expect(keys.toSorted()).toEqual(numbers.toSorted())
})

it.each<[MetricKey, number | null, string]>([
  ['annual_return', 0.1371, '+13.71%'],
  ['volatility', 0.1528, '15.28%'],
  ['sharpe', null, '—'],
  ['turnover_annual', 12.34, '12.3 倍'],
  ['recovery_days', 93, '93 日'],
  ['trades', 1064, '1,064'],
  ['avg_holdings', 9.96, '10.0'],
  ['avg_holdings', 10, '10.0'],
  ['avg_holding_days', 55, '55.0 日'],
])('%s %d is written %s', (key, value, text) => {
  expect(writeMetric(key, value)).toBe(text)
})

it('a file says whose it is, and that it is demo data', () => {
  expect(fileNameOf(small, '交易')).toBe(`双低低溢价10只_2022-08-01_${small.metrics.end_date}_a91c_交易_演示`)
  expect(fileNameOf({ ...small, data_mode: 'imported', name: 'a/b:c' })).toBe(`abc_2022-08-01_${small.metrics.end_date}_a91c`)
})

it('a CSV is safe for spreadsheets and its first line says demo', () => {
  const rows = [
    ['=1+1', -2],
    ['a,"b"', null],
  ]
  expect(csvOf(small, ['名称', '数'], rows).split('\r\n')).toEqual([
    '\uFEFF演示数据，模拟生成，非真实行情，不能用于交易',
    '名称,数',
    "'=1+1,-2",
    '"a,""b""",',
    '',
  ])
})
