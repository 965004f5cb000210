/**
 * How several results are computed together: in which order, and where each row lies.
 *
 * Nodes are taken in stages. A stage of columns goes strip by strip of securities, in blocks of days, node after node: what it
 * works on stays in the processor's cache. A stage of cross-sections goes day by day over whole rows. What another stage reads
 * lies in whole rows, the rest in rows of a strip; both are used again as soon as nothing reads them any more.
 */
import type { Panel } from '../panel/panel.ts'
import type { Graph, Kernel, Node, Operand, WasmCall } from './graph.ts'
import { type Layout, layOut } from './layout.ts'
import { orderOf } from './order.ts'
import { requiredDays } from './required-days.ts'

/**
 * Securities of a strip at most, and days that a node is computed for before the next node's turn: what a node reads and writes in its turn fits
 * into the second cache together with the rows that windows look back at.
 */
const stripWidth = 1024
const blockDays = 8
/** Where whole rows of all days are too much, so many days are done at a time. */
const pieceDays = 64

/** Where the rows of a node are: that of a day at base + (day % period) · stride + strip · ofStrip, in cells. */
export interface Rows {
  readonly base: number
  readonly period: number
  readonly stride: number
  readonly ofStrip: number
  /** The row of days before the first one. */
  readonly outside: number
}

export type Step =
  | { readonly kind: 'load'; readonly key: string; readonly days: Uint8Array; readonly result: Rows }
  | {
      readonly kind: 'run'
      readonly run: Kernel
      readonly wasm: WasmCall | null
      readonly inputs: readonly Rows[]
      readonly delays: readonly number[]
      /** 1 on the days that are wanted. */
      readonly days: Uint8Array
      readonly result: Rows
      /** Where this thread keeps the windows that slide. */
      readonly kept: number
    }
  | { readonly kind: 'answer'; readonly root: number; readonly source: Rows; readonly delay: number }

export interface Stage {
  readonly crossSection: boolean
  readonly steps: readonly Step[]
}

export interface Plan {
  readonly stages: readonly Stage[]
  readonly firstDay: number
  readonly lastDay: number
  /** Days that all stages are done for before the next ones, and a strip's nodes one after the other. */
  readonly piece: number
  readonly block: number
  /** Securities of a strip, and strips. */
  readonly width: number
  readonly strips: number
  /** Rows that are filled once. */
  readonly fills: readonly { readonly at: number; readonly value: number }[]
  /** Cells of a whole row. */
  readonly wide: number
  /** Cells of the rows that all threads read, and of what each thread has for itself behind them. */
  readonly shared: number
  readonly ofThread: number
  /** This thread's table of inputs, room to work in, and row of an answer. */
  readonly table: number
  readonly scratch: number
  readonly masked: number
  readonly mostInputs: number
}

/** An even number, so that two threads have as much to do. */
const stripsOf = (securities: number): number => (securities <= stripWidth ? 1 : 2 * Math.ceil(securities / stripWidth / 2))

