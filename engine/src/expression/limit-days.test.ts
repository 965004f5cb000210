import { describe, expect, it } from 'vitest'
import { security } from '../../test/fixtures/security.ts'
import { withDerived } from '../market/derived-columns.ts'
import { markets } from '../market/index.ts'
import type { Panel } from '../panel/panel.ts'
import { compile, evaluate, namesOf } from './index.ts'

const dates = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07', '2024-03-08', '2024-03-11']

/** One stock of the main board (10 % a day, 5 % while ST), suspended on the fourth day. */
const columns = {
  close: [10, 11, 12.1, 12.1, 12.71, 12.07],
  pre_close: [9.5, 10, 11, 12.1, 12.1, 12.71],
  is_st: [0, 0, 0, 0, 1, 1],
}
const panel: Panel = {
  kind: 'stk',
  dates,
  securities: [security({ code: '600001.SH', board: 'SSE_MAIN', listed: '2010-01-04' })],
  stride: 1,
  columns: new Map(Object.entries(columns).map(([key, values]) => [key, Float64Array.from(values)])),
  listed: new Uint8Array(dates.length).fill(1),
  traded: Uint8Array.of(1, 1, 1, 0, 1, 1),
  benchmarks: new Map(),
  dataMode: 'demo',
  dataVersion: 'test',
}

function values(text: string, of = panel): number[] {
  const made = compile(text, namesOf(markets.stk, new Set(of.columns.keys())))
  if (!made.ok) throw new Error(made.problem.message)
  return [...evaluate(made.expression, withDerived(of, made.expression.needs.fields))]
}

describe('days at the price limit', () => {
  it.each([
    ["flag('limit_up')", [0, 1, 1, 0, 1, 0]],
    ["flag('limit_down')", [0, 0, 0, 0, 0, 1]],
    ['limit_streak()', [0, 1, 2, 0, 1, 0]],
    ["flag('st')", [0, 0, 0, 0, 1, 1]],
    // What the text calls close is not the price that the exchange limits.
    ["close := close * 2; flag('limit_up') + 0 * close", [0, 1, 1, 0, 1, 0]],
  ])('%s', (text, expected) => {
    expect(values(text)).toEqual(expected)
  })
})

it('a day that was traded beyond its limit had none; a limit without a previous close is not known', () => {
  const of = (change: Partial<typeof columns>) => ({
    ...panel,
    columns: new Map(Object.entries({ ...columns, ...change }).map(([key, cells]) => [key, Float64Array.from(cells)])),
  })
  expect(values("flag('limit_up')", of({ close: [10, 13, 12.1, 12.1, 12.71, 12.07] }))).toEqual([0, 0, 1, 0, 1, 0])
  expect(values('limit', of({ pre_close: [9.5, Number.NaN, 11, 12.1, 12.1, 12.71] }))).toEqual([0, Number.NaN, 1, 0, 1, -1])
})

it('adjusted prices stand at their limits on the same days', () => {
  const times = (cells: readonly number[]) => Float64Array.from(cells, (cell) => cell * 37.5)
  // 9.94 → 10.93 is the limit to the cent, 9.96 % only.
  const prices = { close: [9.94, 10.93, 12.02, 12.02, 12.62, 11.99], pre_close: [9.9, 9.94, 10.93, 12.02, 12.02, 12.62] }
  const raw = {
    ...panel,
    columns: new Map([...panel.columns, ...Object.entries(prices).map(([key, cells]) => [key, Float64Array.from(cells)] as const)]),
  }
  const hfq = {
    ...panel,
    adjust: 'hfq' as const,
    columns: new Map([...panel.columns, ...Object.entries(prices).map(([key, cells]) => [key, times(cells)] as const)]),
  }
  for (const text of ['limit', 'limit_streak()']) expect(values(text, hfq)).toEqual(values(text, raw))
  expect(values('limit', hfq)).toEqual([0, 1, 1, 0, 1, -1])
})

describe('days for which a stock is new', () => {
  // The fifth day is the 29th or the 30th natural one, the listing day counted.
  it.each([
    ['2024-02-09', [1, 1, 1, 1, 1, 0]],
    ['2024-02-08', [1, 1, 1, 1, 0, 0]],
    ['2010-01-04', [0, 0, 0, 0, 0, 0]],
  ])('listed on %s', (listed, expected) => {
    const securities = panel.securities.map((one) => ({ ...one, listed }))
    expect(values("flag('new')", { ...panel, securities, columns: new Map(panel.columns) })).toEqual(expected)
  })

  it('where the listing day is not known, nobody can say', () => {
    const securities = panel.securities.map((one) => ({ ...one, listed: null }))
    expect(values("flag('new')", { ...panel, securities, columns: new Map(panel.columns) })).toEqual(dates.map(() => Number.NaN))
  })
})
