import type { RankScratch } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'

/** One day of one node, as a kernel sees it: cell i of input k is inputs[k][from[k] + i], of the result out[at + i]. */
export interface Row {
  out: Float64Array
  at: number
  count: number
  readonly inputs: Float64Array[]
  readonly from: number[]
  /** 1 where the security is listed that day: cell i is listed[listedFrom + i]. */
  listed: Uint8Array
  listedFrom: number
  readonly scratch: RankScratch
  /** Room for a whole number per cell. */
  readonly points: Int32Array
  /** Index of the day in panel.dates, and of the first cell's security. */
  day: number
  first: number
  /** The operation's own result of the day before, for those that are recursive: cell i is before[beforeFrom + i]. */
  before: Float64Array
  beforeFrom: number
}

export type Kernel = (row: Row) => void

/** A kernel of engine/kernels by its name, with the numbers that it takes. */
export interface WasmCall {
  readonly kernel: string
  readonly numbers?: readonly number[]
  /** Takes the address of this list and its length instead of numbers. */
  readonly list?: readonly number[]
  /** Takes the addresses of the listing row and of room to work in before its numbers. */
  readonly readsListed?: true
  /** Behind the inputs, the table has the address of the operation's own row of the day before. */
  readonly readsBefore?: true
  /** Takes several days at once, and a window from one to the next (engine/kernels/sliding.ts). Its numbers: the window, the least of its days, one more. */
  readonly slides?: Sliding
}

interface Sliding {
  /** How many series the window has: the inputs are the days of each, newest first. */
  readonly series: number
  /** How many numbers are kept of each security. */
  readonly kept: number
}

/** A calculation on rows. Its name says all that it does: equal names on equal inputs are computed once. */
export interface Operation {
  readonly name: string
  readonly run: Kernel
  /** The same in WebAssembly, bit for bit; `run` is its twin: what says that it is right, and what runs where there is none. */
  readonly wasm?: WasmCall
  /** The value of days before the first one; NaN when not given. */
  readonly outside?: number
  /** May make a number of absent inputs, so its result is cut to the listing window. */
  readonly revives?: boolean
  /** Reads the whole row of securities, not only its own column. */
  readonly crossSection?: boolean
  /** Reads its own result of the day before, so it is computed from the first day of the panel on. */
  readonly recursive?: boolean
  /** Not recursive, but its values depend on the first day of the panel. */
  readonly countsDays?: boolean
  /** Days that a recursive operation takes until it says something. */
  readonly warmUp?: number
  /** What one of its inputs costs against a plain pass over a row: sorting a window costs more. */
  readonly weight?: number
  /** Reads the panel itself (its kernel is made by `open`): texts and dates of securities, market series, trading status. */
  readonly open?: (panel: Panel) => Kernel
  /** Columns and market series that `open` reads. */
  readonly reads?: { readonly fields?: readonly string[]; readonly benchmarks?: readonly string[] }
}

export type Node =
  | { readonly kind: 'field'; readonly key: string }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'operation'; readonly operation: Operation; readonly inputs: readonly Operand[] }

/** A node some days ago. Looking back costs nothing: the reader takes an older row. */
export interface Operand {
  readonly node: number
  readonly delay: number
}

/**
 * The calculation of an expression as nodes, each after its inputs. Equal nodes are made once (common sub-expressions),
 * calculations on constants are done at once. Every column is NaN before a security's listing.
 */
export class Graph {
  readonly nodes: Node[] = []
  /** Inputs of all operations: how much there is to read for one cell. */
  inputs = 0
  private readonly known = new Map<string, number>()

  field(key: string): Operand {
    return this.add({ kind: 'field', key })
  }

  constant(value: number): Operand {
    // Adding 0 turns −0 into +0.
    return this.add({ kind: 'constant', value: value + 0 })
  }

  apply(operation: Operation, inputs: readonly Operand[]): Operand {
    const constants = inputs.map((input) => this.constantOf(input))
    if (inputs.length > 0 && !operation.recursive && constants.every((value) => value !== null))
      return this.constant(calculate(operation, constants))
    const result = this.add({ kind: 'operation', operation, inputs })
    return operation.revives ? this.apply(listedOnly, [result]) : result
  }

  /** The operand n rows of the security ago. */
  delay(operand: Operand, days: number): Operand {
    const { node, delay } = this.series(operand)
    return { node, delay: delay + days }
  }

  /** A constant as a column: absent where the security is not listed. */
  series(operand: Operand): Operand {
    const value = this.constantOf(operand)
    if (value === null) return operand
    return this.add({ kind: 'operation', operation: listedOnly, inputs: [operand] })
  }

  constantOf({ node }: Operand): number | null {
    const known = this.nodes[node]
    return known?.kind === 'constant' ? known.value : null
  }

  /** Whether the operand is today's result of an operation whose name begins with this word. */
  isMadeBy({ node, delay }: Operand, word: string): boolean {
    const made = this.nodes[node]
    return delay === 0 && made.kind === 'operation' && made.operation.name.split(' ')[0] === word
  }

