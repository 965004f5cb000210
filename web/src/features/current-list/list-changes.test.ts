import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import { crowdedOut, currentListOf, heldChangesOf, placesToGo } from './list-changes.ts'

const factors = factorsOf([
  {
    factor_key: 'conv_prem',
    factor_name: '转股溢价率',
    factor_type: 0,
    category: '溢价',
    unit: null,
    decimals: 4,
    prefer_default: 'small',
    realtime: true,
    available: true,
    coverage: 1,
    description: '',
  },
])
type Line = [code: string, rank: number, selected: boolean, prem: number, contrib: number]
const resultOf = (lines: Line[], excluded: { code: string; rule: string }[] = []) => ({
  trade_date: '2026-11-20',
  data_time: '',
  realtime: false,
  data_mode: 'demo' as const,
  data_version: 'v',
  total: lines.length,
  selected: lines.filter(([, , on]) => on).length,
  list_items: lines.map(([code, rank, selected, raw, contrib]) => ({
    rank,
    code,
    name: `债${code}`,
    score: contrib,
    selected,
    values: {},
    score_parts: { conv_prem: { raw, rank, norm: 1, contrib } },
  })),
  excluded: excluded.map((one) => ({ ...one, name: '', rule_index: 0, value: null })),
  funnel: [],
  warnings: [],
})

it('a list that names a former code holds the security that bore it', () => {
  const currentList = currentListOf(resultOf([['430017.BJ', 1, true, 0.1, 90]]), '小盘', '2025-09-30')
  const now = resultOf([['920017.BJ', 1, true, 0.1, 90]])
  const security = {
    code: '920017.BJ',
    former_codes: ['430017.BJ'],
    name: '甲',
    pinyin: 'j',
    market: '',
    board: '',
    status: 'listed' as const,
  }
  const securities = [{ ...security, list_date: null, delist_date: null, last_trade_date: null }]
  expect(
    [...heldChangesOf(currentList, now, factors, blankParameters('stk'), securities).values()].map(({ code, change }) => [code, change]),
  ).toEqual([['920017.BJ', 'hold']])
})

describe('what became of the list that is held', () => {
  const currentList = currentListOf(
    resultOf([
      ['1', 1, true, 0.1, 90],
      ['2', 2, true, 0.12, 88],
      ['3', 3, true, 0.13, 80],
      ['4', 14, false, 0.28, 40],
    ]),
    '双低',
    't',
  )
  const now = resultOf(
    [
      ['4', 1, true, 0.15, 95],
      ['1', 2, true, 0.1, 90],
      ['2', 13, false, 0.4, 50],
    ],
    [{ code: '3', rule: '强赎状态：已公告强赎' }],
  )
  const rule = { ...blankParameters('cb'), hold_method: { ...blankParameters('cb').hold_method, hold_range_end: 3 } }
  const changes = heldChangesOf(currentList, now, factors, rule)

  it.each([
    ['4', 'new', '新进：名次 14 → 1，进入前 3 名，主要因「转股溢价率」由 28.00% 降到 15.00%'],
    ['1', 'hold', ''],
    ['2', 'out', '移出：名次 2 → 13，跌出前 3 名，主要因「转股溢价率」由 12.00% 升到 40.00%'],
    ['3', 'out', '移出：今天被「强赎状态：已公告强赎」剔除'],
  ])('%s: %s', (code, change, why) => expect(changes.get(code)).toMatchObject({ change, why }))

  it('who is ranked again is not told the rule of before', () => {
    const again = { ...now, excluded: [...now.excluded, { ...now.excluded[0], code: '2', rule: '收盘价大于 150' }] }
    expect(heldChangesOf(currentList, again as never, factors, rule).get('2')?.why).toContain('名次 2 → 13')
  })

  it('what came from beyond the range is told so', () => {
    const [first] = now.list_items
    const filled = { ...now, list_items: first ? [{ ...first, rank: 11, reason_text: '名次 11，补位新进' }] : [] }
    expect(heldChangesOf(currentList, filled, factors, rule).get('4')?.why).toBe(
      '新进：「债1」移出空出一席，排在前面的同一正股已在名单里，名次 11 补入',
    )
  })

  it('one that is not on the list knows how far it is', () => {
    const row = now.list_items[2]
    expect(row && placesToGo(row, now)).toEqual({ places: 11, score: '40.0' })
    const listed = now.list_items[0]
    expect(listed && placesToGo(listed, now)).toBeNull()
    expect(row && crowdedOut(row, now)).toBe(false)
    const twin = now.list_items.map((one) => ({ ...one, selected: one.code === '2' }))
    expect(twin[1] && crowdedOut(twin[1], { ...now, list_items: twin })).toBe(true)
  })
})
