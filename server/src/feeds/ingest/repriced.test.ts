import type { Security } from '@convexa/engine'
import { expect, it } from 'vitest'
import type { BondRow, DayTable } from '../rows.ts'
import { noFacts } from './facts.ts'
import { noPast, type Past } from './past.ts'
import { mayBeRepriced, type RepricedView } from './repriced.ts'

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
const quiet: RepricedView = {
  ...{ day, past },
  facts: { ...noFacts, conversionPrices: new Map(codes.map((code) => [code, [price(code, '2026-01-05', 10)]])) },
  bonds: list([10, 10, 10]),
  table: table(day, codes, { conv_value: [91, 81, 71] }),
  stocks: table(day, stocks, { close: [9.1, 8.1, 7.1], pre_close: [9, 8, 7] }),
}

it.each<[string, Partial<RepricedView>, string[]]>([
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
  ['out of whose stock something went', { stocks: table(day, stocks, { close: [9.1, 8.1, 7.1], pre_close: [8.9, 8, 7] }) }, ['110001.SH']],
  ['without a list and values, by the stocks alone', { bonds: null, table: table(day, codes, {}), stocks: null }, []],
  ['not who was not listed the day before', { facts: noFacts, past: { ...past, listed: Uint8Array.of(0, 1, 0) } }, ['110002.SH']],
])('%s', (_, change, asked) => {
  expect(mayBeRepriced({ ...quiet, ...change })).toEqual(asked)
})
