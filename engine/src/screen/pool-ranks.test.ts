import { afterEach, expect, it, vi } from 'vitest'
import { seeded } from '../../test/fixtures/random-market.ts'
import { rankRow, rankScratch } from '../kernels/index.ts'
import { Orders } from './orders.ts'
import { addRanks, lackingIn, orderedOf, rankIn, walkPool } from './pool-ranks.ts'

const next = seeded(7)
const values: Readonly<Record<string, () => number>> = {
  'all different': () => next() - 0.5,
  'many equal': () => Math.floor(5 * next()) - 2,
  'gaps, all different': () => (next() < 0.3 ? Number.NaN : next()),
  'gaps, many equal': () => (next() < 0.3 ? Number.NaN : Math.floor(5 * next())),
  'zeros of both signs': () => (next() < 0.5 ? 0 : -0),
  'nothing at all': () => Number.NaN,
}

it.each(Object.keys(values))('ranks read off the order are those of a sort of the pool: %s', (kind) => {
  const scratch = rankScratch(200)
  for (const count of [0, 1, 2, 60, 200]) {
    const column = Float64Array.from({ length: count }, values[kind] as () => number)
    const ordered = orderedOf(column, count, scratch)
    for (let version = 0; version < 4; version++) {
      const pool = Uint8Array.from(column, () => Number(next() < (version + 1) / 4))
      const members = Int32Array.from([...pool.keys()].filter((i) => pool[i] === 1))
      for (const large of [false, true]) {
        const sorted = new Float64Array(count)
        const signed = column.map((value) => (large ? -value : value))
        const ranked = rankRow(signed, 0, count, pool, sorted, scratch)
        expect(members.length - lackingIn(ordered, pool)).toBe(ranked)
        const scores = new Float64Array(count).fill(1)
        addRanks({ ordered, pool, version, members, ranked, large, weight: 0.3, absent: members.length, scores })
        walkPool(ordered, pool, version)
        for (const i of members) {
          const rank = Number.isNaN(column[i]) ? members.length : sorted[i]
          expect(scores[i]).toBe(1 + 0.3 * rank)
          if (!Number.isNaN(column[i])) expect(large ? ranked + 1 - rankIn(ordered, i) : rankIn(ordered, i)).toBe(rank)
        }
      }
    }
  }
})

it.each(Object.keys(values))('kernels that walk along the order add the same: %s', (kind) => {
  const scratch = rankScratch(200)
  for (const count of [1, 2, 60, 200]) {
    const orders = new Orders(count)
    for (let turn = 0; turn < 60; turn++) {
      // More columns than there are rooms: old ones are forgotten, and come back.
      orders.begin()
      const column = Float64Array.from({ length: count }, values[kind] as () => number)
      orders.pool.forEach((_, i, pool) => {
        pool[i] = Number(next() < 0.6)
      })
      orders.scores.fill(1)
      const { pool } = orders
      const members = Int32Array.from([...pool.keys()].filter((i) => pool[i] === 1))
      const plain = orderedOf(column, count, scratch)
      const ranked = members.length - lackingIn(plain, pool)
      const scores = new Float64Array(count).fill(1)
      const ranking = { pool, version: turn, members, ranked, large: turn % 2 === 0, weight: 0.3, absent: members.length }
      addRanks({ ...ranking, ordered: plain, scores })
      addRanks({ ...ranking, ordered: orders.of(column), scores: orders.scores })
      for (const i of members) expect(orders.scores[i]).toBe(scores[i])
    }
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

it('orders are the same where there is no WebAssembly', () => {
  const column = Float64Array.from({ length: 300 }, values['gaps, all different'] as () => number)
  const rows = [true, false].map((hasKernels) => {
    if (!hasKernels) vi.stubGlobal('WebAssembly', undefined)
    const orders = new Orders(column.length)
    const { pool, scores } = orders
    pool.fill(1)
    const ordered = orders.of(column)
    expect(ordered.walk === null).toBe(!hasKernels)
    const ranked = column.length - lackingIn(ordered, pool)
    const members = Int32Array.from(column.keys())
    addRanks({ ordered, pool, version: 1, members, ranked, large: true, weight: 0.7, absent: members.length, scores })
    return [...scores]
  })
  expect(rows[0]).toEqual(rows[1])
})