export function planOf(
  graph: Graph,
  roots: readonly Operand[],
  panel: Panel,
  days: ArrayLike<number>,
  budget: number,
  place: number,
): Plan {
  const { nodes } = graph
  const wanted = requiredDays(nodes, roots, panel.dates.length, days)
  const { firstDay, lastDay } = wanted
  const order = orderOf(nodes, roots, wanted.days)
  const securities = panel.securities.length
  const range = lastDay - firstDay + 1
  const wide = padded(securities)
  const strips = stripsOf(securities)
  const width = padded(Math.ceil(securities / strips))
  const block = Math.min(blockDays, range)
  const laidOut = (piece: number) => layOut(nodes, order, wanted, { range, piece, block, width, strips, wide, narrow: padded(width) })
  const atOnce = laidOut(range)
  const isMuch = order.stages.length > 1 && range > pieceDays && 8 * sharedCells(atOnce) > budget
  const inPieces = isMuch ? laidOut(pieceDays) : atOnce
  // Rows that are looked back at from piece to piece may take more than what they save.
  const isSmaller = budget === 0 || sharedCells(inPieces) < sharedCells(atOnce)
  const layout = isMuch && isSmaller ? inPieces : atOnce
  const sizes = { range, block, piece: isMuch && isSmaller ? pieceDays : range }
  const { kept } = layout

  const fills: { at: number; value: number }[] = []
  const known = new Map<number, number>()
  /** Where the row is that holds this value in every cell. */
  const filled = (value: number): number => {
    const at = known.get(value) ?? kept.take(wide)
    if (!known.has(value)) fills.push({ at, value })
    known.set(value, at)
    return at
  }
  const absent = filled(Number.NaN)
  const outsideOf = (node: Node) =>
    node.kind === 'operation' && node.operation.outside !== undefined ? filled(node.operation.outside) : absent
  for (const node of nodes) if (node.kind === 'constant') filled(node.value)
  for (const node of nodes) outsideOf(node)

  const mostInputs = nodes.reduce((most, node) => (node.kind === 'operation' ? Math.max(most, node.inputs.length) : most), 1)
  const shared = sharedCells(layout)
  // Windows that slide have a day's address for each series and for the result, and the days of a turn besides.
  const own = { table: 0, scratch: lined(mostInputs + 2 * blockDays), masked: 0, kept: 0, local: 0, cells: 0 }
  own.masked = own.scratch + scratchCells(securities)
  own.kept = own.masked + wide
  const keptOf = nodes.map((node, n) =>
    wanted.days[n] && node.kind === 'operation' ? (node.operation.wasm?.slides?.kept ?? 0) * width : 0,
  )
  own.local = own.kept + lined(keptOf.reduce((sum, cells) => sum + cells, 0))
  own.cells = own.local + layout.local
  const ownAt = shared + place * own.cells
  const begins = { kept: 0, whole: kept.most(), local: ownAt + own.local }
  const rows = nodes.map((node, n): Rows => {
    if (node.kind === 'constant') return { base: filled(node.value), period: 1, stride: 0, ofStrip: 0, outside: filled(node.value) }
    const place = layout.places[n]
    if (!place) return { base: 0, period: 1, stride: 0, ofStrip: 0, outside: 0 }
    const { region, base, ...steps } = place
    return { ...steps, base: begins[region] + base, outside: outsideOf(node) }
  })
  let nextKept = ownAt + own.kept
  const stepOf = (n: number): Step => {
    const node = nodes[n]
    const own = { days: wanted.days[n] as Uint8Array, result: rows[n] }
    if (node.kind === 'field') return { kind: 'load', key: node.key, ...own }
    if (node.kind === 'constant') throw new Error('a constant is no step')
    const { operation, inputs } = node
    const kept = nextKept
    nextKept += keptOf[n]
    return {
      ...{ kind: 'run', run: operation.open ? operation.open(panel) : operation.run, wasm: operation.wasm ?? null },
      ...{ inputs: inputs.map((input) => rows[input.node]), delays: inputs.map(({ delay }) => delay), ...own, kept },
    }
  }
  const stages = order.stages.map(({ crossSection, members, answers }) => ({
    crossSection,
    steps: [...members.flatMap((n): Step[] => [stepOf(n), ...answersOf(n)]), ...answers.map(answer)],
  }))
  function answer(root: number): Step {
    return { kind: 'answer', root, source: rows[roots[root].node], delay: roots[root].delay }
  }
  function answersOf(n: number): Step[] {
    return order.answersOf.get(n)?.map(answer) ?? []
  }
  return {
    ...{ stages, firstDay, lastDay, ...sizes, width, strips, fills, wide, shared, ofThread: own.cells, mostInputs },
    ...{ table: ownAt, scratch: ownAt + own.scratch, masked: ownAt + own.masked },
  }
}

const sharedCells = ({ kept, whole }: Layout) => kept.most() + whole.most()

/** Room to work in: for a ranking two numbers for each security and tables of counts, for groups four numbers for each. */
const scratchCells = (securities: number) => 4 * (lined(securities) + 4_096)

/** Up to the next line of the cache. */
const lined = (cells: number) => Math.ceil(cells / 8) * 8

/** Rows begin on lines of the cache, and not a power of two apart: those that are share the same lines. Four cells are read at once. */
const padded = (cells: number): number => {
  const lines = lined(cells)
  return lines % 256 === 0 ? lines + 8 : lines
}
