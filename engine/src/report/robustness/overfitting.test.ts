import { describe, expect, it } from 'vitest'
import { chance } from '../../../test/fixtures/chance.ts'
import { overfittingOf as overfittingOfSums } from './overfitting.ts'
import { blockSums, splitScorer, splitSums } from './split-sums.ts'

const days = 323

/** Sum of twelve uniform numbers less six: nearly normal. */
function noise(seed: number): Float64Array {
  const { next } = chance(seed)
  return Float64Array.from({ length: days }, () => Array.from({ length: 12 }, next).reduce((sum, x) => sum + x, -6) / 100)
}

const overfittingOf = (returns: readonly Float64Array[]) =>
  overfittingOfSums(
    returns.map((series) => blockSums(series)),
    returns[0]?.length ?? 0,
  )

/** The definition, word for word: every choice of eight of sixteen blocks. */
function slow(returns: readonly Float64Array[]): { probability: number; lossProbability: number } {
  const edges = Array.from({ length: 17 }, (_, b) => Math.floor((b * days) / 16))
  const sharpe = (values: number[]) => {
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length
    return { mean, sharpe: variance < 1e-18 ? 0 : mean / Math.sqrt(variance) }
  }
  let [splits, worse, lost] = [0, 0, 0]
  for (let mask = 0; mask < 65_536; mask++) {
    const inside = Array.from({ length: 16 }, (_, b) => (mask >> b) & 1)
    if (inside.reduce((sum, x) => sum + x, 0) !== 8) continue
    const of = (wanted: number) =>
      returns.map((series) => sharpe(inside.flatMap((is, b) => (is === wanted ? [...series.subarray(edges[b], edges[b + 1])] : []))))
    const [here, there] = [of(1), of(0)]
    const best = here.reduce((at, one, k) => (one.sharpe > (here[at]?.sharpe as number) ? k : at), 0)
    const value = there[best]?.sharpe as number
    const rank = there.filter((one) => one.sharpe < value).length + (there.filter((one) => one.sharpe === value).length + 1) / 2
    splits++
    if (Math.log(rank / (returns.length + 1) / (1 - rank / (returns.length + 1))) <= 0) worse++
    if ((there[best]?.mean as number) < 0) lost++
  }
  return { probability: worse / splits, lossProbability: lost / splits }
}

describe('probability of overfitting', () => {
  it('is what every split says, one after the other', () => {
    const returns = [1, 2, 3].map(noise)
    const { probability, lossProbability, splits } = overfittingOf(returns) as NonNullable<ReturnType<typeof overfittingOf>>
    expect(splits).toBe(12_870)
    expect({ probability, lossProbability }).toEqual(slow(returns))
  })

  it('of noise about a half, of one that is truly better nothing', () => {
    const many = Array.from({ length: 30 }, (_, k) => noise(100 + k))
    expect(overfittingOf(many)?.probability).toBeGreaterThan(0.25)
    const better = many.map((series, k) => (k === 7 ? series.map((r) => r + 0.02) : series))
    expect(overfittingOf(better)).toMatchObject({ probability: 0, lossProbability: 0 })
  })

  it('money that lies idle has a Sharpe ratio of 0, not none', () => {
    const idle = new Float64Array(days)
    const losing = noise(5).map((r) => r - 0.05)
    expect(overfittingOf([losing, idle])).toMatchObject({ probability: 0, lossProbability: 0 })
  })

  it('says nothing of one configuration, or of a few days', () => {
    expect(overfittingOf([noise(1)])).toBeNull()
    expect(overfittingOf([1, 2].map((seed) => noise(seed).subarray(0, 79)))).toBeNull()
  })

  it.each([2, 3, 8, 9])('%i configurations are scored alike by the kernel and without it', (many) => {
    // Some are twins of others, some never move.
    const returns = Array.from({ length: many }, (_, k) => (k % 5 === 3 ? new Float64Array(days) : noise(k % 4)))
    const sums = splitSums(
      returns.map((series) => blockSums(series)),
      days,
    )
    const [kernel, twin] = [splitScorer(sums, 0), splitScorer(sums, sums.maxThreads)]
    const told = (score: typeof kernel) =>
      Array.from({ length: 255 }, (_, left) => [...score(left, 255 - left)].join()).concat([...score(0b1111, 0b11110000)].join())
    expect(sums.memory).not.toBeNull()
    expect(told(kernel)).toEqual(told(twin))
  })
})
