import { describe, expect, it } from 'vitest'
import { deflatedSharpe, luckThreshold, probabilisticSharpe } from './luck.ts'

describe('what luck is expected to give', () => {
  // product.md 3.8
  it.each([
    [5, [0.69, 0.53, 0.42]],
    [20, [1.1, 0.85, 0.67]],
    [60, [1.35, 1.05, 0.83]],
    [200, [1.6, 1.24, 0.98]],
    [1_000, [1.88, 1.46, 1.15]],
    [60_000, [2.47, 1.91, 1.51]],
  ])('the best of %i trials over 3, 5 and 8 years', (trials, [three, five, eight]) => {
    expect(luckThreshold(trials, 3)).toBeCloseTo(three as number, 2)
    expect(luckThreshold(trials, 5)).toBeCloseTo(five as number, 2)
    expect(luckThreshold(trials, 8)).toBeCloseTo(eight as number, 2)
  })

  it('a single trial has no best of many', () => {
    expect(luckThreshold(1, 5)).toBe(0)
    expect(luckThreshold(20, 0)).toBeNaN()
  })
})

describe('deflated Sharpe ratio', () => {
  // The example of Bailey & López de Prado (2014): 100 trials of 1,250 days, annual Sharpe 2.5 with a variance of 1/2 among the trials.
  const example = { sharpe: 2.5 / Math.sqrt(250), periods: 1_250, skew: -3, kurtosis: 10 }
  const deviation = Math.sqrt(1 / 2 / 250)

  it('of the published example', () => {
    expect(deviation * (luckThreshold(100, 1) as number)).toBeCloseTo(0.1132, 4)
    expect(deflatedSharpe(example, 100, deviation)).toBeCloseTo(0.9004, 4)
  })

  it('falls with every trial, and is the plain probability for one', () => {
    const values = [1, 10, 100, 1_000].map((trials) => deflatedSharpe(example, trials))
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(values[0]).toBe(probabilisticSharpe(example, 0))
  })

  it('is absent where nothing can be estimated', () => {
    expect(probabilisticSharpe({ sharpe: 1, periods: 1, skew: 0, kurtosis: 3 }, 0)).toBeNaN()
    expect(probabilisticSharpe({ sharpe: Number.NaN, periods: 100, skew: 0, kurtosis: 3 }, 0)).toBeNaN()
  })
})
