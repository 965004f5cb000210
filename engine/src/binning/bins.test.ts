import { describe, expect, it } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { orderRow, rankScratch } from '../kernels/index.ts'
import { byQuantile } from './bins.ts'

describe('bins of equal counts', () => {
  it('have equal values in the order of codes, whatever the kernel does with them', () => {
    const luck = chance(31)
    for (const [count, kinds] of [
      [7, 3],
      [60, 4],
      [900, 5],
      [900, 300],
      [900, 1e9],
    ]) {
      const row = Float64Array.from({ length: count }, () => (luck.next() < 0.1 ? Number.NaN : luck.below(kinds) / 7))
      for (const bins of [2, 3, 10]) {
        const scratch = rankScratch(count)
        const m = orderRow(row, 0, count, null, scratch)
        const expected = new Int8Array(count).fill(-1)
        if (m >= bins) for (let k = 0; k < m; k++) expected[scratch.order[k]] = Math.ceil(((k + 1) * bins) / m) - 1
        const out = new Int8Array(count)
        byQuantile(bins, scratch)(row, out)
        expect(out).toEqual(expected)
      }
    }
  })
})
