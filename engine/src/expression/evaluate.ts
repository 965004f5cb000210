import { rankScratch } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { Expression } from './compile.ts'
import type { Graph, Kernel, Operand, Row } from './graph.ts'

/**
 * The expression's values on the days asked for (all days when none are named; ascending indices of panel.dates): rows of
 * panel.stride cells, in the order of `rows`. NaN where absent and where the security is not listed that day.
 *
 * 1. From the result back to the fields: which days of which node are wanted, and how far back is looked at them.
 * 2. From the first wanted day on, node after node: one row each, kept in a ring as long as something may look back at it.
 *    Where no security needs the others, this is done strip by strip of securities, so that the rings stay in the cache.
 *
 * What reads its own day before is computed from the first day of the panel on: its values do not depend on the days asked for.
 * So no column of a part is ever held whole, nothing is computed twice, and nothing that is not wanted.
 */
export function evaluate(expression: Expression, panel: Panel, rows?: ArrayLike<number>): Float64Array {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const { listed, stride } = panel
  const securities = panel.securities.length
  const out = new Float64Array(wanted.length * stride)
  const width = expression.crossSection ? securities : Math.min(stripWidth, securities)
  const plan = planOf(expression.tree, panel, wanted, width)
  const row: Row = {
    out,
    at: 0,
    count: width,
    inputs: [],
    from: [],
    listed,
    listedFrom: 0,
    scratch: rankScratch(expression.crossSection ? width : 0),
    points: new Int32Array(width),
    day: 0,
    first: 0,
    before: out,
    beforeFrom: 0,
  }
  for (let first = 0; first < securities; first += width) {
    row.count = Math.min(width, securities - first)
    computeStrip(plan, panel, wanted, out, first, row)
  }
  // Room for new listings behind the last security.
  for (let at = 0; at < out.length; at += stride) out.fill(Number.NaN, at + securities, at + stride)
  return out
}

const stripWidth = 512

/** Rows of a node: that of a day begins at (day % period) · stride, and further right by the strip's first security in a column. */
interface Rows {
  readonly cells: Float64Array
  readonly period: number
  readonly stride: number
  readonly isColumn: boolean
  /** The row of days before the first. */
  readonly outside: Float64Array
}

/** An operation with where it reads and writes. */
interface Step {
  readonly run: Kernel
  readonly inputs: readonly Rows[]
  readonly delays: readonly number[]
  /** 1 on the days that are wanted. */
  readonly days: Uint8Array
  readonly result: Rows
}

interface Plan {
  /** Each after those that it reads. */
  readonly steps: readonly Step[]
  readonly result: Rows
  readonly delay: number
}

function planOf({ graph, root }: Expression['tree'], panel: Panel, wanted: ArrayLike<number>, strip: number): Plan {
  const { days, furthest } = wantedDays(graph, root, panel.dates.length, wanted)
  // Off the powers of two: rows that are a multiple of 4,096 bytes apart share lines of the processor's cache.
  const width = strip % 256 < 8 ? strip + 8 : strip
  const filled = (value: number) => new Float64Array(width).fill(value)
  const absent = filled(Number.NaN)
  const rows: (Rows | null)[] = []
  const steps: Step[] = []
  graph.nodes.forEach((node, n) => {
    const wantedOn = days[n]
    if (!wantedOn) {
      rows.push(null)
      return
    }
    if (node.kind === 'constant') {
      const cells = filled(node.value)
      rows.push({ cells, period: 1, stride: 0, isColumn: false, outside: cells })
      return
    }
    if (node.kind === 'field') {
      rows.push({ cells: columnOf(panel, node.key), period: panel.dates.length, stride: panel.stride, isColumn: true, outside: absent })
      return
    }
    const { operation, inputs } = node
    const period = furthest[n] + 1
    const outside = operation.outside === undefined ? absent : filled(operation.outside)
    const result = { cells: new Float64Array(period * width), period, stride: width, isColumn: false, outside }
    rows.push(result)
    steps.push({
      run: operation.open ? operation.open(panel) : operation.run,
      inputs: inputs.map((input) => rows[input.node] as Rows),
      delays: inputs.map((input) => input.delay),
      days: wantedOn,
      result,
    })
  })
  return { steps, result: rows[root.node] as Rows, delay: root.delay }
}

/** By node: the days on which it is wanted (1; null = none), and how many days back it is looked at. */
function wantedDays(
  graph: Graph,
  root: Operand,
  dates: number,
  wanted: ArrayLike<number>,
): { days: (Uint8Array | null)[]; furthest: Int32Array } {
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
    if (node.operation.recursive) for (let day = own.lastIndexOf(1); day >= 0; day--) own[day] = 1
    for (const input of node.inputs) {
      const theirs = want(input)
      for (let day = input.delay; day < dates; day++) theirs[day - input.delay] |= own[day]
    }
  }
  return { days, furthest }
}

function computeStrip(
  { steps, result, delay }: Plan,
  panel: Panel,
  wanted: ArrayLike<number>,
  out: Float64Array,
  first: number,
  row: Row,
): void {
  const { listed, stride, dates } = panel
  const { count } = row
  const last = wanted.length === 0 ? -1 : wanted[wanted.length - 1]
  let next = 0
  for (let day = 0; day <= last && day < dates.length; day++) {
    row.listedFrom = day * stride + first
    row.day = day
    row.first = first
    for (const step of steps) if (step.days[day] === 1) take(step, day, first, row)
    if (wanted[next] !== day) continue
    const cells = day < delay ? result.outside : result.cells
    const from = rowAt(result, day - delay, first)
    const at = next * stride + first
    for (let i = 0; i < count; i++) out[at + i] = listed[row.listedFrom + i] === 1 ? cells[from + i] : Number.NaN
    next++
  }
}

function take({ run, inputs, delays, result }: Step, day: number, first: number, row: Row): void {
  for (let k = 0; k < inputs.length; k++) {
    const input = inputs[k]
    const then = day - delays[k]
    row.inputs[k] = then < 0 ? input.outside : input.cells
    row.from[k] = rowAt(input, then, first)
  }
  row.out = result.cells
  row.at = rowAt(result, day, first)
  row.before = day === 0 ? result.outside : result.cells
  row.beforeFrom = rowAt(result, day - 1, first)
  run(row)
}

function rowAt({ period, stride, isColumn }: Rows, day: number, first: number): number {
  if (day < 0) return 0
  return (day % period) * stride + (isColumn ? first : 0)
}

function columnOf(panel: Panel, key: string): Float64Array {
  const column = panel.columns.get(key)
  if (!column) throw new Error(`the panel was loaded without the field ${key}`)
  return column
}
