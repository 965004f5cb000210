/** Least squares across the securities of a day. */
import type { Operation, Row } from '../graph.ts'
import { noSpread } from './statistics.ts'

let cells = 0
let who = new Int32Array(0)
let columns: Float64Array[] = []

/** Columns of the rows that are complete; used again for every day. */
function roomFor(count: number, many: number): Float64Array[] {
  if (cells < count || columns.length < many) {
    cells = Math.max(cells, count)
    who = new Int32Array(cells)
    columns = Array.from({ length: Math.max(columns.length, many) }, () => new Float64Array(cells))
  }
  return columns
}

/** What of a regressor is left of its own length counts as nothing below this part: it is a sum of the others. */
const dependent = 1e-10

/**
 * Residuals of y on the others with an intercept. Inputs: y, then the regressors. Columns are made orthogonal one by one
 * (Gram–Schmidt, twice, which is as stable as reflections); a regressor that depends on those before it adds nothing.
 */
export const residuals = (regressors: number): Operation => ({
  name: `cs_resid ${regressors}`,
  crossSection: true,
  weight: 2 * (regressors + 1),
  run: ({ out, at, count, inputs, from, listed, listedFrom }) => {
    out.fill(Number.NaN, at, at + count)
    const room = roomFor(count, regressors + 1)
    let rows = 0
    for (let i = 0; i < count; i++) {
      if (listed[listedFrom + i] === 0) continue
      let isWhole = true
      for (let k = 0; k <= regressors; k++) {
        const v = inputs[k][from[k] + i]
        room[k][rows] = v
        if (v !== v) isWhole = false
      }
      if (isWhole) who[rows++] = i
    }
    // As many rows as numbers to fit: nothing is left to say.
    if (rows < regressors + 2) return
    for (let k = 0; k <= regressors; k++) demean(room[k], rows)
    for (let k = 1; k <= regressors; k++) {
      const before = length(room[k], rows)
      for (let pass = 0; pass < 2; pass++) for (let j = 1; j < k; j++) subtractPart(room[k], room[j], rows)
      const left = length(room[k], rows)
      normalize(room[k], left > dependent * before ? left : 0, rows)
    }
    for (let pass = 0; pass < 2; pass++) for (let k = 1; k <= regressors; k++) subtractPart(room[0], room[k], rows)
    for (let r = 0; r < rows; r++) {
      const v = room[0][r]
      out[at + who[r]] = v + (v - v)
    }
  },
})

/** The cells of a row that a fit across securities reads. */
type Section = Pick<Row, 'out' | 'at' | 'count' | 'inputs' | 'from' | 'listed' | 'listedFrom'>

/** Residuals of x on the logarithm of the size and on groups. Inputs: x, size, groups. */
export function residualsOnSizeAndGroups({ out, at, count, inputs, from, listed, listedFrom }: Section): void {
  out.fill(Number.NaN, at, at + count)
  const [x, sizes, groups] = roomFor(count, 3)
  let rows = 0
  for (let i = 0; i < count; i++) {
    const value = inputs[0][from[0] + i]
    const size = Math.log(inputs[1][from[1] + i])
    const group = inputs[2][from[2] + i]
    if (listed[listedFrom + i] === 0 || value !== value || size !== size || size - size !== 0 || !(group >= 0)) continue
    x[rows] = value
    sizes[rows] = size
    groups[rows] = group
    who[rows++] = i
  }
  // Groups and intercept are taken out by the groups' own means (Frisch & Waugh 1933).
  const before = length(sizes, rows)
  demeanByGroup(x, groups, rows)
  demeanByGroup(sizes, groups, rows)
  const left = length(sizes, rows)
  normalize(sizes, left > dependent * before ? left : 0, rows)
  for (let pass = 0; pass < 2; pass++) subtractPart(x, sizes, rows)
  for (let r = 0; r < rows; r++) out[at + who[r]] = x[r] + (x[r] - x[r])
}

export const neutral: Operation = { name: 'cs_neutral', crossSection: true, weight: 6, run: residualsOnSizeAndGroups }

/** Pearson's correlation of the day, told to all. Inputs: x, y. */
export const correlationOfDay: Operation = {
  name: 'cs_ic',
  crossSection: true,
  run: ({ out, at, count, inputs, from, listed, listedFrom }) => {
    const [x, y] = roomFor(count, 2)
    let rows = 0
    for (let i = 0; i < count; i++) {
      const v = inputs[0][from[0] + i]
      const w = inputs[1][from[1] + i]
      if (listed[listedFrom + i] === 0 || v !== v || w !== w) continue
      x[rows] = v
      y[rows++] = w
    }
    const [meanOfX, meanOfY] = [demean(x, rows), demean(y, rows)]
    const [a, b] = [length(x, rows), length(y, rows)]
    const degrees = Math.sqrt(rows - 1)
    const isFlat = !(
      a < Number.POSITIVE_INFINITY &&
      b < Number.POSITIVE_INFINITY &&
      a / degrees >= noSpread * (1 + Math.abs(meanOfX)) &&
      b / degrees >= noSpread * (1 + Math.abs(meanOfY))
    )
    const v = isFlat ? Number.NaN : Math.max(-1, Math.min(1, inner(x, y, rows) / a / b))
    for (let i = 0; i < count; i++) out[at + i] = listed[listedFrom + i] === 1 ? v + (v - v) : Number.NaN
  },
}

/** Takes the mean out of a column and tells it. */
function demean(column: Float64Array, rows: number): number {
  const first = column[0]
  let sum = 0
  for (let r = 0; r < rows; r++) sum += column[r] - first
  const mean = first + sum / rows
  for (let r = 0; r < rows; r++) column[r] -= mean
  return mean
}

let firsts = new Float64Array(0)
let sums = new Float64Array(0)
let counts = new Float64Array(0)

function demeanByGroup(column: Float64Array, groups: Float64Array, rows: number): void {
  let most = 0
  for (let r = 0; r < rows; r++) most = Math.max(most, groups[r])
  if (sums.length <= most) {
    firsts = new Float64Array(most + 1)
    sums = new Float64Array(most + 1)
    counts = new Float64Array(most + 1)
  }
  sums.fill(0)
  counts.fill(0)
  for (let r = 0; r < rows; r++) {
    const g = groups[r]
    if (counts[g] === 0) firsts[g] = column[r]
    sums[g] += column[r] - firsts[g]
    counts[g]++
  }
  for (let r = 0; r < rows; r++) {
    const g = groups[r]
    column[r] = column[r] - firsts[g] - sums[g] / counts[g]
  }
}

function inner(a: Float64Array, b: Float64Array, rows: number): number {
  let sum = 0
  for (let r = 0; r < rows; r++) sum += a[r] * b[r]
  return sum
}

const length = (column: Float64Array, rows: number): number => Math.sqrt(inner(column, column, rows))

/** Takes from a column its part along a column of length 1 (or 0). */
function subtractPart(column: Float64Array, along: Float64Array, rows: number): void {
  const part = inner(column, along, rows)
  for (let r = 0; r < rows; r++) column[r] -= part * along[r]
}

function normalize(column: Float64Array, length: number, rows: number): void {
  const factor = length === 0 ? 0 : 1 / length
  for (let r = 0; r < rows; r++) column[r] *= factor
}
