import { expect, it } from 'vitest'
import { seeded } from '../../test/random-market.ts'
import { rankRow, rankScratch } from '../kernels/index.ts'
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
        const cost = new Float64Array(count).fill(1)
        addRanks({ ordered, pool, version, members, ranked, large, weight: 0.3, absent: members.length, cost })
        walkPool(ordered, pool, version)
        for (const i of members) {
          const rank = Number.isNaN(column[i]) ? members.length : sorted[i]
          expect(cost[i]).toBe(1 + 0.3 * rank)
          if (!Number.isNaN(column[i])) expect(large ? ranked + 1 - rankIn(ordered, i) : rankIn(ordered, i)).toBe(rank)
        }
      }
    }
  }
})
