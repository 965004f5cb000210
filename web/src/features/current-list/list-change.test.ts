import type { SecurityOption } from '@convexa/contract/market'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import type { ChangeRule } from './change-text.ts'
import { type Comparison, changesOf, tradingDayBefore } from './list-change.ts'

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
/** `excluded`: by code the step that excluded it and what it says. */
const screen = (rows: ScreenRow[], excluded: Record<string, string> = {}): ScreenResult => {
  const told = Object.entries(excluded).map(([code, words]) => {
    const [step = '', ...rule] = words.split(' ')
    return { code, step, rule: rule.join(' ') }
  })
  return {
    ...{
      trade_date: '2026-11-20',
      data_time: '',
      realtime: false,
      data_mode: 'demo',
      data_version: 'v',
      total: 20,
      list_items: rows,
      warnings: [],
    },
    selected: rows.filter(({ selected }) => selected).length,
    excluded: told.map(({ code, rule }, k) => ({ code, name: `债${code}`, rule, rule_index: k, value: null })),
    funnel: told.map(({ step }) => ({ step, label: step, before: 0, after: 0 })),
  }
}
const held = (codes: string) => [...codes].map((code) => ({ code, name: `债${code}` }))
const rule = (over: Partial<ChangeRule['hold_method']> = {}, days = 1): ChangeRule => ({
  hold_method: { ...blankParameters('cb').hold_method, hold_range_start: 1, hold_range_end: 3, hold_threshold: 0, ...over },
  universe: blankParameters('cb').universe,
  rebalance_method: { rebalance_type: 0, rebalance_value: days },
  rank_factors: [{ ...blankParameters('cb').rank_factors[0], factor_key: 'prem', prefer: 'small' } as ChangeRule['rank_factors'][number]],
})
const changes = (now: ScreenResult, previous: string, earlier: ScreenResult | null, more: Partial<Comparison> = {}) =>
  changesOf(now, held(previous), { earlier, rule: rule(), factors, before: '昨天', ...more }).map(({ code, way, why }) => [code, way, why])
const securities = [
  { code: '甲', stock_code: 's1' },
  { code: '乙', stock_code: 's1' },
  { code: '丁', stock_code: 's2', last_trade_date: '2026-12-01' },
  { code: '戊', delist_date: '2026-11-19' },
] as unknown as SecurityOption[]

describe('a list that has changed says the true cause', () => {
  const now = screen([row('甲', 1, true), row('乙', 3, true, { prem: [15, 60] }), row('丙', 13, false, { prem: [40, 20] })], {
    丁: 'exclude.call_status 强赎状态：已公告强赎',
  })
  it('of ranks that moved, with the factor behind it; of a called bond with its last day; of one that is gone', () => {
    const earlier = screen([
      row('甲', 1, true),
      row('丙', 2, true, { prem: [30, 40] }),
      row('丁', 3, true),
      row('乙', 14, false, { prem: [28, 40] }),
    ])
    expect(changes(now, '甲丙丁戊', earlier, { securities })).toEqual([
      ['丙', 'out', '名次 2 → 13，跌出前 3 名，主要因「prem」由 30.0000 升到 40.0000'],
      ['丁', 'excluded', '已公告强赎，最后交易日 2026-12-01'],
      ['戊', 'gone', '已摘牌，最后交易日 2026-11-19'],
      ['乙', 'new', '名次 14 → 3，进入前 3 名，主要因「prem」由 28.0000 降到 15.0000'],
    ])
  })
  it('does not give a value that went the other way as the cause', () => {
    const earlier = screen([row('丙', 2, true, { prem: [42, 40] })])
    expect(changes(now, '丙', earlier)[0]?.[2]).toBe('名次 2 → 13，跌出前 3 名，「prem」的相对位置变了')
  })
  it.each<[string, ScreenResult, string, ScreenResult, Partial<Comparison>, string[]]>([
    [
      'a place that the buffer had kept',
      screen([row('甲', 1, true), row('乙', 2, true), row('丁', 3, true), row('丙', 6, false)]),
      '甲乙丙',
      screen([row('甲', 1, true), row('乙', 2, true), row('丁', 3, false), row('丙', 5, true)]),
      { rule: rule({ hold_threshold: 2 }) },
      ['名次 5 → 6，跌出前 5 名（此前由缓冲保留）', '名次 3 早已够格，「债丙」移出，补入空位'],
    ],
    [
      'a list that waited for its rotation: no rank is told as a move that is none',
      screen([row('甲', 1, true), row('乙', 2, true), row('丁', 3, true), row('丙', 4, false)]),
      '甲乙丙',
      screen([row('甲', 1, true), row('乙', 2, true), row('丁', 3, true), row('丙', 4, false)]),
      { rule: rule({}, 5) },
      ['2026-11-20 已在前 3 名之外，等到轮动才换出', '2026-11-20 已在前 3 名，等到轮动才换入'],
    ],
    [
      'what an exclusion did, and undid',
      screen([row('甲', 1, true), row('丁', 2, true), row('己', 3, true)], {
        丙: 'filter.0 价格 > 130',
        乙: 'missing.prem 缺少「溢价率」',
      }),
      '甲乙丙',
      screen([row('甲', 1, true), row('乙', 2, true), row('丙', 3, true)], {
        丁: 'filter.0 价格 > 130',
        己: 'exclude.list_days 上市 3 天以内',
      }),
      {},
      [
        '「溢价率」今天没有数据',
        '今天被「价格 > 130」剔除',
        '昨天被「价格 > 130」剔除，今天通过，名次 2',
        '上市满 3 天，今天起可选，名次 3',
      ],
    ],
    [
      'the place of an issuer',
      screen([row('乙', 1, true), row('丙', 2, true)], { 甲: 'exclude.suspended 停牌' }),
      '甲丙',
      screen([row('甲', 1, true), row('乙', 2, false), row('丙', 3, true)]),
      { securities },
      ['今日停牌', '同一正股的「债甲」移出，名额空出'],
    ],
    [
      'a bar that has not come',
      screen([row('乙', 1, true)], { 甲: 'exclude.suspended 缺行情' }),
      '甲乙',
      screen([row('甲', 1, true), row('乙', 2, true)]),
      {},
      ['今日缺行情'],
    ],
    [
      'a rule that is another since',
      screen([row('甲', 1, true), row('乙', 2, true)]),
      '甲丙',
      screen([row('甲', 1, true), row('乙', 2, true)]),
      { changedOn: '2026-11-19' },
      ['规则在 2026-11-19 改过', '规则在 2026-11-19 改过，名次 2'],
    ],
  ])('%s', (_, is, previous, earlier, more, told) => expect(changes(is, previous, earlier, more).map(([, , why]) => why)).toEqual(told))
  it('without the day of before it says where each stands', () =>
    expect(changes(now, '甲丙', null)).toEqual([
      ['丙', 'out', '名次 13，在前 3 名之外'],
      ['乙', 'new', '名次 3'],
    ]))
})

it.each([
  ['2026-11-20', '2026-11-19'],
  ['2026-11-23', '2026-11-20'],
  ['2026-10-09', '2026-09-30'],
])('the trading day before %s is %s', (date, before) => {
  const holiday = Array.from({ length: 8 }, (_, i) => `2026-10-0${i + 1}`)
  expect(tradingDayBefore(date, new Set(holiday))).toBe(before)
})
