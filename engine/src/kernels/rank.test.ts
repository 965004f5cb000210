import { describe, expect, it } from 'vitest'
import { correlator, pairOf, pearson, spearman } from './correlation.ts'
import { orderRow, ranksOf as quickRanks, rankRow, rankScratch } from './index.ts'

const ranksOf = (values: number[], mask: number[] | null = null) => {
  const out = new Float64Array(values.length)
  const count = rankRow(Float64Array.from(values), 0, values.length, mask && Uint8Array.from(mask), out, rankScratch(values.length))
  return { count, ranks: [...out] }
}

/** The definition: how many are smaller, plus half of the equal ones. */
function slowRanks(values: readonly number[], mask: readonly number[] | null): number[] {
  return values.map((value, i) => {
    if (Number.isNaN(value) || mask?.[i] === 0) return Number.NaN
    let less = 0
    let equal = 0
    values.forEach((other, k) => {
      if (mask?.[k] === 0) return
      if (other < value) less++
      if (other === value) equal++
    })
    return less + (equal + 1) / 2
  })
}

/** A small seeded generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const kinds: Record<string, (next: () => number) => number> = {
  prices: (next) => Math.round(next() * 1e5) / 1000,
  'signed changes': (next) => (next() - 0.5) / 10,
  'few distinct values': (next) => Math.floor(next() * 4) - 2,
  'equal top words': (next) => 1 + Math.floor(next() * 1e6) * 2 ** -52,
  'negative, equal top words': (next) => -1 - Math.floor(next() * 1e6) * 2 ** -52,
  'zeros of both signs': (next) => (next() < 0.3 ? -0 : next() < 0.5 ? 0 : next() - 0.5),
  'tiny and huge': (next) => (next() < 0.5 ? 1e-310 : 1e300) * (next() - 0.5),
  'with infinities': (next) => (next() < 0.1 ? Number.POSITIVE_INFINITY : next() < 0.1 ? Number.NEGATIVE_INFINITY : next()),
}

describe('ranks of a row', () => {
  it('shares the average among ties and keeps NaN', () => {
    expect(ranksOf([10, 20, 20, Number.NaN, 5, 40])).toEqual({ count: 5, ranks: [2, 3.5, 3.5, Number.NaN, 1, 5] })
  })

  it('holds −0 equal to +0', () => {
    expect(ranksOf([0, -0, 1, -1]).ranks).toEqual([2.5, 2.5, 4, 1])
  })

  it('leaves out what the mask leaves out', () => {
    expect(ranksOf([3, 1, 2, 0], [1, 0, 1, 1])).toEqual({ count: 3, ranks: [3, Number.NaN, 2, 1] })
  })

  it('answers an empty row', () => {
    expect(ranksOf([Number.NaN])).toEqual({ count: 0, ranks: [Number.NaN] })
    expect(ranksOf([])).toEqual({ count: 0, ranks: [] })
  })

  for (const [name, value] of Object.entries(kinds)) {
    it(`agrees with the definition on ${name}`, () => {
      for (const [seed, size] of [5, 25, 300, 1_500, 3_100].entries()) {
        const next = random(seed + 1)
        const values = Array.from({ length: size }, () => (next() < 0.1 ? Number.NaN : value(next)))
        const mask = seed % 2 === 0 ? null : values.map(() => (next() < 0.8 ? 1 : 0))
        expect(ranksOf(values, mask).ranks).toEqual(slowRanks(values, mask))
        const out = new Float64Array(size)
        quickRanks(Float64Array.from(values), mask && Uint8Array.from(mask), out, rankScratch(size))
        expect([...out]).toEqual(slowRanks(values, mask))
      }
    })

    it(`one row with others is each pair of them on ${name}`, () => {
      for (const size of [2, 3, 40, 700]) {
        const next = random(size)
        const x = Float64Array.from({ length: size }, () => (next() < 0.1 ? Number.NaN : value(next)))
        const [pair, other] = [pairOf(size), pairOf(size)]
        const dense = x.filter((own) => own === own)
        const { pearson: ic, spearman: rankIc } = correlator(dense, pair)
        for (const gaps of [0, 0, 0.3]) {
          const y = x.map((own) => (own !== own || next() < gaps ? Number.NaN : value(next)))
          const beside = y.filter((_, i) => x[i] === x[i])
          const both = Uint8Array.from(x, (own, i) => Number(own === own && y[i] === y[i]))
          rankRow(x, 0, size, both, other.x, other.scratch)
          rankRow(y, 0, size, both, other.y, other.scratch)
          expect(rankIc(beside)).toBe(pearson(other.x, other.y))
          expect(ic(beside)).toBe(pearson(x, y))
          expect(spearman(x, y, pair)).toBe(pearson(other.x, other.y))
        }
      }
    })
  }

  it('reads and writes at offsets', () => {
    const out = new Float64Array(6)
    rankRow(Float64Array.of(9, 9, 3, 1, 2), 2, 3, Uint8Array.of(0, 0, 0, 0, 1, 1, 1), out, rankScratch(8), 1, 4)
    expect([...out]).toEqual([0, 3, 1, 2, 0, 0])
  })
})

describe('order of a row', () => {
  it('is ascending, equal values by index', () => {
    const scratch = rankScratch(6)
    const count = orderRow(Float64Array.of(2, Number.NaN, 1, 2, 0, -0), 0, 6, null, scratch)
    expect([...scratch.order.subarray(0, count)]).toEqual([4, 5, 2, 0, 3])
  })
})
