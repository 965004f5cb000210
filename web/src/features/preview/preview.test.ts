import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { agreementOf } from './agreement.ts'
import type { ColumnsMessage, PreviewAnswer } from './messages.ts'
import { factorsRead } from './preview.ts'
import { makeScreener } from './screener.ts'

const count = 4
const facts = {
  names: ['甲', '乙', '丙', '丁'],
  issuers: ['a', 'b', 'c', 'c'],
  boards: Array.from({ length: count }, () => 'SSE_MAIN' as const),
  listed: Array.from({ length: count }, () => '2020-01-01'),
  traded: [1, 1, 1, 0],
  leaving: [0, 0, 0, 0],
  call_days: [15, 15, null, null],
  texts: {},
  columns: { call_status: [0, 3, 0, 0], is_st: [0, 0, 0, 0] },
}
const codes = ['900001.DM', '900002.DM', '900003.DM', '900004.DM']
const parameters = blankParameters('cb')

function screener(remark: ColumnsMessage['columns'][number]['remark'] = { level: null, raw: null }) {
  const answer = makeScreener()
  answer({ type: 'day', kind: 'cb', date: '2026-11-20', codes, facts })
  const values = Float64Array.of(130, 110, Number.NaN, 120)
  answer({ type: 'columns', columns: [{ ref: 'dblow', label: '双低', values, remark }] })
  return answer
}

describe('a screen in the browser', () => {
  it('ranks who is left and says what took the others', () => {
    const told = screener()({ type: 'screen', id: 7, parameters, previous: ['900002.DM'] })
    expect(told?.id).toBe(7)
    expect(told?.answer).toMatchObject({ total: 1, selected: ['900001.DM'] })
    expect(told?.answer?.funnel.filter(({ before, after }) => after < before).map(({ step }) => step)).toEqual([
      'exclude.suspended',
      'exclude.call_status',
      'missing.dblow',
    ])
    expect(told?.answer?.rows[0]).toMatchObject({ code: '900001.DM', name: '甲', rank: 1, change: 'new' })
  })

  it('has the row of who was on the list, however far down it ranks now', () => {
    const many = Array.from({ length: 120 }, (_, i) => `9${String(i).padStart(5, '0')}.DM`)
    const of = <T>(value: T) => many.map(() => value)
    const answer = makeScreener()
    const wide = { ...facts, names: many, issuers: many, boards: of('SSE_MAIN' as const), listed: of('2020-01-01'), traded: of(1) }
    const remark = { level: null, raw: null }
    const day = { ...wide, leaving: of(0), call_days: of(null), columns: { call_status: of(0), is_st: of(0) } }
    answer({ type: 'day', kind: 'cb', date: '2026-11-20', codes: many, facts: day })
    answer({ type: 'columns', columns: [{ ref: 'dblow', label: '双低', values: Float64Array.from(many, (_, i) => 100 + i), remark }] })
    const rows = answer({ type: 'screen', id: 1, parameters, previous: [many[110] ?? ''] })?.answer?.rows
    expect(rows?.find(({ code }) => code === many[110])).toMatchObject({ rank: 111, selected: false, change: 'out' })
  })

  it('says of prices that a factor reads what the server says', () => {
    const warned = (remark: Parameters<typeof screener>[0]) => {
      const told = screener(remark)({ type: 'screen', id: 1, parameters, previous: [] })?.answer?.warnings ?? []
      return told.filter((text) => text.startsWith('「双低」'))
    }
    expect(warned({ level: 'hfq', raw: null })).toEqual([expect.stringMatching(/^「双低」用到价格的高低：行情是后复权价/)])
    expect(warned({ level: null, raw: '跨日比较未复权的正股收盘价' })).toEqual(['「双低」跨日比较未复权的正股收盘价'])
    expect(warned({ level: null, raw: null })).toEqual([])
  })

  it('names every rule against a security, not the first alone', () => {
    const both = { ...parameters, exclude: { ...parameters.exclude, list_days: 3_650 } }
    const told = screener()({ type: 'why', id: -1, parameters: both, code: '900002.DM' })
    expect(told?.rules).toEqual(['上市 3650 天以内', expect.stringContaining('强赎状态')])
    expect(screener()({ type: 'why', id: -2, parameters, code: '900001.DM' })?.rules).toEqual([])
  })

  it('leaves to the server what needs days before, or values that did not come', () => {
    const [rank] = parameters.rank_factors
    if (!rank) throw new Error('no rank')
    const filled = { ...parameters, rank_factors: [{ ...rank, missing_process: 'forward_fill' as const }] }
    expect(screener()({ type: 'screen', id: 1, parameters: filled, previous: [] })?.answer).toBeNull()
    const other = { ...parameters, rank_factors: [{ ...rank, factor_key: 'close' }] }
    expect(screener()({ type: 'screen', id: 2, parameters: other, previous: [] })?.answer).toBeNull()
  })
})

it('reads the factors of rows that count, of weights and of what a ranking is freed of', () => {
  const [rank] = parameters.rank_factors
  if (!rank) throw new Error('no rank')
  const wanted = {
    ...parameters,
    filter_factors: [
      { factor_key: 'close', action: 'exclude' as const, operation: 'gt' as const, value: 150, enable: true },
      { factor_key: 'amount', action: 'exclude' as const, operation: 'lt' as const, value: 1, enable: false },
    ],
    rank_factors: [{ ...rank, neutralization: 'stock_size' }],
    hold_method: { ...parameters.hold_method, hold_weight_type: 4 as const, hold_weight_factor: 'ytm' },
  }
  expect(factorsRead('cb', wanted)).toEqual(['close', 'dblow', 'total_mv', 'ytm'])
})

it('two lists differ by who is on one of them alone', () => {
  const preview = { selected: ['a', 'b'] } as unknown as PreviewAnswer
  const server = {
    list_items: [
      { code: 'b', selected: true },
      { code: 'c', selected: true },
      { code: 'a', selected: false },
    ],
  }
  expect(agreementOf(preview, server as never)).toEqual({ missing: ['c'], extra: ['a'] })
})
