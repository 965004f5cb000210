import { inverseNormal } from '../../expression/functions/inverse-normal.ts'
import { normal } from '../../expression/functions/pricing.ts'

/** Euler–Mascheroni constant. */
const gamma = 0.5772156649015329

/**
 * Expected greatest of N independent standard normal numbers: (1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e)); 0 of a single one.
 * Bailey & López de Prado, The Deflated Sharpe Ratio (2014), eq. 1.
 */
function expectedMaximum(trials: number): number {
  if (!(trials > 1)) return 0
  return (1 - gamma) * inverseNormal(1 - 1 / trials) + gamma * inverseNormal(1 - 1 / (trials * Math.E))
}

/** Annual Sharpe ratio that the best of N trials is expected to show over so many years when none of them is any good. */
export function luckThreshold(trials: number, years: number): number {
  return years > 0 ? Math.sqrt(1 / years) * expectedMaximum(trials) : Number.NaN
}

/** What is known of a series of returns: Sharpe ratio of a period (not annual), number of periods, skewness, kurtosis (3 of a normal one). */
export interface SharpeFigures {
  readonly sharpe: number
  readonly periods: number
  readonly skew: number
  readonly kurtosis: number
}

/**
 * Probability that the true Sharpe ratio of a period is above `target`, given one that was estimated from returns that need not be normal.
 * Bailey & López de Prado, The Sharpe Ratio Efficient Frontier (2012), eq. 11.
 */
export function probabilisticSharpe({ sharpe, periods, skew, kurtosis }: SharpeFigures, target: number): number {
  const spread = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe
  return spread > 0 && periods > 1 ? normal(((sharpe - target) * Math.sqrt(periods - 1)) / Math.sqrt(spread)) : Number.NaN
}

/**
 * The probabilistic Sharpe ratio against what luck is expected to give the best of N trials (缩水夏普, Bailey & López de Prado 2014).
 * `deviation`: standard deviation of the trials' Sharpe ratios of a period; unknown, that of an estimate of 0: 1/√periods.
 */
export function deflatedSharpe(figures: SharpeFigures, trials: number, deviation: number = Math.sqrt(1 / figures.periods)): number {
  return probabilisticSharpe(figures, deviation * expectedMaximum(trials))
}
