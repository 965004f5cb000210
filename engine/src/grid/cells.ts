import type { GridAxis, GridSplit } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import { BufferPool } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { holdRangeOf } from '../screen/compiled-screen.ts'
import { type MarkPrices, markPricesBySecurity } from '../simulation/mark-prices.ts'
import { forMany, heldOtherwise, type Known, prepare, weightedOtherwise } from '../simulation/prepare.ts'
import { simulateEquity } from '../simulation/simulate.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { cellAt, cellIndexesOf, changed, factorsKey, type GridRequest, rankingKey } from './axes.ts'
import { runOf } from './result.ts'
import { finished, refused, type SharedGrid, tablesOf, take, writeFigures } from './shared-grid.ts'
import { tiedPlaces } from './tied-places.ts'

/** What a grid computes on, the same for all of its threads. */
export interface GridWork {
  readonly panel: Panel
  readonly market: Market
  readonly request: GridRequest
  readonly axes: readonly GridAxis[]
  readonly split: GridSplit | undefined
}

/** Cells that are scored by the same factors, by the weights that they are ranked with. */
export type Alike = readonly (readonly number[])[]

/** So few cells that are ranked alike are run sooner than their closes are laid out by security. */
const fewCells = 8

/** The request of each cell, made when it is asked for. Every axis leads to a number. */
export function requestsOf({ request, axes }: Pick<GridWork, 'request' | 'axes'>): (cell: number) => GridRequest {
  const places = cellIndexesOf(axes)
  return (cell) => cellAt(request, axes, places[cell]) as GridRequest
}

/** Groups of cells that share a preparation, each in the order of its first cell. */
export function groupsOf(work: GridWork): Alike[] {
  const cells = cellIndexesOf(work.axes).map((_, k) => k)
  const [byFactors, byRanking] = [keysOf(work, factorsKey), keysOf(work, rankingKey)]
  return sorted(cells, byFactors).map((alike) => sorted(alike, byRanking))
}

/**
 * By cell: a number that is equal for cells with an equal key. Parts of a key that different axes lead to do not know of each other, so a key is as
 * good as those of the request with one axis changed: forty requests instead of two thousand.
 */
function keysOf({ request, axes }: GridWork, keyOf: (request: GridRequest) => string): (cell: number) => number {
  const kinds = axes.map(({ path, values }) => {
    const keys = values.map((value) => keyOf(changed(request, path, value) as GridRequest))
    return keys.map((key) => keys.indexOf(key))
  })
  const places = cellIndexesOf(axes)
  return (cell) => places[cell].reduce((key, place, a) => key * kinds[a].length + kinds[a][place], 0)
}

/** Numbers of equal keys, in the order of the first of each. */
function sorted(numbers: readonly number[], keyOf: (number: number) => number): number[][] {
  const groups = new Map<number, number[]>()
  for (const k of numbers) {
    const key = keyOf(k)
    const known = groups.get(key)
    if (known) known.push(k)
    else groups.set(key, [k])
  }
  return [...groups.values()]
}

/** The one that reads most of a ranking. */
function deepestOf(cells: readonly number[], requestOf: (cell: number) => GridRequest): number {
  const depthOf = ({ parameters: { hold_method: hold } }: GridRequest) => hold.hold_range_end + hold.hold_threshold
  return cells.reduce((a, b) => (depthOf(requestOf(b)) > depthOf(requestOf(a)) ? b : a))
}

export interface Refused {
  readonly problem: Problem
  readonly cell: number
}

type Ranked =
  | { readonly ok: true; readonly simulation: Simulation; readonly warnings: readonly string[] }
  | ({ readonly ok: false } & Refused)

/** What a thread keeps from group to group of a grid. */
export class Kept {
  /** For what all groups share, and for the tables of a single one. Of many each has memory of its own, or that of all would be kept. */
  readonly #buffers: BufferPool
  readonly #isSingle: boolean
  #marks: MarkPrices | null = null

  constructor(groups: number, buffers: BufferPool) {
    this.#buffers = buffers
    this.#isSingle = groups === 1
  }

  get tables(): BufferPool {
    return this.#isSingle ? this.#buffers : new BufferPool()
  }

  /** Closes by security. Whatever varies, the days are the same. */
  marksOf({ panel, first, last }: Simulation): MarkPrices {
    this.#marks ??= markPricesBySecurity(panel, first, last, this.#buffers)
    return this.#marks
  }
}

/** Ranks what the cells of a group share. `known`: another thread has ranked it. Yields while ranking. */
export function* rankedFor(
  work: GridWork,
  alike: Alike,
  requestOf: (cell: number) => GridRequest,
  kept: Kept,
  known?: Known,
): Generator<void, Ranked> {
  const cell = deepestOf(alike[0], requestOf)
  const prepared = yield* prepare(work.panel, work.market, requestOf(cell), { normalized: alike.length > 1, buffers: kept.tables, known })
  if (!prepared.ok) return { ok: false, problem: prepared.problem, cell }
  const { simulation, warnings } = prepared
  const tied = tiedPlaces(work.axes, simulation.rankings, (path, value) => {
    const made = changed(work.request, path, value)
    const range = made && holdRangeOf(made.parameters)
    return typeof range === 'string' ? null : range
  })
  const isMany = known === undefined && alike.reduce((sum, cells) => sum + cells.length, 0) >= fewCells
  return { ok: true, simulation: isMany ? forMany(simulation, kept.marksOf(simulation)) : simulation, warnings: [...warnings, ...tied] }
}

/**
 * Runs the cells of a group that nobody has taken: of the first weights the ranking that is given, of others its ranks weighted otherwise.
 * Yields after each. Returns the first cell that cannot be run.
 */
export function* runCells(
  work: GridWork,
  grid: SharedGrid,
  alike: Alike,
  requestOf: (cell: number) => GridRequest,
  kept: Kept,
  ranked: Simulation,
  from: 'first' | 'last',
): Generator<void, Refused | null> {
  const { days } = grid
  const room = { returns: new Float64Array(days), turnover: new Float64Array(days) }
  const inOrder = <T>(list: readonly T[]) => (from === 'first' ? list : list.toReversed())
  for (const cells of inOrder(alike)) {
    let run = cells === alike[0] ? ranked : null
    const buffers = new BufferPool()
    for (const cell of inOrder(cells)) {
      if (!take(grid.cells, cell)) continue
      if (run === null) run = weightedOtherwise(ranked, requestOf(cells[0]), buffers)
      if (run === null) {
        const again = yield* rankedFor(work, [cells], requestOf, kept)
        if (!again.ok) return refuse(grid, again, cell)
        run = again.simulation
      }
      const cellRun = heldOtherwise(run, requestOf(cell))
      if (!cellRun.ok) return refuse(grid, { problem: cellRun.problem, cell }, cell)
      writeFigures(grid, runOf(cell, simulateEquity(cellRun.simulation), work.split, tablesOf(grid, cell), room))
      Atomics.store(grid.cells, cell, finished)
      Atomics.add(grid.done, 0, 1)
      yield
    }
    buffers.release()
  }
  return null
}

function refuse(grid: SharedGrid, { problem, cell }: Refused, taken: number): Refused {
  Atomics.store(grid.cells, taken, refused)
  return { problem, cell }
}
