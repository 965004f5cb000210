import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Break,
  goodAnswers,
  last,
  lastDayOf,
  onRow,
  rowFaults,
  times,
  without,
  withoutFactor,
  withRow,
} from '../../../test/fixtures/market/changed-answers.ts'
import { answersOn, dates, type Kind, tables } from '../../../test/fixtures/market/model-days.ts'
import { pastOf } from '../../../test/fixtures/market/past-of.ts'
import { levelChecks } from '../../market/import/level-checks.ts'
import { rowChecks } from '../../market/import/row-checks.ts'
import type { DayTable } from '../rows.ts'
import { only } from '../source/columns.ts'
import { answerChecks } from './answer-checks.ts'
import type { DayAnswers } from './day-answers.ts'
import type { Entry } from './entries.ts'
import { noFacts } from './facts.ts'
import { makeDay, mostAside } from './make-day.ts'
import { noPast } from './past.ts'

let good: Record<Kind, DayAnswers>
beforeAll(async () => {
  good = await goodAnswers()
})
const made = (kind: Kind, answers: DayAnswers = good[kind]) => lastDayOf(kind, answers)

describe('a rating that a list tells', () => {
  const code = () => good.cb.table.codes[10]!
  const rated = (...rows: (readonly [announced: string, rating: string])[]) => {
    const ratings = new Map([[code(), rows.map(([announced, rating]) => ({ code: code(), announced, rating }))]])
    const { day, findings } = made('cb', { ...good.cb, table: without(good.cb.table, 'rating'), facts: { ...good.cb.facts, ratings } })
    const place = day!.securities.findIndex((security) => security.code === code())
    return [day!.columns.get('rating')?.[place], findings.map(({ text, examples }) => `${text}：${examples.join('、')}`)]
  }
  it('is read in full width and small letters', () => {
    expect(rated([dates[last]!, 'ａa＋'])).toEqual([1, []])
  })
  it('is absent where nobody knows the word, told on its day, and the one of before does not stand for it', () => {
    expect(rated(['2020-01-02', 'AA'], [dates[last]!, 'A-1'])).toEqual([Number.NaN, [`评级有不认识的取值，按缺失处理：${code()} “A-1”`]])
    expect(rated(['2020-01-02', 'A-1'])).toEqual([Number.NaN, []])
  })
})

describe('a good day', () => {
  it.each(['stk', 'cb'] as const)('of %s has nothing to tell', (kind) => {
    const { day, findings, rows } = made(kind)
    expect(findings).toEqual([])
    expect(day?.date).toBe(dates[last])
    expect(rows).toBe(good[kind].table.codes.length)
  })

  it('250 of them in a row raise no alarm', async () => {
    const alarms: string[] = []
    let rows = 0
    for (let t = last - 249; t <= last; t++) {
      for (const kind of ['stk', 'cb'] as const) {
        const { findings, rows: judged } = makeDay(pastOf(tables[kind], t), await answersOn(kind, t))
        rows += judged
        alarms.push(...findings.map(({ check, examples }) => `${kind} ${dates[t]} ${check} ${examples.join()}`))
      }
    }
    expect(alarms).toEqual([])
    expect(rows).toBeGreaterThan(25_000)
  })
})

const scaled =
  (factor: number, ...keys: string[]): Break =>
  (answers) => {
    const columns = new Map(answers.table.columns)
    for (const key of keys) columns.set(key, columns.get(key)!.map(times(factor)))
    return { ...answers, table: { ...answers.table, columns } }
  }
const cut = (table: DayTable, count: number): DayTable => ({
  ...table,
  codes: table.codes.slice(0, count),
  columns: new Map([...table.columns].map(([key, cells]) => [key, cells.slice(0, count)])),
})
/** The day before once more, under today's date. */
const yesterday: Break = (answers) => {
  const before = pastOf(tables.stk, last)
  const lastRow = (before.dates.length - 1) * before.stride
  const places = before.securities.flatMap((_, i) => (before.traded[lastRow + i] === 1 ? [i] : []))
  const keys = [...answers.table.columns.keys()].filter((key) => before.columns.has(key))
  const column = (key: string) => Float64Array.from(places, (i) => before.columns.get(key)![lastRow + i]!)
  return {
    ...answers,
    table: {
      ...answers.table,
      codes: places.map((i) => before.securities[i]!.code),
      columns: new Map(keys.map((key) => [key, column(key)])),
    },
  }
}

