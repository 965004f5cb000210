/**
 * Windows that cannot be merged from blocks, and those that do with some valid days (the argument `mp`): the valid days of each
 * cell are gathered and a statistic is taken of them.
 */
import type { Graph, Operand, Operation, WasmCall } from '../graph.ts'

/** The valid days of one window, oldest first. The arrays are used again for the next cell. */
export interface Members {
  count: number
  readonly x: Float64Array
  /** Of the second series; all zero where there is none. */
  readonly y: Float64Array
  /** Which day of the window it is: 1 = the oldest, n = today. */
  readonly place: Float64Array
  /** Room for a sorted copy, and for another. */
  readonly sorted: Float64Array
  readonly other: Float64Array
  readonly window: number
}

/** A number of the gathered days; today's values may be absent. */
export type Statistic = (members: Members, x: number, y: number) => number

export interface Gathering {
  readonly name: string
  readonly of: Statistic
  /** Cost relative to one pass over the days. */
  readonly weight?: number
  /** The same in WebAssembly (engine/kernels/members.ts); it takes the window and how many days must be valid. */
  readonly kernel?: string
  /** A kernel that slides (engine/kernels/sliding.ts) takes one number more, and keeps so many of a security for a window of so many days. */
  readonly slides?: { readonly number?: number; readonly kept: (window: number) => number }
}

/** Values in the order of days, and sorted. */
export const keptInOrder = (window: number): number => 2 + 2 * window

/** Two series and the points of both, an even number of each. */
export const keptPoints = (window: number): number => 2 + 4 * (window + (window % 2))

/** The statistic of the last days of one series, or of the pairs of two. */
export function gather(
  graph: Graph,
  { name, of, weight = 2, kernel, slides }: Gathering,
  series: readonly Operand[],
  window: number,
  minimum: number,
): Operand {
  const operation: Operation = {
    name: `${name} ${window} ${minimum}`,
    weight,
    ...(kernel ? { wasm: callOf(kernel) } : {}),
    run: series.length === 1 ? one(of, window, minimum) : two(of, window, minimum),
  }
  return graph.apply(
    operation,
    series.flatMap((each) => Array.from({ length: window }, (_, k) => graph.delay(each, k))),
  )

  function callOf(kernel: string): WasmCall {
    if (!slides) return { kernel, numbers: [window, minimum] }
    return {
      kernel,
      numbers: [window, minimum, slides.number ?? 0],
      slides: { series: series.length, kept: slides.kept(window) },
    }
  }
}

function roomFor(window: number): Members {
  const room = () => new Float64Array(window)
  return { count: 0, x: room(), y: room(), place: room(), sorted: room(), other: room(), window }
}

function one(of: Statistic, window: number, minimum: number): Operation['run'] {
  const members = roomFor(window)
  const { x, place } = members
  return ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      let valid = 0
      for (let k = window - 1; k >= 0; k--) {
        const v = inputs[k][from[k] + i]
        if (v !== v) continue
        x[valid] = v
        place[valid] = window - k
        valid++
      }
      members.count = valid
      const v = valid < minimum ? Number.NaN : of(members, inputs[0][from[0] + i], 0)
      out[at + i] = v + (v - v)
    }
  }
}

function two(of: Statistic, window: number, minimum: number): Operation['run'] {
  const members = roomFor(window)
  const { x, y, place } = members
  return ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      let valid = 0
      for (let k = window - 1; k >= 0; k--) {
        const v = inputs[k][from[k] + i]
        const w = inputs[window + k][from[window + k] + i]
        if (v !== v || w !== w) continue
        x[valid] = v
        y[valid] = w
        place[valid] = window - k
        valid++
      }
      members.count = valid
      const v = valid < minimum ? Number.NaN : of(members, inputs[0][from[0] + i], inputs[window][from[window] + i])
      out[at + i] = v + (v - v)
    }
  }
}
