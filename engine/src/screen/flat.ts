/** Detects factors that hardly rank a pool, because more than half of its securities have the same value. */

/** Smaller pools get no warning. */
const leastPool = 3

/**
 * How many of `count` numbers are the same, where that is more than half of them; else 0. Absent ones are the same: whatever stands for them
 * does so for all. Of two neighbours that differ at most one is of a majority, so such pairs are left out: of the rest the majority vote (Boyer
 * and Moore) finds the only number that may be so many, and another walk counts it.
 */
export function mostlyOne(values: Float64Array, count = values.length): number {
  if (count < leastPool) return 0
  let [candidate, lead] = [Number.NaN, 0]
  for (let k = 1; k < count; k += 2) {
    const value = values[k]
    if (!isSame(values[k - 1], value)) continue
    if (lead === 0) candidate = value
    lead += isSame(value, candidate) ? 1 : -1
  }
  if (lead === 0) {
    if (count % 2 === 0) return 0
    candidate = values[count - 1]
  }
  let same = 0
  for (let k = 0; k < count; k++) if (isSame(values[k], candidate)) same++
  return 2 * same > count ? same : 0
}

const isSame = (a: number, b: number): boolean => a === b || (a !== a && b !== b)
