import type { GridAxis } from '@convexa/contract'
import { deviation } from '../report/moments.ts'

/** Values of a grid by place, with who lies beside whom: one step along any of the axes, corners included. */
export class Field {
  readonly #axes: readonly GridAxis[]
  readonly #places: readonly (readonly number[])[]
  readonly #values: readonly number[]
  /** By place, the last axis fastest: the cell there, −1 where there is none. */
  readonly #at: Int32Array
  /** By cell, for whom it was asked for. */
  readonly #near: number[][] = []

  /** NaN where a value is not known. */
  constructor(axes: readonly GridAxis[], places: readonly (readonly number[])[], values: readonly number[]) {
    this.#axes = axes
    this.#places = places
    this.#values = values
    this.#at = new Int32Array(axes.reduce((size, axis) => size * axis.values.length, 1)).fill(-1)
    places.forEach((place, k) => {
      this.#at[axes.reduce((at, axis, a) => at * axis.values.length + place[a], 0)] = k
    })
  }

  /** Known values of a cell and of those beside it. */
  around(cell: number): readonly number[] {
    this.#near[cell] ??= [cell, ...this.#beside(cell)].map((k) => this.#values[k]).filter((value) => value === value)
    return this.#near[cell]
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
    const axes = this.#axes
    const beside: number[] = []
    // Of each axis one step back, none, or one ahead: the digits of a number to the base 3.
    for (let steps = 0, all = 3 ** axes.length; steps < all; steps++) {
      let at = 0
      let isInside = true
      for (let a = 0, left = all / 3; a < axes.length; a++, left /= 3) {
        const { length } = axes[a].values
        const there = place[a] + (Math.floor(steps / left) % 3) - 1
        isInside &&= there >= 0 && there < length
        at = at * length + there
      }
      if (isInside && this.#at[at] >= 0 && this.#at[at] !== cell) beside.push(this.#at[at])
    }
    return beside
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
