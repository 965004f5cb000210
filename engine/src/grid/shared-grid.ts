import type { ShortMetrics } from '@convexa/contract'
import type { BufferPool } from '../kernels/index.ts'
import { blocks } from '../report/robustness/split-sums.ts'
import type { Run } from './result.ts'

/**
 * State of a grid that its threads share. The leader ranks, offers cells to helper threads and makes the result. Each helper has a place in
 * `helpers`, given by its host, which may ask it to leave. Cells are taken one by one, by the leader from the first on and by helpers from the
 * last, so that cells that are ranked alike stay with one thread. Every thread runs a cell the same way.
 */
export interface SharedGrid {
  /** 0: 1 when nothing more is wanted. Then the places: see `Place`. */
  readonly helpers: Int32Array
  /** By group of cells scored by the same factors: see `State`. */
  readonly groups: Int32Array
  /** By cell. */
  readonly cells: Int32Array
  /** How many cells are run. */
  readonly done: Int32Array
  /** cells × days. */
  readonly days: number
  readonly nav: Float64Array
  /** cells × sums of blocks of returns. */
  readonly blocks: Float64Array
  /** cells × metrics of `shortMetrics`, inside and outside of the sample, and the daily Sharpe ratio; NaN is absent. */
  readonly figures: Float64Array
  /** groups × warnings of their preparation, as JSON; 0 ends it. */
  readonly texts: Uint16Array
}

export const free = 0
export const taken = 1
export const finished = 2
/** A thread found that it cannot be run: the leader takes it again when nothing else is left, and refuses it in words. */
export const refused = 3

/** State of a helper's place: empty, at work, asked to leave. */
export const [nobody, atWork, askedToLeave] = [0, 1, 2]
export const maxHelpers = 63

const keys = [
  'total_return',
  'annual_return',
  'max_drawdown',
  'sharpe',
  'calmar',
  'turnover',
  'win_rate',
] as const satisfies (keyof ShortMetrics)[]
const perCell = 2 * keys.length + 1
const perText = 2_048

const sharedIntegers = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * length))

/** The larger tables lie in pooled buffers, which are released when no helper is at work any more. */
export function sharedGrid(groups: number, cells: number, days: number, buffers: BufferPool): SharedGrid {
  return {
    helpers: sharedIntegers(1 + maxHelpers),
    groups: sharedIntegers(groups),
    cells: sharedIntegers(cells),
    done: sharedIntegers(1),
    days,
    nav: buffers.doubles(cells * days),
    blocks: buffers.doubles(cells * 2 * blocks),
    figures: buffers.doubles(cells * perCell),
    texts: new Uint16Array(new SharedArrayBuffer(2 * groups * perText)),
  }
}

/** Takes what is free. */
export const take = (states: Int32Array, at: number): boolean => Atomics.compareExchange(states, at, free, taken) === free

export const isOver = ({ helpers }: Pick<SharedGrid, 'helpers'>): boolean => Atomics.load(helpers, 0) === 1

export const end = ({ helpers }: Pick<SharedGrid, 'helpers'>): void => {
  Atomics.store(helpers, 0, 1)
}

export const isAtWork = ({ helpers }: Pick<SharedGrid, 'helpers'>, place: number): boolean => Atomics.load(helpers, place) === atWork

export function leave({ helpers }: Pick<SharedGrid, 'helpers'>, place: number): void {
  Atomics.store(helpers, place, nobody)
  Atomics.notify(helpers, place)
}

/** Whether no helper is at work. */
export const isLeft = ({ helpers }: Pick<SharedGrid, 'helpers'>): boolean =>
  helpers.every((_, place) => place === 0 || Atomics.load(helpers, place) === nobody)

/** How long helpers are waited for before it is asked again whether to go on. */
const patienceMs = 20

/** Waits until no helper is at work. Yields now and then. */
export function* untilLeft({ helpers }: Pick<SharedGrid, 'helpers'>): Generator<void, void> {
  for (let place = 1; place < helpers.length; place++) {
    for (let state = Atomics.load(helpers, place); state !== nobody; state = Atomics.load(helpers, place)) {
      if (Atomics.wait(helpers, place, state, patienceMs) === 'timed-out') yield
    }
  }
}

/** Writes what a group's preparation told; false when there is no room for it. */
export function writeWarnings({ texts }: SharedGrid, group: number, warnings: readonly string[]): boolean {
  const text = JSON.stringify(warnings)
  if (text.length >= perText) return false
  for (let k = 0; k < text.length; k++) texts[group * perText + k] = text.charCodeAt(k)
  return true
}

/** Of a group that nobody has prepared: none. */
export function warningsOf({ texts }: SharedGrid, group: number): string[] {
  let text = ''
  for (let k = group * perText; texts[k] !== 0; k++) text += String.fromCharCode(texts[k])
  return text === '' ? [] : (JSON.parse(text) as string[])
}

/** Where a cell's own are written. */
export function tablesOf({ days, nav, blocks: sums }: SharedGrid, cell: number): Pick<Run, 'nav' | 'blocks'> {
  const part = (values: Float64Array, length: number) => values.subarray(cell * length, (cell + 1) * length)
  return { nav: part(nav, days), blocks: part(sums, 2 * blocks) }
}

export function writeFigures({ figures }: SharedGrid, { cell, inside, outside, sharpePerDay }: Run): void {
  const write = (metrics: ShortMetrics | null, from: number) => {
    keys.forEach((key, k) => {
      figures[from + k] = metrics?.[key] ?? Number.NaN
    })
  }
  write(inside, cell * perCell)
  write(outside, cell * perCell + keys.length)
  figures[cell * perCell + 2 * keys.length] = sharpePerDay
}

/** The cells that are run so far, in their order. `split`: they have figures outside of the sample. */
export function runsOf(grid: SharedGrid, split: boolean): Run[] {
  const { cells, figures } = grid
  const read = (from: number) => {
    const metrics: Partial<Record<keyof ShortMetrics, number | null>> = {}
    keys.forEach((key, k) => {
      const value = figures[from + k]
      metrics[key] = value === value ? value : null
    })
    return metrics as ShortMetrics
  }
  const runs: Run[] = []
  for (let cell = 0; cell < cells.length; cell++) {
    if (Atomics.load(cells, cell) !== finished) continue
    const at = cell * perCell
    const outside = split ? read(at + keys.length) : null
    runs.push({ cell, ...tablesOf(grid, cell), sharpePerDay: figures[at + 2 * keys.length], inside: read(at), outside })
  }
  return runs
}
