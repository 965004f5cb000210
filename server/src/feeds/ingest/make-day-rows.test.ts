import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Break,
  goodAnswers,
  last,
  lastDayOf,
  onRow,
  rowFaults,
  times,
  withRow,
} from '../../../test/fixtures/market/changed-answers.ts'
import { answersOn, dates, type Kind, tables } from '../../../test/fixtures/market/model-days.ts'
import { pastOf } from '../../../test/fixtures/market/past-of.ts'
import type { DayTable } from '../rows.ts'
import type { DayAnswers } from './day-answers.ts'
import type { Entry } from './entries.ts'
import { makeDay } from './make-day.ts'

let good: Record<Kind, DayAnswers>
beforeAll(async () => {
  good = await goodAnswers()
})
const made = (kind: Kind, answers: DayAnswers = good[kind]) => lastDayOf(kind, answers)

describe.each(rowFaults)('a row with a fault: %s (%s)', (check, kind, break_) => {
  it('is left out with its reason, the others stay', () => {
    const { day, findings, quarantined } = made(kind, break_(good[kind]))
    expect(findings).toMatchObject([{ check, level: 'quarantine', count: 1 }])
    expect(findings[0]!.examples[0]).toMatch(/（tushare 第 \d+ 条）$/)
    expect([quarantined, day?.date]).toEqual([1, dates[last]])
    // The members stay, one of them without a trade that day.
    const whole = made(kind).day!
    expect(day!.securities.map(({ code }) => code)).toEqual(whole.securities.map(({ code }) => code))
    expect(day!.traded.reduce((sum, flag) => sum + flag, 0)).toBe(whole.traded.reduce((sum, flag) => sum + flag, 0) - 1)
  })
})

describe('the day behind a row that was put aside for its level', () => {
  const row = 10
  const prices = ['open', 'high', 'low', 'close', 'pre_close'] as const
  /** The day before, on which the prices of one share had gone up by two fifths without a reason in the data. */
  async function stepped() {
    const code = good.stk.table.codes[row]!
    const answers = await answersOn('stk', last - 1)
    const place = answers.table.codes.indexOf(code)
    const up = { open: times(1.4), high: times(1.4), low: times(1.4), close: times(1.4), amount: times(1.4) }
    const { day, findings } = makeDay(pastOf(tables.stk, last - 1), onRow(up, place)(answers))
    expect(findings).toMatchObject([{ check: 'jump', level: 'quarantine', count: 1 }])
    expect(day!.carried!.aside).toEqual({ [code]: { since: dates[last - 1]!, days: 1, level: true } })
    // What is published then: the share did not trade, and stands at the close before.
    const past = pastOf(tables.stk, last)
    const at = (past.dates.length - 1) * past.stride + past.securities.findIndex((security) => security.code === code)
    const traded = past.traded.slice()
    traded[at] = 0
    const carried = new Map(past.columns)
    for (const key of ['close', 'adj_factor']) {
      const cells = carried.get(key)!.slice()
      cells[at] = cells[at - past.stride]!
      carried.set(key, cells)
    }
    return { code, past: { ...past, traded, columns: carried, aside: day!.carried!.aside! } }
  }

  it('is put aside too where it goes on from that level', async () => {
    const { code, past } = await stepped()
    const up = Object.fromEntries([...prices, 'amount'].map((key) => [key, times(1.4)]))
    const { day, findings } = makeDay(past, onRow(up, row)(good.stk))
    expect(findings).toMatchObject([{ level: 'quarantine', count: 1, examples: [expect.stringContaining(code)] }])
    expect(day!.traded[day!.securities.findIndex((security) => security.code === code)]).toBe(0)
    expect(day!.carried!.aside![code]).toMatchObject({ since: dates[last - 1]!, days: 2, level: true })
  })

  it('is kept where it agrees with the last kept row, and nothing is held against it any more', async () => {
    const { code, past } = await stepped()
    const { day, findings } = makeDay(past, good.stk)
    expect(findings).toEqual([])
    expect(day!.traded[day!.securities.findIndex((security) => security.code === code)]).toBe(1)
    expect(day!.carried!.aside).toEqual({})
  })
})

it('of rows of one code that differ none is taken, alike ones count once', () => {
  const { table } = good.stk
  const twice = (cells: Float64Array) => Float64Array.from({ length: cells.length + 1 }, (_, row) => cells[row < cells.length ? row : 10]!)
  const columns = new Map([...table.columns].map(([key, cells]) => [key, twice(cells)]))
  const alike = { ...table, codes: [...table.codes, table.codes[10]!], columns }
  expect(made('stk', { ...good.stk, table: alike })).toMatchObject({ findings: [], quarantined: 0 })
  const differing = { ...table, codes: table.codes.with(11, table.codes[10]!) }
  expect(made('stk', { ...good.stk, table: differing }).findings).toMatchObject([{ check: 'duplicate', level: 'quarantine', count: 2 }])
})

