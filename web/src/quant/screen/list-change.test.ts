import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import { describe, expect, it } from 'vitest'
import { factorsOf } from '../factors.ts'
import { changesOf, tradingDayBefore } from './list-change.ts'

const factors = factorsOf([])
const row = (
  code: string,
  rank: number | null,
  selected: boolean,
  parts: Record<string, [raw: number, contrib: number]> = {},
): ScreenRow => ({
  code,
  name: `债${code}`,
  rank,
  score: null,
  selected,
  values: {},
  score_parts: Object.fromEntries(Object.entries(parts).map(([ref, [raw, contrib]]) => [ref, { raw, contrib, rank: null, norm: null }])),
})
const screen = (rows: ScreenRow[], excluded: [string, string][] = []): ScreenResult => ({
  trade_date: '2026-11-20',
  data_time: '',
  realtime: false,
  data_mode: 'demo',
  data_version: 'v',
  total: rows.length,
  selected: rows.filter(({ selected }) => selected).length,
  list_items: rows,
  excluded: excluded.map(([code, rule]) => ({ code, name: `债${code}`, rule, rule_index: 0, value: null })),
  funnel: [],
  warnings: [],
})
const held = (codes: string) => [...codes].map((code) => ({ code, name: `债${code}` }))
const now = screen(
  [
    row('甲', 1, true),
    row('乙', 3, true, { prem: [15, 60], close: [120, 30] }),
    row('丙', 13, false, { prem: [40, 20], close: [118, 31] }),
  ],
  [['丁', '强赎计数 ≥ 10']],
)

describe('a list that has changed', () => {
  it('says who left, why, and who came', () =>
    expect(changesOf(now, held('甲丙丁戊'), null, factors).map(({ code, way, why }) => [code, way, why])).toEqual([
      ['丙', 'out', '名次 13'],
      ['丁', 'excluded', '触发「强赎计数 ≥ 10」'],
      ['戊', 'gone', '当日没有行情'],
      ['乙', 'new', '名次 3'],
    ]))
  it('says from which place to which, and what moved it, once the day of before is known', () => {
    const then = screen([
      row('甲', 1, true),
      row('丙', 6, true, { prem: [30, 40], close: [118, 31] }),
      row('乙', 14, false, { prem: [28, 40], close: [122, 20] }),
    ])
    expect(changesOf(now, held('甲丙'), then, factors).map(({ why }) => why)).toEqual([
      '名次 6 → 13，主要因「prem」由 30.0000 升到 40.0000',
      '名次 14 → 3，主要因「prem」由 28.0000 降到 15.0000，占得分变化的 67%',
    ])
  })
  it('does not give a value that went the other way as the cause', () => {
    const then = screen([row('丙', 6, true, { prem: [42, 40] })])
    const ranks = [{ factor_key: 'prem', prefer: 'small' }] as const
    expect(changesOf(now, held('丙'), then, factors, ranks)[0]?.why).toBe('名次 6 → 13，「prem」的相对位置变了')
  })
  it('says the range where the place has not moved', () => {
    const out = { ...row('丙', 13, false), reason_text: '名次 13，超出持有区间 10' }
    expect(changesOf(screen([out]), held('丙'), screen([row('丙', 13, true)]), factors)[0]?.why).toBe('名次 13 未变，超出持有区间 10')
  })
  it('says who came from beyond the holding, whatever is known of the day of before', () => {
    const filled = { ...row('乙', 12, true, { prem: [15, 60] }), reason_text: '名次 12，补位新进' }
    const why = (then: ScreenRow[] | null) => changesOf(screen([filled]), held('甲'), then && screen(then), factors).at(-1)?.why
    expect(why(null)).toBe('名次 12，补位新进')
    expect(why([row('甲', 1, true)])).toBe('名次 12，补位新进，此前不在打分池')
    expect(why([row('乙', 12, false)])).toBe('名次 12，当时也是 12，补位新进')
    expect(why([row('乙', 20, false, { prem: [28, 40] })])).toBe('名次 20 → 12，补位新进，主要因「prem」由 28.0000 降到 15.0000')
  })
  it('says of a newcomer that it was in no pool', () =>
    expect(changesOf(now, held('甲'), screen([row('甲', 1, true)]), factors)[0]?.why).toBe('名次 3，此前不在打分池'))
})

it.each([
  ['2026-11-20', '2026-11-19'],
  ['2026-11-23', '2026-11-20'],
  ['2026-10-09', '2026-09-30'],
])('the trading day before %s is %s', (date, before) => {
  const holiday = Array.from({ length: 8 }, (_, i) => `2026-10-0${i + 1}`)
  expect(tradingDayBefore(date, new Set(holiday))).toBe(before)
})
