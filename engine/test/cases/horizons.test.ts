import { describe, expect, it } from 'vitest'
import { Horizons } from '../../src/binning/horizons.ts'
import { pairOf, pearson, spearman } from '../../src/kernels/correlation.ts'
import { type Chance, chance } from '../fixtures/chance.ts'

const prices: Readonly<Record<string, (luck: Chance) => number>> = {
  'prices to the cent': (luck) => Math.round(500 + 1000 * luck.next()) / 100,
  'few different prices': (luck) => 1 + luck.below(3),
  'prices that hardly move': (luck) => 100 + luck.below(1000) * 2 ** -40,
  'prices with gaps': (luck) => (luck.next() < 0.02 ? Number.NaN : 1 + luck.next()),
  'prices that may be 0': (luck) => luck.below(4),
}
const horizons = [1, 2, 3, 5, 8]

describe('correlations at many horizons', () => {
  it.each(Object.keys(prices))('are by kernels what they are by definition and by the twin: %s', (name) => {
    const luck = chance(7)
    for (const count of [1, 2, 3, 60, 900]) {
      const [days, stride] = [20, count + 5]
      const cells = Float64Array.from({ length: days * stride }, () => prices[name](luck))
      const [fast, twin] = [true, false].map((wasm) => new Horizons(cells, stride, count, 8, pairOf(count), wasm))
      for (let t = 0; t + 8 < days; t++) {
        const values = Float64Array.from({ length: count }, () => (luck.next() < 0.1 ? Number.NaN : Math.round(luck.next() * 50)))
        const seen = horizons.filter(() => luck.next() < 0.8)
        for (const each of [fast, twin]) each.open(t, values)
        const told = fast.at(seen)
        expect(told).toEqual(twin.at(seen))
        const expected = seen.map((ahead) => {
          const returns = values.map((value, i) => {
            const change = cells[(t + ahead) * stride + i] / cells[t * stride + i] - 1
            return value === value && change < Number.POSITIVE_INFINITY ? change : Number.NaN
          })
          return { pearson: pearson(values, returns), rank: spearman(values, returns, pairOf(count)) }
        })
        expect(told).toEqual(expected)
      }
    }
  })
})
