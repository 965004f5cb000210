/** Functions that read the bar by themselves: adjusted prices, answers in yuan of the day (domain.md 4.3). */
import { describe, expect, it } from 'vitest'
import { compile, compileRef, evaluate, namesOf } from '../../src/expression/index.ts'
import { crossSection, markets } from '../../src/index.ts'
import { withDerived } from '../../src/market/derived-columns.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { security } from '../fixtures/security.ts'

function valuesOf(panel: Panel, ref: string): Float64Array {
  const names = namesOf(markets[panel.kind], new Set(panel.columns.keys()))
  const made = ref.startsWith('formula: ') ? compile(ref.slice(9), names) : compileRef(ref, names)
  if (!made.ok) throw new Error(made.problem.message)
  return evaluate(made.expression, withDerived(panel, made.expression.needs.fields))
}

const pairs = [
  ['kdj_k', 'kdj_k()'],
  ['kdj_d', 'kdj_d()'],
  ['kdj_j', 'kdj_j()'],
  ['cci_14', 'cci(14)'],
  ['wr_10', 'wr(10)'],
  ['mfi_14', 'mfi(14)'],
  ['psy_12', 'psy(12)'],
  ['atr_6', 'atr(6)'],
] as const

describe.each([
  { name: 'raw prices with a factor', hasFactor: true },
  { name: 'prices without a factor', hasFactor: false },
])('on $name', ({ hasFactor }) => {
  const whole = randomMarket('stk', { seed: 3, days: 220, securities: 24 })
  const columns = new Map([...whole.columns].filter(([key]) => hasFactor || key !== 'adj_factor'))
  const panel = { ...whole, columns }

  it.each(pairs)('%s is %s, to the bit', (factor, formula) => {
    const [own, written] = [valuesOf(panel, factor), valuesOf(panel, `formula: ${formula}`)]
    let known = 0
    for (let at = 0; at < own.length; at++) {
      if (Number.isNaN(written[at])) continue
      known++
      if (written[at] !== own[at]) expect([at, written[at]]).toEqual([at, own[at]])
    }
    expect(known).toBeGreaterThan(500)
  })
})

describe('a share that is split in two, beside its twin that is not', () => {
  const days = 40
  const split = 30
  const dates = Array.from({ length: days }, (_, t) => new Date(Date.UTC(2024, 0, 1 + t)).toISOString().slice(0, 10))
  const price = (t: number) => 20 + (2 * Math.round(10 * Math.sin(t * 1.7))) / 10
  const column = (of: (t: number) => number, isHalved = true) =>
    Float64Array.from({ length: 2 * days }, (_, at) => {
      const t = at >> 1
      return of(t) / (isHalved && at % 2 === 0 && t >= split ? 2 : 1)
    })
  const panel: Panel = {
    kind: 'stk',
    dates,
    stride: 2,
    securities: ['600002.SH', '600012.SH'].map((code) => security({ code })),
    columns: new Map([
      ['close', column(price)],
      ['open', column((t) => price(t) - 0.2)],
      ['high', column((t) => price(t) + 0.4)],
      ['low', column((t) => price(t) - 0.4)],
      ['pre_close', Float64Array.from({ length: 2 * days }, (_, at) => price((at >> 1) - 1) / (at % 2 === 0 && at >> 1 >= split ? 2 : 1))],
      ['vol', Float64Array.from({ length: 2 * days }, (_, at) => (1_000 + 10 * (at >> 1)) * (at % 2 === 0 && at >> 1 >= split ? 2 : 1))],
      ['amount', column((t) => ((1_000 + 10 * t) * price(t)) / 10_000, false)],
      ['adj_factor', Float64Array.from({ length: 2 * days }, (_, at) => (at % 2 === 0 && at >> 1 >= split ? 2 : 1))],
    ]),
    listed: new Uint8Array(2 * days).fill(1),
    traded: new Uint8Array(2 * days).fill(1),
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'split',
  }
  const on = (refs: readonly string[], day: number) => {
    const told = crossSection(panel, markets.stk, refs, day)
    if (!told.ok) throw new Error(told.problem.message)
    return told.values.map((values) => Array.from(values, (value) => value ?? Number.NaN))
  }

  it.each([split, split + 2, split + 5])('day %i: what has no unit is the same', (day) => {
    const refs = ['kdj_k()', 'kdj_d(9, 3, 3)', 'kdj_j()', 'cci(10)', 'wr(10)', 'psy(12)', 'vwap_n(5) / close', 'atr(6) / close']
    for (const [k, [halved, twin]] of on(
      refs.map((ref) => `formula: ${ref}`),
      day,
    ).entries())
      expect([refs[k], halved]).toEqual([refs[k], expect.closeTo(twin as number, 12)])
  })

  it.each(['formula: atr(6)', 'formula: tr()', 'formula: vwap_n(5)', 'atr_6'])('%s is yuan of the day: half of it', (ref) => {
    const [[halved, twin]] = on([ref], split + 2) as [[number, number]]
    expect(halved).toBeCloseTo(twin / 2, 12)
  })

  it('volumes stay as traded', () => {
    const [flow, total] = on(['formula: mfi(14)', 'formula: delta(obv(), 5)'], split + 2) as [number[], number[]]
    expect(flow[0]).not.toBeCloseTo(flow[1] as number, 1)
    expect(Number.isFinite(total[0])).toBe(true)
  })
})

it('a rounded factor makes neither a rise nor a fall of a price that went ex and stood still', () => {
  const factor = [1, 1, 1.111111, 1.111111]
  const close = [10, 10, 9, 9]
  const of = (values: readonly number[]) => Float64Array.from(values)
  const panel: Panel = {
    kind: 'stk',
    dates: ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'],
    stride: 1,
    securities: [security({ code: '600001.SH' })],
    columns: new Map([
      ...['close', 'high', 'low', 'open'].map((key) => [key, of(close)] as const),
      ['vol', of([100, 100, 100, 100])],
      ['adj_factor', of(factor)],
    ]),
    listed: new Uint8Array(4).fill(1),
    traded: new Uint8Array(4).fill(1),
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'ties',
  }
  const last = (ref: string) => valuesOf(panel, ref)[3]
  expect([last('formula: psy(3)'), last('psy_3'), last('up_days_3'), last('formula: delta(obv(), 2)'), last('vr_3')]).toEqual([
    0, 0, 0, 0, 100,
  ])
  expect(last('formula: mfi(3)')).toBeNaN()
})

it('equal prices of an adjusted file differ in the last digits: that is no rise', () => {
  const of = (...values: number[]) => Float64Array.of(...values)
  const panel: Panel = {
    kind: 'stk',
    dates: ['2024-01-02', '2024-01-03', '2024-01-04'],
    stride: 1,
    securities: [security({ code: '600001.SH' })],
    columns: new Map([
      ['close', of(0.3, 0.1 + 0.2, 0.3)],
      ['vol', of(100, 100, 100)],
    ]),
    listed: new Uint8Array(3).fill(1),
    traded: new Uint8Array(3).fill(1),
    benchmarks: new Map(),
    dataMode: 'demo',
    dataVersion: 'adjusted',
  }
  expect([valuesOf(panel, 'formula: delta(obv(), 1)')[2], valuesOf(panel, 'formula: psy(2)')[2]]).toEqual([0, 0])
})
