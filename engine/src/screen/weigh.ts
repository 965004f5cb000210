import { type HoldWeight, holdWeights, isByFactor } from '@convexa/contract/enums/hold-weight'
import { namedList } from '../base/named-list.ts'

/**
 * Target weights of a selection for `places` places, in the order of the selection. Places without a security stay cash:
 * the weights sum to at most selected ÷ places.
 *
 * `values` are the sizes, factor values or volatilities of types 3–5. A security without a positive value weighs 0 by a factor (4); by size or
 * volatility it gets the mean weight of the others, and weights are equal where none has a value (domain.md 5.3).
 * `byPlace[i]` is the place of the i-th in the ranking order of the selection, from 0 (type 2: H, H − 1 … 1).
 * A weight above `cap` is cut and the excess spread over the uncapped in proportion; what exceeds all caps stays cash.
 * `weights`: room for the result, for callers that weigh often.
 */
export function weigh(
  type: HoldWeight,
  count: number,
  places: number,
  cap: number,
  byPlace: readonly number[],
  values: Float64Array,
  weights: Float64Array = new Float64Array(count),
): Float64Array {
  if (count === 0) return weights
  const { by } = holdWeights[type]
  if (by === null) weights.fill(1 / places)
  else if (by === 'rank') {
    const sum = (places * (places + 1)) / 2
    for (let i = 0; i < count; i++) weights[i] = (places - byPlace[i]) / sum
  } else {
    let sum = 0
    let known = 0
    for (let i = 0; i < count; i++) {
      weights[i] = hasWeight(values[i]) ? (by === 'volatility' ? 1 / values[i] : values[i]) : 0
      sum += weights[i]
      known += Number(weights[i] > 0)
    }
    if (by !== 'factor' && known < count) {
      const mean = known > 0 ? sum / known : 1
      for (let i = 0; i < count; i++) if (weights[i] === 0) weights[i] = mean
      sum = mean * count
    }
    const share = Math.min(1, count / places)
    for (let i = 0; i < count; i++) weights[i] = sum > 0 ? (weights[i] / sum) * share : 0
  }
  return cappedAt(cap, weights)
}

/** Whether a size, volatility or factor value says how much a security weighs. */
const hasWeight = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY && 1 / value < Number.POSITIVE_INFINITY

/** Places of a selection that have no number to be weighed by; none where weights are made of no number. */
export function unweighed(type: HoldWeight, values: ArrayLike<number>, count: number): number[] {
  const { by } = holdWeights[type]
  if (by === null || by === 'rank') return []
  return Array.from({ length: count }, (_, i) => i).filter((i) => !hasWeight(values[i]))
}

/** Warning of a screen or run on securities weighed without a value; null for none. `label`: factor of the weights. */
export function unweighedText(type: HoldWeight, label: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const some = namedList(names, mostNamed, '只')
  return isByFactor(type) ? `${some}没有可用的「${label}」，权重为 0` : `${some}没有可用的「${label}」，按其余标的的平均权重配置`
}
const mostNamed = 5

/** Cuts weights at the cap and spreads the excess over the uncapped in proportion, until none is above it. In place. */
export function cappedAt(cap: number, weights: Float64Array): Float64Array {
  if (!exceeds(cap, weights)) return weights
  const capped = new Uint8Array(weights.length)
  for (;;) {
    let excess = 0
    let room = 0
    for (let i = 0; i < weights.length; i++) {
      if (capped[i] === 0 && weights[i] > cap) {
        excess += weights[i] - cap
        weights[i] = cap
        capped[i] = 1
      } else if (capped[i] === 0) room += weights[i]
    }
    if (excess <= 1e-15 || room === 0) return weights
    const scale = 1 + excess / room
    for (let i = 0; i < weights.length; i++) if (capped[i] === 0) weights[i] *= scale
  }
}

function exceeds(cap: number, weights: Float64Array): boolean {
  for (let i = 0; i < weights.length; i++) if (weights[i] > cap) return true
  return false
}
