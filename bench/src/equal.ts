/** Two results, cell by cell: equal to 1e-9, or both absent. */
export interface Equality {
  readonly cells: number
  readonly present: number
  /** Both present and further apart than 1e-9 (of the value, or absolutely below 1). */
  readonly apart: number
  /** Present in one only. */
  readonly masked: number
  readonly worst: number
}

export function compareCells(ours: Float64Array, theirs: Float64Array): Equality {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} cells against ${theirs.length}`)
  let present = 0
  let apart = 0
  let masked = 0
  let worst = 0
  for (let i = 0; i < ours.length; i++) {
    const a = ours[i]!
    const b = theirs[i]!
    const isAbsent = Number.isNaN(b)
    if (Number.isNaN(a) !== isAbsent) masked++
    else if (!isAbsent) {
      const distance = Math.abs(a - b) / Math.max(1, Math.abs(b))
      if (distance > 1e-9) apart++
      if (distance > worst) worst = distance
    }
    if (!isAbsent) present++
  }
  return { cells: ours.length, present, apart, masked, worst }
}

export const isEqual = ({ apart, masked }: Equality): boolean => apart + masked === 0

/** A cell for the table. */
export function equalityText(equality: Equality): string {
  const { cells, apart, masked } = equality
  if (isEqual(equality)) return 'all cells'
  const share = (1 - (apart + masked) / cells) * 100
  return `${share > 99.99 ? share.toFixed(4) : share.toFixed(2)} % (${apart} apart, ${masked} in one only)`
}
