import type { Kernel } from '../graph.ts'

// How an operation goes over the cells of a day. Loops over numbers are bare and fast here. `v + (v - v)` is v where v is finite and NaN where it is not: every ±∞ ends at once.

type Cells = Float64Array
export const unary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0])
export const binary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number, b: Cells, q: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0], row.inputs[1], row.from[1])
export const ternary =
  (loop: (out: Cells, at: number, count: number, a: Cells, p: number, b: Cells, q: number, c: Cells, r: number) => void): Kernel =>
  (row) =>
    loop(row.out, row.at, row.count, row.inputs[0], row.from[0], row.inputs[1], row.from[1], row.inputs[2], row.from[2])

/** For what costs more than the call: roots, logarithms. */
export const each = (of: (a: number) => number): Kernel =>
  unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i])
      out[at + i] = v + (v - v)
    }
  })
export const eachPair = (of: (a: number, b: number) => number): Kernel =>
  binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = of(a[p + i], b[q + i])
      out[at + i] = v + (v - v)
    }
  })
