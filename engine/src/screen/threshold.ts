/** Whether a mean is below a threshold by more than the rounding of its sum: equal is not below, in whatever order it was added up. */
export function isBelow(mean: number, threshold: number): boolean {
  return mean < threshold - 1e-12 * Math.abs(threshold)
}
