/** Quantiles without a whole order: only what stands at the place is brought there (Hoare 1961, FIND). */

/** The q-quantile of the first `count` values, linear between two neighbours; the values are left in another order. None is NaN. */
export function quantileOf(values: Float64Array, count: number, q: number): number {
  const place = (count - 1) * q
  const below = Math.floor(place)
  bring(values, count, below)
  const low = values[below]
  if (below + 1 >= count) return low
  let next = values[below + 1]
  for (let k = below + 2; k < count; k++) if (values[k] < next) next = values[k]
  return low + (next - low) * (place - below)
}

/** Brings the value that stands at `place` in their order there, no larger ones before it and no smaller ones behind. */
function bring(values: Float64Array, count: number, place: number): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    const pivot = middleOf(values[low], values[(low + high) >> 1], values[high])
    let i = low
    let j = high
    while (i <= j) {
      while (values[i] < pivot) i++
      while (values[j] > pivot) j--
      if (i > j) break
      const value = values[i]
      values[i++] = values[j]
      values[j--] = value
    }
    if (place <= j) high = j
    else if (place >= i) low = i
    else return
  }
}

const middleOf = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
