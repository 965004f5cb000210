import type { Security } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import type { KnownPrice } from '../../db/tables/fact-value.ts'
import type { BondRow, DayTable } from '../rows.ts'
import { derivedPrices, dueForPrice, type PriceView, priceInForce } from './conversion-prices.ts'
import { noFacts } from './facts.ts'
import { noPast, type Past } from './past.ts'

const day = '2026-11-20'
const codes = ['110001.SH', '110002.SH', '110003.SH']
const stocks = ['600001.SH', '600002.SH', '600003.SH']
const past: Past = {
  ...noPast('cb'),
  dates: ['2026-11-19'],
  securities: codes.map((code, i) => ({ code, stockCode: stocks[i] }) as Security),
  stride: 3,
  listed: Uint8Array.of(1, 1, 1),
  columns: new Map([['close_stk', Float64Array.of(9, 8, 7)]]),
}
const table = (date: string, rows: readonly string[], columns: Readonly<Record<string, number[]>>): DayTable => ({
  ...{ date, codes: rows },
  columns: new Map(Object.entries(columns).map(([key, cells]) => [key, Float64Array.from(cells)])),
})
const price = (code: string, effective: string, value: number) => ({ code, announced: effective, effective, price: value })
const list = (prices: readonly number[]) => codes.map((code, i) => ({ code, conversionPrice: prices[i] }) as BondRow)
const quiet: PriceView = {
  ...{ day, past },
  facts: { ...noFacts, conversionPrices: new Map(codes.map((code) => [code, [price(code, '2026-01-05', 10)]])) },
  bonds: list([10, 10, 10]),
  table: table(day, codes, { conv_value: [91, 81, 71] }),
  stocks: table(day, stocks, { close: [9.1, 8.1, 7.1], pre_close: [9, 8, 7] }),
}

it.each<[string, Partial<PriceView>, string[]]>([
  ['on a quiet day nobody is asked about', {}, []],
  ['whose price is not known', { facts: noFacts }, codes],
  ['of whom the list says another price', { bonds: list([10, 9.4, 10]) }, ['110002.SH']],
  [
    'not of whom it says one that is announced already',
    {
      bonds: list([10, 9.4, 10]),
      facts: {
        ...noFacts,
        conversionPrices: new Map(codes.map((code) => [code, [price(code, '2026-01-05', 10), price(code, '2026-11-24', 9.4)]])),
      },
    },
    [],
  ],
  ['whose value is not that of the known price', { table: table(day, codes, { conv_value: [91, 81, 75] }) }, ['110003.SH']],
  ['whose value moved by less than half a percent', { table: table(day, codes, { conv_value: [91.2, 81, 71] }) }, ['110001.SH']],
  [
    'of whom a price was announced for the day',
    {
      facts: {
        ...noFacts,
        conversionPrices: new Map(
          codes.map((code, i) => [code, [price(code, '2026-01-05', 10), ...(i === 1 ? [price(code, day, 10)] : [])]]),
        ),
      },
    },
    ['110002.SH'],
  ],
  ['out of whose stock something went', { stocks: table(day, stocks, { close: [9.1, 8.1, 7.1], pre_close: [8.9, 8, 7] }) }, ['110001.SH']],
  ['without a list and values, by the stocks alone', { bonds: null, table: table(day, codes, {}), stocks: null }, []],
  ['not who was not listed the day before', { facts: noFacts, past: { ...past, listed: Uint8Array.of(0, 1, 0) } }, ['110002.SH']],
])('%s', (_, change, asked) => {
  expect(dueForPrice({ ...quiet, ...change })).toEqual(asked)
})

describe('a price that no dated source has', () => {
  /** The first bond's share pays 0.2: 9 goes ex at 8.8, and its price from 10 to 9.8. */
  const ex = table(day, stocks, { close: [8.9, 8.1, 7.1], pre_close: [8.8, 8, 7] })
  const valued = (value: number) => ({ table: table(day, codes, { conv_value: [value, 81, 71] }) })
  const lowered = valued(Math.round((100 / 9.8) * 8.9 * 100) / 100)
  const yesterday = (value: number) => ({
    table: table('2026-11-19', codes, { conv_value: [value, 80, 70] }),
    stocks: table('2026-11-19', stocks, { close: [9, 8, 7], pre_close: [9, 8, 7] }),
  })
  const over = '2026-01-05'
  const first = (from: 'list' | 'value', to: number, of: string | null = over): KnownPrice[] => [
    { code: codes[0]!, announced: day, effective: day, price: to, derived: { from, over: of } },
  ]
  it.each<[string, Partial<PriceView>, ReturnType<typeof yesterday> | null, KnownPrice[]]>([
    ['is none where the value is that of the known price', {}, null, []],
    ['is the list’s where the value agrees', { ...lowered, bonds: list([9.8, 10, 10]), stocks: ex }, null, first('list', 9.8)],
    ['is not the list’s where the value does not agree', { bonds: list([9.4, 10, 10]) }, null, []],
    ['is the value’s where the share goes ex the same way', { ...lowered, stocks: ex }, null, first('value', 9.8)],
    ['is not the value’s where the share goes ex the other way', { ...valued((100 / 10.4) * 8.9), stocks: ex }, null, []],
    ['is not the value’s on one day alone', valued(113.75), yesterday(90), []],
    ['is the value’s where the day before said the same', valued(113.75), yesterday(112.5), first('value', 8)],
    [
      'is not a value’s that many cents would give',
      { ...valued(30.4), stocks: table(day, stocks, { close: [2.98, 8.1, 7.1], pre_close: [2.9, 8, 7] }) },
      null,
      [],
    ],
    [
      'of a new bond without a value is the list’s',
      { facts: noFacts, table: table(day, codes.slice(0, 1), {}), bonds: list([12.34]) },
      null,
      first('list', 12.34, null),
    ],
  ])('%s', (_, change, before, expected) => {
    expect(derivedPrices({ ...quiet, ...change }, before)).toEqual(expected)
  })

  it('holds until a dated source knows of a change since the one that it took the place of', () => {
    const dated = (effective: string, value: number) => price(codes[0]!, effective, value)
    const derived = first('value', 9.7)[0]!
    const inForce = (...known: KnownPrice[]) => priceInForce(known, day)?.price
    expect(inForce(dated(over, 10), derived)).toBe(9.7)
    expect(inForce(dated(over, 10), derived, dated('2026-11-19', 9.8))).toBe(9.8)
    expect(inForce(dated(over, 10), derived, dated(day, 9.75))).toBe(9.75)
    expect(inForce(dated(over, 10), derived, dated('2026-11-24', 9.75))).toBe(9.7)
    expect(priceInForce(undefined, day)).toBeNull()
  })
})