it('a row that says the last trade of its security once more is no trade of the day: suspended where that is told, else not come', () => {
  const past = pastOf(tables.stk, last)
  const lastRow = (past.dates.length - 1) * past.stride
  const again = (row: number): Break => {
    const cell = lastRow + past.securities.findIndex(({ code }) => code === good.stk.table.codes[row])
    return onRow(Object.fromEntries(['close', 'vol', 'amount'].map((key) => [key, past.columns.get(key)![cell]!])), row)
  }
  const [late, halted] = [good.stk.table.codes[10]!, good.stk.table.codes[20]!]
  const answers = again(20)(again(10)(good.stk))
  const table = { ...answers.table, suspended: [...(answers.table.suspended ?? []), halted].sort() }
  const { day, findings, parts, rejected } = made('stk', { ...answers, table })
  expect(findings).toMatchObject([{ check: 'repeated_rows', level: 'warning', count: 2, examples: [late, halted].sort() }])
  const on = (code: string) => day!.securities.findIndex((security) => security.code === code)
  expect([late, halted].map((code) => [day!.traded[on(code)], day!.listed[on(code)]])).toEqual([
    [0, 1],
    [0, 1],
  ])
  expect([day!.missingBars, parts[0]!.lacking]).toEqual([[late], [late]])
  expect(rejected).toEqual([late, halted].sort())
})

it('a row that says the last trade of a share once more is no trade of the share for its bonds either', () => {
  const past = pastOf(tables.cb, last)
  const { stocks } = good.cb
  const at = (row: number) => past.securities.findIndex(({ stockCode }) => stockCode === stocks!.codes[row])
  const row = stocks!.codes.findIndex((_, i) => at(i) >= 0 && past.listed[(past.dates.length - 1) * past.stride + at(i)] === 1)
  const stored = (key: string) => past.columns.get(key)![(past.dates.length - 1) * past.stride + at(row)]!
  const again = { close: stored('close_stk'), vol: stored('vol_stk') * 100, amount: stored('amount_stk') }
  const on = (to: typeof again) => {
    const { day } = made('cb', { ...good.cb, stocks: withRow(stocks!, row, to) })
    const bond = day!.securities.findIndex(({ code }) => code === past.securities[at(row)]!.code)
    return ['vol_stk', 'close_stk'].map((key) => day!.columns.get(key)![bond])
  }
  expect(on(again)).toEqual([Number.NaN, again.close])
  expect(on({ ...again, amount: again.amount + 1 })).toEqual([again.vol / 100, again.close])
})

it('a row that is put aside on the third trading day in a row is an alarm by name', () => {
  const code = good.stk.table.codes[10]!
  const on = (days: number) => {
    const before = pastOf(tables.stk, last)
    const place = before.securities.findIndex((security) => security.code === code)
    const traded = before.traded.map((flag, cell) => (cell % before.stride === place && cell >= 2 * before.stride ? 0 : flag))
    const past = { ...before, traded, aside: { [code]: { since: dates[last - 2]!, days, level: false } } }
    return makeDay(past, onRow({ vol: -100 })(good.stk)).findings.filter(({ check }) => check === 'put_aside_again')
  }
  expect(on(1)).toEqual([])
  expect(on(2)).toMatchObject([{ count: 1, text: expect.stringContaining(code) }])
})

it('rows without a trade of what has ended or is not listed yet are no rows; with a trade they are put aside', () => {
  const [ended, coming] = [good.cb.table.codes[10]!, '900999.DM']
  const of = (code: string) => good.cb.entries!.get(code) ?? good.cb.entries!.get(good.cb.table.codes[11]!)!
  const change = (code: string, to: Partial<Entry>): [string, Entry] => [code, { ...of(code), code, ...to }]
  const entries = new Map([...good.cb.entries!, change(ended, { delisted: dates[last]! }), change(coming, { listed: '2026-11-24' })])
  const still = (table: DayTable, row: number) => withRow(table, row, { vol: Number.NaN, amount: 0, turnover: 0 })
  const newest = good.cb.table.codes.length
  const table = {
    ...good.cb.table,
    codes: [...good.cb.table.codes, coming],
    columns: new Map([...good.cb.table.columns].map(([key, cells]) => [key, Float64Array.of(...cells, cells[11]!)])),
  }
  const quiet = { ...good.cb, entries, table: still(still(table, 10), newest) }
  expect(made('cb', quiet)).toMatchObject({ findings: [], quarantined: 0 })
  const { day } = made('cb', quiet)
  const listed = (code: string) => day!.listed[day!.securities.findIndex((security) => security.code === code)]
  expect(listed(ended)).toBe(0)
  expect(made('cb', { ...good.cb, entries, table }).findings[0]).toMatchObject({ check: 'outside_window', count: 2 })
})
