import { describe, expect, it } from 'vitest'
import { parameters, settings } from '../../test/fixtures/parameters.ts'
import { table } from '../../test/fixtures/table.ts'
import { markets } from '../market/index.ts'
import { glance } from './glance.ts'

const closes = `
              AAA   BBB   CCC   DDD
  2024-01-02  100   110   120   130
  2024-01-03  101   111   121   131
  2024-01-04  125   112   119   130
  2024-01-05  126   115   118   129
`
const fields = {
  call_count: `
                AAA   BBB   CCC   DDD
    2024-01-02  0     9     3     0
    2024-01-03  0     10    4     0
    2024-01-04  0     11    5     0
    2024-01-05  0     12    6     0
  `,
}
const rule = (hold: number) => parameters({ hold_method: { hold_range_end: hold } })
const range = (end = '2024-01-05') => settings('2024-01-02', end)
const of = (hold: number, over: { end?: string; since?: string } = {}, securities = {}) => {
  const made = glance(table(closes, { fields, securities }), markets.cb, {
    parameters: rule(hold),
    settings: range(over.end),
    since: over.since ?? null,
  })
  if (!made.ok) throw new Error(made.problem.message)
  return made.glance
}

describe('a glance', () => {
  it('lists the last day against what was held the day before', () => {
    // By then AAA has become dear: CCC takes its place, on the third day and not before.
    const { as_of, list_items, diff } = of(2, { end: '2024-01-04' })
    expect(as_of).toBe('2024-01-04')
    expect(list_items).toEqual([
      { code: 'BBB', name: 'BBB', rank: 1, weight: 0.5 },
      { code: 'CCC', name: 'CCC', rank: 2, weight: 0.5 },
    ])
    expect(diff).toEqual({ added: [{ code: 'CCC', name: 'CCC' }], removed: [{ code: 'AAA', name: 'AAA' }] })
    expect(of(2).diff).toEqual({ added: [], removed: [] })
  })

  it('tells what it held after each close of the last year', () => {
    const { nav } = of(2)
    expect(nav.held.map((places) => places?.map((place) => nav.codes[place]))).toEqual([
      ['AAA', 'BBB'],
      ['AAA', 'BBB'],
      ['BBB', 'CCC'],
      ['BBB', 'CCC'],
    ])
  })

  it('tells no return of a longer time than its run', () => {
    const { ret_1d, ret_20d, ret_1y, max_drawdown_1y, sparkline, sparkline_dates } = of(2)
    expect(ret_1d).not.toBeNull()
    expect([ret_20d, ret_1y, max_drawdown_1y]).toEqual([null, null, null])
    expect(sparkline).toHaveLength(4)
    expect(sparkline_dates).toEqual(['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'])
    expect(of(2, { end: '2024-01-02' })).toMatchObject({ ret_1d: sparklineOf(of(2, { end: '2024-01-02' })) - 1, diff: { removed: [] } })
  })

  it('names the bonds that count towards a call, the nearest first, and the called before them', () => {
    const risk = (securities = {}) => of(4, {}, securities).call_risk
    expect(risk()).toEqual([
      { code: 'BBB', name: 'BBB', count: 12, threshold: 15, last_trade_date: null },
      { code: 'CCC', name: 'CCC', count: 6, threshold: 15, last_trade_date: null },
    ])
    const called = (known: string) => ({ DDD: { lastDay: '2024-02-01', lastDayKnown: known } })
    expect(risk(called('2024-01-05'))[0]).toEqual({ code: 'DDD', name: 'DDD', count: 0, threshold: 15, last_trade_date: '2024-02-01' })
    // Announced after the day that it speaks of: not known yet.
    expect(risk(called('2024-01-08')).map(({ code }) => code)).toEqual(['BBB', 'CCC'])
  })

  it('names positions that have not traded for twenty days, of the rule and of the rule since it was saved', () => {
    const days = Array.from({ length: 22 }, (_, k) => `2024-03-${String(k + 1).padStart(2, '0')}`)
    const panel = table(`AAA BBB\n${days.map((date, t) => `${date} ${t < 2 ? '100' : '-'} 110`).join('\n')}`)
    const parts = { parameters: rule(1), since: '2024-03-01' }
    const silent = (end: string) => {
      const made = glance(panel, markets.cb, { ...parts, settings: settings('2024-03-01', end) })
      return made.ok ? made.glance.silent : made.problem
    }
    expect(silent('2024-03-22')).toEqual([{ code: 'AAA', name: 'AAA', since: '2024-03-02', weight: 1 }])
    expect(silent('2024-03-21')).toEqual([])
    // Nothing says that it is suspended where its bar has not come.
    const lacking = { ...panel, missingBars: new Map([['2024-03-22', new Set(['AAA'])]]) }
    const made = glance(lacking, markets.cb, { ...parts, settings: settings('2024-03-01', '2024-03-22') })
    expect(made.ok && made.glance.silent).toEqual([{ code: 'AAA', name: 'AAA', since: '2024-03-02', weight: 1, missing_bar: true }])
  })

  it('follows the rule from the day it was saved, with nothing in hand', () => {
    const { followed } = of(1, { since: '2024-01-04' })
    expect(followed?.dates).toEqual(['2024-01-04', '2024-01-05'])
    expect(followed?.lists).toEqual([['BBB'], ['BBB']])
    expect(followed?.nav[1]).toBeCloseTo((followed?.nav[0] ?? 0) * (115 / 112), 5)
    // The market's line begins at its close of that day, as the benchmark of a run does.
    expect(followed?.market?.label).toBe('可转债等权')
    expect(followed?.market?.nav).toHaveLength(2)
    expect(followed?.market?.nav[0]).toBe(1)
    expect(of(1, { since: '2024-01-06' }).followed).toBeNull()
  })
})

const sparklineOf = ({ sparkline }: { sparkline: readonly number[] }): number => sparkline[0] as number
