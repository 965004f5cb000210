import type { HoldWeight } from '@convexa/contract/enums/hold-weight'

/**
 * Target weights of a selection for `places` places, in the order of the selection. Places without a security stay cash:
 * the weights sum to at most selected ÷ places.
 *
 * `values` are the sizes, factor values or volatilities of types 3–5: what is absent or not positive weighs 0.
 * `byPlace[i]` is the place of the i-th in the ranking order of the selection, from 0 (type 2: H, H − 1 … 1).
 * A weight above `cap` is cut and the excess spread over the uncapped in proportion; what nobody can take stays cash.
 * `weights`: where they are written, for who weighs often.
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
  if (type === 1) weights.fill(1 / places)
  else if (type === 2) {
    const sum = (places * (places + 1)) / 2
    for (let i = 0; i < count; i++) weights[i] = (places - byPlace[i]) / sum
  } else {
    let sum = 0
    for (let i = 0; i < count; i++) {
      const value = type === 5 ? 1 / values[i] : values[i]
      weights[i] = value > 0 && value < Number.POSITIVE_INFINITY ? value : 0
      sum += weights[i]
    }
    const share = Math.min(1, count / places)
    for (let i = 0; i < count; i++) weights[i] = sum > 0 ? (weights[i] / sum) * share : 0
  }
  return cappedAt(cap, weights)
}

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
