import type { BinningResult } from '@convexa/contract'
import { orNull } from '../base/round.ts'

/** Bins by two factors, each cut by itself: a cell has the securities in the k-th bin of one and the l-th of the other, and their forward returns. */
export class TwoWay {
  readonly #rows: number
  readonly #columns: number
  readonly #members: Float64Array
  readonly #sums: Float64Array
  readonly #wins: Float64Array
  readonly #dates: Float64Array

  constructor(rows: number, columns: number) {
    this.#rows = rows
    this.#columns = columns
    const cells = () => new Float64Array(rows * columns)
    this.#members = cells()
    this.#sums = cells()
    this.#wins = cells()
    this.#dates = cells()
  }

  /** One date: the mean return of each cell's members counts once, however many they are. */
  add(row: Int8Array, column: Int8Array, forward: Float64Array): void {
    const [sum, size] = [new Float64Array(this.#sums.length), new Float64Array(this.#sums.length)]
    for (let i = 0; i < row.length; i++) {
      if (row[i] < 0 || column[i] < 0 || forward[i] !== forward[i]) continue
      const cell = row[i] * this.#columns + column[i]
      sum[cell] += forward[i]
      size[cell]++
    }
    for (let cell = 0; cell < sum.length; cell++) {
      if (size[cell] === 0) continue
      const mean = sum[cell] / size[cell]
      this.#members[cell] += size[cell]
      this.#sums[cell] += mean
      this.#dates[cell]++
      if (mean > 0) this.#wins[cell]++
    }
  }

  cells(): NonNullable<BinningResult['two_way']>['cells'] {
    return Array.from({ length: this.#rows }, (_, row) =>
      Array.from({ length: this.#columns }, (_, column) => {
        const cell = row * this.#columns + column
        const dates = this.#dates[cell]
        return {
          dates,
          avg_count: dates > 0 ? this.#members[cell] / dates : 0,
          mean_forward: orNull(this.#sums[cell] / dates),
          win_rate: orNull(this.#wins[cell] / dates),
        }
      }),
    )
  }
}