describe('a day of stocks without a factor', () => {
  const before = pastOf(tables.stk, last)
  const lastRow = (before.dates.length - 1) * before.stride
  const code = () => good.stk.table.codes[10]!
  const factors = (day: NonNullable<ReturnType<typeof made>['day']>) =>
    new Map(day.securities.map((security, i) => [security.code, Number(day.columns.get('adj_factor')![i])]))

  it('has the factor before, but for whose previous close is told without what went out', () => {
    const { day, findings } = made('stk', withoutFactor(0.1, new Map([[code(), true]]))(good.stk))
    expect(findings).toEqual([])
    const now = factors(day!)
    let same = 0
    for (const [place, { code: each }] of before.securities.entries()) {
      const [was, close] = ['adj_factor', 'close'].map((key) => before.columns.get(key)![lastRow + place]!)
      if (each === code()) expect(now.get(each)).toBeCloseTo((was! * close!) / (close! - 0.1), 12)
      else if (day!.traded[day!.securities.findIndex((security) => security.code === each)] === 1) same += Number(now.get(each) === was)
    }
    expect(same).toBeGreaterThan(80)
  })

  it('of a stock that the source of ex-days does not know, as one of Beijing, the previous close is believed', () => {
    const { day, findings } = made('stk', withoutFactor(0.1, new Map())(good.stk))
    expect([findings, day !== null]).toEqual([[], true])
  })

  it('begins with 1 where a market begins with it', () => {
    const { day } = makeDay(noPast('stk'), withoutFactor(0, null)(good.stk))
    expect(new Set([...factors(day!).values()].filter((factor) => factor === factor))).toEqual(new Set([1]))
  })

  it('is not made up where the market has no factors: its prices are adjusted already', () => {
    const past = { ...before, fields: new Set([...before.fields].filter((key) => key !== 'adj_factor')) }
    const columns = new Map([...before.columns].filter(([key]) => key !== 'adj_factor'))
    const { day } = makeDay({ ...past, columns }, withoutFactor(0, null)(good.stk))
    expect(day?.columns.has('adj_factor')).toBe(false)
  })

  it('of bonds: the factor of the stock goes on in the same way', () => {
    const stocks = good.cb.stocks!
    const stockCode = good.cb.entries!.get(good.cb.table.codes[0]!)!.stockCode!
    const row = stocks.codes.indexOf(stockCode)
    const bare = without(withRow(stocks, row, { pre_close: (price) => price - 0.1 }), 'adj_factor')
    const { day, findings } = made('cb', { ...good.cb, stocks: bare })
    expect(findings).toEqual([])
    const past = pastOf(tables.cb, last)
    const place = past.securities.findIndex((security) => security.code === good.cb.table.codes[0])
    const cell = (past.dates.length - 1) * past.stride + place
    const [was, close] = ['adj_factor_stk', 'close_stk'].map((key) => past.columns.get(key)![cell]!)
    const now = day!.securities.findIndex((security) => security.code === good.cb.table.codes[0])
    expect(day!.columns.get('adj_factor_stk')![now]).toBeCloseTo((was! * close!) / (close! - 0.1), 12)
  })
})

describe('who is ST', () => {
  const code = () => good.stk.table.codes[10]!
  const named = (stock: string, ...names: [from: string, name: string][]) =>
    new Map([[stock, names.map(([from, name]) => ({ code: stock, name, from, announced: from }))]])
  const unmarked = () => ({ ...good.stk, table: without(good.stk.table, 'is_st') })
  const flagOf = (day: NonNullable<ReturnType<typeof made>['day']>, key: string, of: string) =>
    Number(day.columns.get(key)![day.securities.findIndex((security) => security.code === of)])

  it('follows the name of the day, whatever the list calls it now', () => {
    const entries = new Map(good.stk.entries).set(code(), { ...good.stk.entries!.get(code())!, name: 'ST后来' })
    const on = (...names: [string, string][]) =>
      flagOf(made('stk', { ...unmarked(), entries, facts: { ...noFacts, names: named(code(), ...names) } }).day!, 'is_st', code())
    expect(on()).toBe(1)
    expect(on(['2020-01-02', '从前'])).toBe(0)
    expect(on(['2020-01-02', '从前'], [dates[last]!, '*ST今天'])).toBe(1)
    expect(on(['2020-01-02', 'ST从前'], [dates[last]!, '今天'])).toBe(0)
  })

  it('is told with the securities where the market has no column of it, for the days before too', () => {
    const past = pastOf(tables.stk, last)
    const bare = { ...past, fields: new Set([...past.fields].filter((key) => key !== 'is_st')) }
    const facts = { ...noFacts, names: named(code(), ['2020-01-02', 'ST从前'], ['2026-03-02', '今天']) }
    const { day, findings } = makeDay(bare, { ...unmarked(), facts })
    expect(findings).toEqual([])
    expect(day!.columns.has('is_st')).toBe(false)
    expect(day!.securities.find((security) => security.code === code())!.dated?.['is_st']).toEqual([
      { from: '2020-01-02', to: '2026-03-02', text: '1' },
    ])
  })

  it('counts for the bonds of the stock', () => {
    const bond = good.cb.table.codes[0]!
    const stock = good.cb.entries!.get(bond)!.stockCode!
    const stocks = without(good.cb.stocks!, 'is_st')
    const on = (name: string) =>
      flagOf(
        made('cb', { ...good.cb, stocks, facts: { ...good.cb.facts, names: named(stock, ['2020-01-02', name]) } }).day!,
        'is_st_stk',
        bond,
      )
    expect([on('*ST某'), on('某')]).toEqual([1, 0])
  })
})

