import { rankScratch } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { Expression } from './compile.ts'
import type { Graph, Operand, Operation, Row } from './graph.ts'

/**
 * The expression's values on the days asked for (all days when none are named; ascending indices of panel.dates): rows of
 * panel.stride cells, in the order of `rows`. NaN where absent and where the security is not listed that day.
 *
 * 1. From the result back to the fields: which days of which node are wanted, and how far back is looked at them.
 * 2. From the first wanted day on, node after node: one row each, kept in a ring as long as something may look back at it.
 *    Where no security needs the others, this is done strip by strip of securities, so that the rings stay in the cache.
 *
 * So no column of a part is ever held whole, nothing is computed twice, and nothing that is not wanted.
 */
export function evaluate(expression: Expression, panel: Panel, rows?: ArrayLike<number>): Float64Array {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const { graph, root } = expression.tree
  const plan = planOf(graph, root, panel.dates.length, wanted)
  const out = new Float64Array(wanted.length * panel.stride)
  const count = panel.securities.length
  const strip = expression.crossSection ? count : stripWidth
  for (let first = 0; first < count; first += strip) {
    computeStrip(plan, panel, wanted, out, first, Math.min(strip, count - first))
  }
  // Room for new listings behind the last security.
  for (let at = 0; at < out.length; at += panel.stride) out.fill(Number.NaN, at + count, at + panel.stride)
  return out
}

const stripWidth = 512

interface Plan {
  readonly graph: Graph
  readonly root: Operand
  /** By node: 1 on the days that are wanted; null where none is. */
  readonly days: readonly (Uint8Array | null)[]
  /** By node: how many days back it is looked at. */
  readonly furthest: Int32Array
}

function planOf(graph: Graph, root: Operand, dates: number, wanted: ArrayLike<number>): Plan {
  const days: (Uint8Array | null)[] = graph.nodes.map(() => null)
  const furthest = new Int32Array(graph.nodes.length)
  const want = ({ node, delay }: Operand): Uint8Array => {
    furthest[node] = Math.max(furthest[node], delay)
    return (days[node] ??= new Uint8Array(dates))
  }
  const rootDays = want(root)
  for (let k = 0; k < wanted.length; k++) if (wanted[k] >= root.delay) rootDays[wanted[k] - root.delay] = 1
  for (let n = root.node; n >= 0; n--) {
    const node = graph.nodes[n]
    const own = days[n]
    if (!own || node.kind !== 'operation') continue
    for (const input of node.inputs) {
      const theirs = want(input)
      for (let day = input.delay; day < dates; day++) theirs[day - input.delay] |= own[day]
    }
  }
  return { graph, root, days, furthest }
}

/** Rows of a node within a strip: row of a day at offset + (day % period) · stride, or always the same one when period is 1. */
interface Rows {
  readonly cells: Float64Array
  readonly offset: number
  readonly period: number
  readonly stride: number
  /** The row of days before the first. */
  readonly outside: Float64Array
}

/** An operation with where it reads and writes. */
interface Step {
  readonly operation: Operation
  readonly inputs: readonly Rows[]
  readonly delays: readonly number[]
  readonly days: Uint8Array
  readonly result: Rows
}

function computeStrip(plan: Plan, panel: Panel, wanted: ArrayLike<number>, out: Float64Array, first: number, count: number): void {
  const { listed, stride, dates } = panel
  const { rows, steps } = stepsOf(plan, panel, first, count)
  const row: Row = {
    out,
    at: 0,
    count,
    inputs: [],
    from: [],
    listed,
    listedFrom: 0,
    scratch: rankScratch(count),
    points: new Int32Array(count),
  }
  const result = rows[plan.root.node] as Rows
  const last = wanted.length === 0 ? -1 : wanted[wanted.length - 1]
  let next = 0
  for (let day = 0; day <= last && day < dates.length; day++) {
    row.listedFrom = day * stride + first
    for (const step of steps) if (step.days[day] === 1) take(step, day, row)
    if (wanted[next] !== day) continue
    const then = day - plan.root.delay
    const cells = then < 0 ? result.outside : result.cells
    const from = then < 0 ? 0 : rowAt(result, then)
    const at = next * stride + first
    for (let i = 0; i < count; i++) out[at + i] = listed[row.listedFrom + i] === 1 ? cells[from + i] : Number.NaN
    next++
  }
}

function take({ operation, inputs, delays, result }: Step, day: number, row: Row): void {
  for (let k = 0; k < inputs.length; k++) {
    const input = inputs[k]
    const then = day - delays[k]
    row.inputs[k] = then < 0 ? input.outside : input.cells
    row.from[k] = then < 0 ? 0 : rowAt(input, then)
  }
  row.out = result.cells
  row.at = rowAt(result, day)
  operation.run(row)
}

function rowAt({ offset, period, stride }: Rows, day: number): number {
  return offset + (day % period) * stride
}

function stepsOf({ graph, days, furthest }: Plan, panel: Panel, first: number, count: number): { rows: (Rows | null)[]; steps: Step[] } {
  // Off the powers of two: rows that are a multiple of 4,096 bytes apart share lines of the processor's cache.
  const width = count % 256 < 8 ? count + 8 : count
  const filled = (value: number) => new Float64Array(width).fill(value)
  const absent = filled(Number.NaN)
  const steps: Step[] = []
  const rows: (Rows | null)[] = []
  graph.nodes.forEach((node, n) => {
    const wanted = days[n]
    if (!wanted) {
      rows.push(null)
      return
    }
    if (node.kind === 'constant') {
      const cells = filled(node.value)
      rows.push({ cells, offset: 0, period: 1, stride: 0, outside: cells })
      return
    }
    if (node.kind === 'field') {
      const cells = columnOf(panel, node.key)
      rows.push({ cells, offset: first, period: panel.dates.length, stride: panel.stride, outside: absent })
      return
    }
    const { operation, inputs } = node
    const period = furthest[n] + 1
    const outside = operation.outside === undefined ? absent : filled(operation.outside)
    const result = { cells: new Float64Array(period * width), offset: 0, period, stride: width, outside }
    rows.push(result)
    steps.push({
      operation,
      inputs: inputs.map((input) => rows[input.node] as Rows),
      delays: inputs.map((input) => input.delay),
      days: wanted,
      result,
    })
  })
  return { rows, steps }
}

function columnOf(panel: Panel, key: string): Float64Array {
  const column = panel.columns.get(key)
  if (!column) throw new Error(`the panel was loaded without the field ${key}`)
  return column
}
