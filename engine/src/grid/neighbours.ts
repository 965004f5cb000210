import type { GridAxis } from '@convexa/contract'
import { deviation } from '../report/moments.ts'

/** Values of a grid by place, with who lies beside whom: one step along any of the axes, corners included. */
export class Field {
  readonly #axes: readonly GridAxis[]
  readonly #places: readonly (readonly number[])[]
  readonly #values: readonly number[]
  readonly #at: ReadonlyMap<string, number>

  /** NaN where a value is not known. */
  constructor(axes: readonly GridAxis[], places: readonly (readonly number[])[], values: readonly number[]) {
    this.#axes = axes
    this.#places = places
    this.#values = values
    this.#at = new Map(places.map((place, k) => [place.join(), k]))
  }

  /** Known values of a cell and of those beside it. */
  around(cell: number): number[] {
    return [cell, ...this.#beside(cell)].map((k) => this.#values[k]).filter((value) => value === value)
  }

  /** Spread of a cell and its neighbours against its own value; NaN without neighbours or for a value of 0. */
  spread(cell: number): number {
    const near = this.around(cell)
    return near.length < 2 ? Number.NaN : deviation(near) / Math.abs(this.#values[cell])
  }

  /** The cell whose neighbourhood is best on average; −1 when nothing is known. */
  centre(): number {
    let best = -1
    let most = Number.NEGATIVE_INFINITY
    this.#places.forEach((_, cell) => {
      if (this.#values[cell] !== this.#values[cell]) return
      const near = this.around(cell)
      const mean = near.reduce((sum, value) => sum + value, 0) / near.length
      if (mean > most) {
        most = mean
        best = cell
      }
    })
    return best
  }

  /** Cells that hang together with one of at least a value each. */
  region(from: number, least: number): number[] {
    const seen = new Set([from])
    const queue = [from]
    for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
      for (const next of this.#beside(cell)) {
        if (seen.has(next) || !(this.#values[next] >= least)) continue
        seen.add(next)
        queue.push(next)
      }
    }
    return [...seen].sort((a, b) => a - b)
  }

  #beside(cell: number): number[] {
    const place = this.#places[cell]
    const steps = this.#axes.reduce<number[][]>(
      (made, _, a) => made.flatMap((one) => [-1, 0, 1].map((step) => [...one, place[a] + step])),
      [[]],
    )
    return steps.flatMap((one) => {
      const at = this.#at.get(one.join())
      return at === undefined || at === cell ? [] : [at]
    })
  }
}

/** 「持有数量 10 – 20 × 轮动周期 1 – 10」: from where to where a set of cells goes along each axis. */
export function spanText(axes: readonly GridAxis[], places: readonly (readonly number[])[]): string {
  return axes
    .map(({ label, values }, a) => {
      const along = places.map((place) => values[place[a]])
      const [low, high] = [Math.min(...along), Math.max(...along)]
      return low === high ? `${label} ${low}` : `${label} ${low} – ${high}`
    })
    .join(' × ')
}