it.each([
  ['an exchange that the list has nobody of', '920197.BJ', 'tushare'],
  ['an exchange of the list, which another source tells than the bars', '999998.DM', 'baostock'],
])('a new listing is there though the list lacks it: %s', (_, code, listSource) => {
  const { table } = good.stk
  const columns = new Map([...table.columns].map(([key, cells]) => [key, Float64Array.of(...cells, cells[10]!)]))
  const withNew = { ...table, codes: [...table.codes, code], columns: new Map(columns) }
  // Its first day: no limit holds.
  const grown = withRow(withNew, table.codes.length, { pre_close: times(0.72) })
  const { day, findings } = made('stk', { ...good.stk, table: grown, listSource })
  expect(findings).toEqual([])
  const place = day!.securities.findIndex((security) => security.code === code)
  expect([day!.listed[place], day!.traded[place], day!.securities[place]?.listed]).toEqual([1, 1, dates[last]])
})

it('a share that is named as suspended beside its bar has traded', () => {
  const { table } = good.stk
  const share = table.codes[table.columns.get('vol')!.findIndex((volume) => volume > 0)]!
  const { day, findings } = made('stk', { ...good.stk, table: { ...table, suspended: [...(table.suspended ?? []), share] } })
  const place = day!.securities.findIndex(({ code }) => code === share)
  expect(findings).toEqual([])
  expect([day!.traded[place], day!.listed[place], day!.missingBars?.includes(share)]).toEqual([1, 1, false])
  expect(day).toEqual(made('stk').day)
})

it('of new bonds each clause whose words cannot be read is told for itself; one that is told without a put has none', () => {
  const entries = new Map(good.cb.entries)
  const [revision, put, without] = good.cb.table.codes as [string, string, string]
  const change = (code: string, terms: object, unread: Entry['unread'] = []) => {
    const entry = entries.get(code)!
    entries.set(code, { ...entry, terms: { ...entry.terms!, ...terms }, unread })
  }
  change(revision, { reset: null }, ['reset'])
  change(put, { put: null }, ['put'])
  change(without, { put: null })
  const { findings } = makeDay(noPast('cb'), { ...good.cb, entries })
  const told = findings.filter(({ check }) => check === 'clause_unknown')
  expect(told.map(({ text, examples }) => [text, examples.map((each) => each.split(' ')[0])])).toEqual([
    ['新转债的下修条款读不出，不计数，显示为条款未知', [revision]],
    ['新转债的回售条款读不出，不计数，显示为没有条款或条款未知', [put]],
  ])
})

it('a bond whose maturity is past is left out', () => {
  const past = pastOf(tables.cb, last)
  const code = good.cb.table.codes[10]!
  const securities = past.securities.map((security) =>
    security.code === code ? { ...security, terms: { ...security.terms!, maturityDate: '2026-11-19' } } : security,
  )
  expect(makeDay({ ...past, securities }, good.cb).findings).toMatchObject([{ check: 'matured', level: 'quarantine', count: 1 }])
})

/** A fault of the answer as a whole refuses the day. */
const wholeFaults: readonly [check: string, kind: Kind, break_: Break][] = [
  ['wrong_day', 'stk', (a) => ({ ...a, table: { ...a.table, date: dates[last - 1]! } })],
  ['wrong_day', 'cb', (a) => ({ ...a, stocks: { ...a.stocks!, date: dates[last - 1]! } })],
  ['schema', 'stk', (a) => ({ ...a, table: { ...a.table, columns: new Map([...a.table.columns].filter(([key]) => key !== 'close')) } })],
  ['schema', 'cb', (a) => ({ ...a, table: { ...a.table, codes: a.table.codes.slice(1) } })],
  ['lost_column', 'stk', (a) => ({ ...a, table: without(a.table, 'adj_factor', 'pre_close') })],
  ['repeated_day', 'stk', yesterday],
  ['unit_close', 'stk', scaled(0.01, 'open', 'high', 'low', 'close', 'pre_close')],
  ['unit_vol', 'stk', scaled(0.01, 'vol')],
  ['unit_amount', 'cb', scaled(10_000, 'amount')],
  ['beside', 'cb', (a) => ({ ...a, stocks: cut(a.stocks!, 40) })],
  ['beside', 'cb', (a) => ({ ...a, stocks: null })],
  ['short_last_day', 'stk', (a) => ({ ...a, table: { ...cut(a.table, 60), suspended: [] } })],
  ['too_many', 'stk', (a) => [3, 20, 40, 50, 60, 70].reduce((b, row) => onRow({ vol: -1 }, row)(b), a)],
]

