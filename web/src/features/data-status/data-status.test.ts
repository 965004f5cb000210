import type { DataSheet, LostSource } from '@convexa/contract/data-sheet'
import { describe, expect, it, test } from 'vitest'
import { dataStatusOf, keysOf, refsOf } from './data-status.ts'

const sheet: DataSheet = {
  ...{ trade_date: '2026-11-20', first_date: '2018-01-02', data_mode: 'imported', data_version: 'cb-20261120-0a1b2c3d' },
  ...{
    published_at: '2026-11-20T16:31:04+08:00',
    adjust: 'raw',
    behind: 0,
    calendar_expected: false,
    damaged: null,
    listed: 400,
    delisted: 320,
  },
  sources: [{ label: 'Tushare Pro', last: '2026-11-20' }],
  quarantined: { rows: 0, of: 'day', reasons: [] },
  ingestion: { refused: null, waiting: null },
  ...{
    lost: [],
    open_parts: [],
    quotes: null,
    factors: [{ factor: 'dblow', values: 400, coverage: 1, reason: null, positive: false }],
    counting: false,
  },
}
const names: Record<string, string> = { dblow: '双低', pe_ttm: '市盈率' }
const lamp = (more: Partial<DataSheet>) => dataStatusOf({ ...sheet, ...more }, (ref) => names[ref] ?? ref)
const factor = (coverage: number | null, reason: string | null = null, positive = false) => ({
  ...{ factor: 'pe_ttm', values: null, coverage, reason, positive },
})
const lost: LostSource = {
  ...{ label: '东方财富', need: '转债日线', fault: 'network', since: '2026-11-20T16:30:00+08:00' },
  ...{ answered_at: null, instead: null },
}
const quotes = { source: '腾讯', quoted_at: '2026-11-23T10:00:03+08:00', stale: true }

test.each<[string, Partial<DataSheet>, string, string]>([
  ['nothing is wrong', {}, 'ok', '数据正常'],
  ['shares that are still being counted', { factors: [factor(null)], counting: true }, 'ok', '数据正常'],
  ['the day has closed and is not ingested yet', { behind: 1, ingestion: { refused: null, waiting: '2026-11-23' } }, 'ok', '数据正常'],
  ['demo data', { data_mode: 'demo', ingestion: null }, 'warn', '演示数据'],
  ['a factor that few have', { factors: [factor(0.62)] }, 'warn', '部分缺值'],
  ['a multiple that those at a loss have not', { factors: [factor(0.62, null, true)] }, 'ok', '数据正常'],
  ['a factor that nobody has', { factors: [factor(0)] }, 'bad', '因子缺失'],
  ['a factor that the data cannot give', { factors: [factor(null, '当前数据没有「市盈率」')] }, 'bad', '因子缺失'],
  ['days that did not come', { behind: 2 }, 'warn', '数据滞后'],
  ['a day that was refused', { behind: 1, ingestion: { refused: '2026-11-23', waiting: null } }, 'warn', '数据滞后'],
  ['a file of long ago', { behind: 1, ingestion: null }, 'warn', '非最新'],
  ['closed days that are not known yet', { calendar_expected: true }, 'warn', '日历推定'],
  ['the same of a file, which is behind as well', { calendar_expected: true, behind: 2, ingestion: null }, 'warn', '非最新'],
  ['the same of demo data', { calendar_expected: true, data_mode: 'demo', ingestion: null }, 'warn', '演示数据'],
  ['newer data that cannot be read', { damaged: '2026-11-23' }, 'bad', '数据损坏'],
  ['quotes that stand still', { quotes }, 'warn', '行情延迟'],
  ['quotes that go on', { quotes: { ...quotes, stale: false } }, 'ok', '数据正常'],
  [
    'a part of the day that has not come',
    { open_parts: [{ label: '复权因子', expected: 120, found: 119, codes: ['688101.SH'] }] },
    'warn',
    '数据未齐',
  ],
  ['a source that does not answer', { lost: [lost] }, 'warn', '数据源中断'],
  ['rows that were left out: told, and no fault', { quarantined: { rows: 3, of: 'day', reasons: [] } }, 'ok', '数据正常'],
])('%s', (_, more, look, word) => {
  expect(lamp(more)).toMatchObject({ look, word })
  expect(lamp(more).whys.length > 0).toBe(look !== 'ok')
})

it('names the parts that have not come, and who lacks', () => {
  const { whys } = lamp({
    open_parts: [
      { label: '行情', expected: 120, found: 112, codes: ['920101.BJ', '920102.BJ'] },
      { label: '估值与股本', expected: 112, found: 0, codes: [] },
    ],
  })
  expect(whys).toEqual(['2026-11-20 的行情有 112/120（缺 920101.BJ、920102.BJ 等），估值与股本还没有，到齐前用推算值或沿用前一交易日。'])
})

it('says of all sources that were lost what they did, and who answered instead', () => {
  const { whys } = lamp({
    lost: [
      { ...lost, label: 'Tushare Pro', fault: 'tomorrow', instead: '文件' },
      { ...lost, instead: '文件' },
    ],
  })
  expect(whys).toEqual([
    'Tushare Pro（转债日线）2026-11-20 16:30:00 当日次数已用完，改由文件提供；东方财富（转债日线）2026-11-20 16:30:00 未应答，改由文件提供。',
  ])
  const later = { ...lost, need: '转债列表与条款', since: '2026-11-20T18:00:00+08:00' }
  expect(lamp({ lost: [lost, later] }).whys).toEqual(['东方财富（转债日线、转债列表与条款）2026-11-20 18:00:00 未应答。'])
  expect(lamp({ lost: [lost] }).whys).toEqual(['东方财富（转债日线）2026-11-20 16:30:00 未应答。'])
})

it('takes its word from the gravest, and says all of them', () => {
  const { look, word, whys } = lamp({ data_mode: 'demo', quotes, factors: [factor(0)] })
  expect({ look, word }).toEqual({ look: 'bad', word: '因子缺失' })
  expect(whys).toEqual([
    '「市盈率」在当前数据里没有值。',
    '实时行情停在 2026-11-23 10:00:03（腾讯），之后没有更新。',
    '演示数据由模型模拟生成，非真实行情，不能用于交易。',
  ])
})

describe('the factors of a rule', () => {
  const row = (factor_key: string, enable = true) => ({ factor_key, enable })
  it('are those of its enabled conditions and ranks, each once', () => {
    const rule = { filter_factors: [row('close'), row('pb', false)], rank_factors: [row('dblow'), row('close')] }
    expect(refsOf(rule as unknown as Parameters<typeof refsOf>[0])).toEqual(['close', 'dblow'])
  })
  it('are asked for in one key, formulas each alone, as many as an address holds', () => {
    const long = (i: number) => `formula: close + ${i} ${' '.repeat(1_000)}`
    expect(keysOf(['close', 'formula: a, b', 'dblow'])).toEqual(['close,dblow', 'formula: a, b'])
    expect(keysOf([])).toEqual([])
    const keys = keysOf(['close', ...Array.from({ length: 8 }, (_, i) => long(i))])
    expect(keys.length).toBeGreaterThan(1)
    expect(encodeURIComponent(keys.join('')).length).toBeLessThan(6_000)
  })
})
