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
 *
 * So no column of a part is ever held whole, nothing is computed twice, and nothing that is not wanted.
 */
export function evaluate(expression: Expression, panel: Panel, rows?: ArrayLike<number>): Float64Array {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const { graph, root } = expression.tree
  const run = new Run(graph, root, panel, wanted)
  return run.result()
}

/** Where a node's rows are read. */
type Source =
  | { readonly kind: 'column'; readonly column: Float64Array }
  | { readonly kind: 'constant'; readonly row: Float64Array }
  | {
      readonly kind: 'ring'
      readonly operation: Operation
      readonly inputs: readonly Operand[]
      /** 1 on the days that are wanted. */
      readonly days: Uint8Array
      readonly ring: Float64Array
      readonly length: number
      readonly outside: Float64Array
    }

class Run {
  private readonly panel: Panel
  private readonly wanted: ArrayLike<number>
  private readonly root: Operand
  /** By node; those that nothing wants are left out. */
  private readonly sources: (Source | null)[]
  /** Cells of a ring's row: off the powers of two, which share lines of the processor's cache. */
  private readonly width: number
  private readonly absent: Float64Array

  constructor(graph: Graph, root: Operand, panel: Panel, wanted: ArrayLike<number>) {
    this.panel = panel
    this.wanted = wanted
    this.root = root
    const count = panel.securities.length
    this.width = count % 256 < 8 ? count + 8 : count
    this.absent = new Float64Array(this.width).fill(Number.NaN)
    const { days, furthest } = wantedDays(graph, root, panel.dates.length, wanted)
    this.sources = graph.nodes.map((node, n) => {
      const wantedOn = days[n]
      if (!wantedOn) return null
      if (node.kind === 'constant') return { kind: 'constant', row: new Float64Array(this.width).fill(node.value) }
      if (node.kind === 'field') return { kind: 'column', column: columnOf(panel, node.key) }
      const { operation, inputs } = node
      const length = furthest[n] + 1
      const outside = operation.outside === undefined ? this.absent : new Float64Array(this.width).fill(operation.outside)
      return { kind: 'ring', operation, inputs, days: wantedOn, ring: new Float64Array(length * this.width), length, outside }
    })
  }

  result(): Float64Array {
    const { panel, wanted } = this
    const { listed, stride, dates } = panel
    const count = panel.securities.length
    const out = new Float64Array(wanted.length * stride)
    const row: Row = { out, at: 0, count, inputs: [], from: [], listed, listedFrom: 0, scratch: rankScratch(count) }
    let next = 0
    for (let day = 0; day < dates.length && next < wanted.length; day++) {
      this.compute(day, row)
      if (wanted[next] !== day) continue
      const { cells, from } = this.read(this.root, day)
      const at = next * stride
      const listedFrom = day * stride
      for (let i = 0; i < count; i++) out[at + i] = listed[listedFrom + i] === 1 ? cells[from + i] : Number.NaN
      for (let i = count; i < stride; i++) out[at + i] = Number.NaN
      next++
    }
    return out
  }

  /** The rows of a day, each after its inputs. */
  private compute(day: number, row: Row): void {
    row.listedFrom = day * this.panel.stride
    for (const source of this.sources) {
      if (source?.kind !== 'ring' || source.days[day] === 0) continue
      const { inputs } = source
      for (let k = 0; k < inputs.length; k++) {
        const { cells, from } = this.read(inputs[k], day)
        row.inputs[k] = cells
        row.from[k] = from
      }
      row.out = source.ring
      row.at = (day % source.length) * this.width
      source.operation.run(row)
    }
  }

  private read({ node, delay }: Operand, today: number): { cells: Float64Array; from: number } {
    const source = this.sources[node] as Source
    const day = today - delay
    if (source.kind === 'constant') return { cells: source.row, from: 0 }
    if (day < 0) return { cells: source.kind === 'ring' ? source.outside : this.absent, from: 0 }
    if (source.kind === 'column') return { cells: source.column, from: day * this.panel.stride }
    return { cells: source.ring, from: (day % source.length) * this.width }
  }
}

/** Of each node: the days wanted (null = none), and how far back it is looked at. */
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
    for (const input of node.inputs) {
      const theirs = want(input)
      for (let day = input.delay; day < dates; day++) if (own[day] === 1) theirs[day - input.delay] = 1
    }
  }
  return { days, furthest }
}

function columnOf(panel: Panel, key: string): Float64Array {
  const column = panel.columns.get(key)
  if (!column) throw new Error(`the panel was loaded without the field ${key}`)
  return column
}
