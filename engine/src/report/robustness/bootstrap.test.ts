import { describe, expect, it } from 'vitest'
import { chance } from '../../../test/fixtures/chance.ts'
import { type Bands, bandsOf } from './bootstrap.ts'

describe('bands of resampled histories', () => {
  const { next } = chance(3)
  const returns = Float64Array.from({ length: 500 }, () => (next() - 0.48) / 25)

  it('hold what happened, in order, and repeat to the bit', () => {
    const bands = bandsOf(returns) as Bands
    const total = returns.reduce((value, r) => value * (1 + r), 1)
    const [low, middle, high] = bands.annual_return
    expect(low).toBeLessThan(middle)
    expect(middle).toBeLessThan(high)
    expect(total ** (242 / 500) - 1).toBeGreaterThan(low)
    expect(total ** (242 / 500) - 1).toBeLessThan(high)
    expect(bands.max_drawdown[2]).toBeLessThanOrEqual(0)
    expect(JSON.stringify(bandsOf(returns))).toBe(JSON.stringify(bands))
    expect(bands).toMatchObject({ block_days: 20, n: 1_000 })
  })

  it('of the same return every day is that return', () => {
    const {
      annual_return: [low, , high],
    } = bandsOf(new Float64Array(100).fill(0.001)) as Bands
    expect(low).toBeCloseTo(1.001 ** 242 - 1, 10)
    expect(high).toBeCloseTo(low, 10)
    expect(bandsOf(new Float64Array(100))?.sharpe).toEqual([0, 0, 0])
  })

  it('are not made of a few days', () => expect(bandsOf(new Float64Array(59))).toBeNull())
})