it.each(wholeFaults)('an answer with a fault is refused: %s (%s)', (check, kind, break_) => {
  const { day, findings } = made(kind, break_(good[kind]))
  expect(day).toBeNull()
  expect(findings.find(({ level }) => level === 'fault')).toMatchObject({ check })
})

it.each([
  ['four fifths of the rows', 78, 'short_days', 'short_days'],
  ['three fifths', 60, 'short_last_day', 'short_days'],
  ['less than half', 45, 'short_last_day', 'short_last_day'],
])('of a day with %s: it waits until 20:00, then what is there is published', (_, rows, before, late) => {
  const table = { ...cut(good.stk.table, rows), suspended: [] }
  const found = (isLate: boolean) => {
    const { day, findings, parts } = made('stk', { ...good.stk, table, isLate })
    return [findings.find(({ check }) => check.startsWith('short'))?.check, day !== null, parts[0]!.lacking.length > 0]
  }
  expect([found(false), found(true)]).toEqual([before, late].map((check) => [check, check === 'short_days', true]))
})

it('of late shares: bonds are published where at least half of theirs are there', () => {
  const on = (rows: number, isLate: boolean) => made('cb', { ...good.cb, stocks: cut(good.cb.stocks!, rows), isLate }).day !== null
  const all = good.cb.stocks!.codes.length
  expect([on(Math.floor(all * 0.7), false), on(Math.floor(all * 0.7), true), on(Math.floor(all * 0.3), true)]).toEqual([false, true, false])
})

it('the share of a bond whose bar has not come is priced by the source’s conversion value; a suspended one keeps its price', () => {
  const { table, stocks, entries } = good.cb
  const row = 10
  const code = table.codes[row]!
  const stockCode = entries!.get(code)!.stockCode!
  const right = stocks!.columns.get('close')![stocks!.codes.indexOf(stockCode)]!
  const past = pastOf(tables.cb, last)
  const before = (key: string) =>
    past.columns.get(key)![(past.dates.length - 1) * past.stride + past.securities.findIndex((security) => security.code === code)]!
  const value = Math.round((right / before('conv_price')) * 1e4) / 100
  const others = only(stocks!, (each) => each !== stockCode)
  const closeOf = (suspended: readonly string[]) => {
    const { day } = made('cb', { ...good.cb, table: withRow(table, row, { conv_value: value }), stocks: { ...others, suspended } })
    return day!.columns.get('close_stk')![day!.securities.findIndex((security) => security.code === code)]!
  }
  expect(right).not.toBe(before('close_stk'))
  expect(closeOf([])).toBeCloseTo(right, 9)
  expect(closeOf([stockCode])).toBe(before('close_stk'))
})

it.each([
  [380, 10],
  [120, 6],
  [5_000, 25],
  [12, 1],
])('of %i rows that traded %i may be put aside', (traded, rows) => {
  expect(Math.floor(mostAside(traded))).toBe(rows)
})

/** Warnings: the data are kept. */
it.each<[check: string, kind: Kind, break_: Break]>([
  ['short_days', 'stk', (a) => ({ ...a, table: cut(a.table, 88) })],
  ['other_value', 'cb', onRow({ conv_value: 30 })],
  ['swapped', 'cb', (a) => ({ ...a, stocks: { ...a.stocks!, columns: new Map(a.stocks!.columns).set('close', otherPrice(a)) } })],
])('what looks odd is told: %s', (check, kind, break_) => {
  const { findings } = made(kind, break_(good[kind]))
  expect(findings.find(({ level }) => level === 'warning')).toMatchObject({ check })
})

/** The stock of the first bond at a price of another share. */
function otherPrice({ table, stocks, entries }: DayAnswers): Float64Array {
  const stock = entries!.get(table.codes[0]!)!.stockCode!
  return stocks!.columns.get('close')!.map((price, i) => (stocks!.codes[i] === stock ? price * 1.6 : price))
}

it('every class of fault has its fixture, here or among those of files', () => {
  // A source's value that does not agree is left out, and the row counts: only files are refused for it.
  const ofFiles = ['conv_value', 'bad_date', 'non_trading_day', 'missing_days', 'encoding', 'truncated', 'mixed_dates']
  const here = [...rowFaults, ...wholeFaults].map(([check]) => check)
  const all = new Set([...here, 'base', 'duplicate', 'matured', 'short_days', 'swapped', ...ofFiles])
  for (const { key } of [...rowChecks, ...levelChecks, ...answerChecks]) expect([...all], key).toContain(key)
  expect(all.size).toBeGreaterThanOrEqual(30)
})