  /** The nodes of another graph; what is already here is shared. */
  include({ nodes }: Graph, root: Operand): Operand {
    const places: number[] = []
    for (let n = 0; n <= root.node; n++) {
      const node = nodes[n]
      const inputs = node.kind === 'operation' ? node.inputs.map(({ node: of, delay }) => ({ node: places[of], delay })) : []
      const made = node.kind === 'operation' ? { ...node, inputs } : node
      places.push(this.add(made).node)
    }
    return { node: places[root.node], delay: root.delay }
  }

  /** Equal signatures of two graphs mean equal calculations. */
  signature({ node, delay }: Operand): string {
    return [...this.known.keys(), `${node}@${delay}`].join('\n')
  }

  private add(node: Node): Operand {
    const key = keyOf(node)
    let index = this.known.get(key)
    if (index === undefined) {
      index = this.nodes.length
      this.nodes.push(node)
      if (node.kind === 'operation') this.inputs += node.inputs.length
      this.known.set(key, index)
    }
    return { node: index, delay: 0 }
  }
}

function keyOf(node: Node): string {
  if (node.kind === 'field') return `field ${node.key}`
  if (node.kind === 'constant') return `constant ${node.value}`
  return `${node.operation.name}(${node.inputs.map(({ node: of, delay }) => `${of}@${delay}`).join()})`
}

export const listedOnly: Operation = {
  name: 'listed_only',
  wasm: { kernel: 'listed_only', readsListed: true },
  run: ({ out, at, count, inputs, from, listed, listedFrom }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = listed[listedFrom + i] === 1 ? a[p + i] : Number.NaN
  },
}

function calculate(operation: Operation, constants: readonly number[]): number {
  const out = new Float64Array(1)
  operation.run({
    out,
    at: 0,
    count: 1,
    inputs: constants.map((value) => Float64Array.of(value)),
    from: constants.map(() => 0),
    listed: Uint8Array.of(1),
    listedFrom: 0,
    scratch: noScratch,
    points: new Int32Array(1),
    day: 0,
    first: 0,
    before: out,
    beforeFrom: 0,
  })
  return out[0]
}

// Constants are never ranked: cross-sections take columns.
const none32 = new Uint32Array(0)
const noScratch: RankScratch = {
  capacity: 0,
  order: none32,
  values: new Float64Array(0),
  words: none32,
  indices: none32,
  keys: none32,
  places: none32,
  otherKeys: none32,
  otherPlaces: none32,
  lowCounts: none32,
  highCounts: none32,
}

export interface Reach {
  /** Fields read, and trading days before the first wanted one. */
  readonly fields: ReadonlySet<string>
  readonly benchmarks: ReadonlySet<string>
  readonly lookback: number
  /** Something is computed, or counted, from the first day of the panel on. */
  readonly sinceListing: boolean
  readonly crossSection: boolean
  /** Rows that must be held at once to compute it day by day. */
  readonly heldRows: number
  /** Values read to make one value of the result, each row of a window counted. */
  readonly cost: number
  /** Values read for each security and day of the whole panel, whatever days are asked for. */
  readonly historyCost: number
}

/** What is read to compute the operand. */
export function reach({ nodes }: Graph, root: Operand): Reach {
  const fields: string[] = []
  const benchmarks = new Set<string>()
  let lookback = 0
  let crossSection = false
  let countsDays = false
  let heldRows = 0
  let cost = 0
  let historyCost = 0
  // How far back from the result, and from those that read it, each node is looked at; −1 = not at all.
  const fromResult = new Int32Array(nodes.length).fill(-1)
  const fromReaders = new Int32Array(nodes.length)
  // 1 where every day is wanted, because something recursive reads it.
  const always = new Uint8Array(nodes.length)
  fromResult[root.node] = root.delay
  for (let n = root.node; n >= 0; n--) {
    const node = nodes[n]
    if (fromResult[n] < 0 || node.kind === 'constant') continue
    lookback = Math.max(lookback, fromResult[n])
    if (node.kind === 'field') {
      fields.push(node.key)
      continue
    }
    const { operation, inputs } = node
    const { warmUp = 0, weight = 1, reads, wasm } = operation
    if (operation.crossSection) crossSection = true
    if (operation.recursive) always[n] = 1
    if (operation.countsDays) countsDays = true
    for (const key of reads?.fields ?? []) fields.push(key)
    for (const code of reads?.benchmarks ?? []) benchmarks.add(code)
    // Two threads keep their windows of a strip each: of a market of 5,500 less than half.
    heldRows += fromReaders[n] + 1 + Math.ceil((wasm?.slides?.kept ?? 0) * 0.4)
    const own = Math.max(1, inputs.length) * weight
    if (always[n] === 1) historyCost += own
    else cost += own
    lookback = Math.max(lookback, fromResult[n] + warmUp)
    for (const input of inputs) {
      always[input.node] |= always[n]
      fromResult[input.node] = Math.max(fromResult[input.node], fromResult[n] + input.delay + warmUp)
      fromReaders[input.node] = Math.max(fromReaders[input.node], input.delay)
    }
  }
  return {
    fields: new Set(fields.reverse()),
    benchmarks,
    lookback,
    sinceListing: historyCost > 0 || countsDays,
    crossSection,
    heldRows,
    cost,
    historyCost,
  }
}
