import type { GridBody, GridResult } from '@convexa/contract/grid'
import { valueWords } from './axis-choices.ts'
import type { ShownAxis } from './grid-request.ts'

export type Cell = GridResult['cells'][number]

/** An answer with its cells by place, as the page reads it. */
export interface GridModel {
  result: GridResult
  axes: readonly ShownAxis[]
  cells: ReadonlyMap<string, Cell>
  /** Neighbours that are nearly as good as the best around them. */
  alike: ReadonlySet<string>
  /** The same, where they are a plateau: at least three cells, and no more than most of the grid; else empty. */
  plateau: ReadonlySet<string>
  /** Spread among neighbours by place. */
  spread: ReadonlyMap<string, number | null>
  best: string | null
  /** Where the draft stands, if it is one of the cells. */
  current: string | null
  /** Cells have figures from outside the sample. */
  hasOutside: boolean
  /** First out-of-sample day among the days of the curves; null also without curves. */
  oosStart: string | null
  /** Length of the days that `metrics` cover: the in-sample days where some are held out. */
  years: number
}

export const placeKey = (index: readonly number[]): string => index.join()
export const placeOf = (key: string): number[] => (key === '' ? [] : key.split(',').map(Number))

/** A plateau has as many cells, and at most this share of all (experience.md 1.5). */
export const leastPlateau = 3
const mostPlateau = 0.6

/** @param body what was asked */
export function modelOf(result: GridResult, axes: readonly ShownAxis[], { settings, oos }: Pick<GridBody, 'settings' | 'oos'>): GridModel {
  const current = axes.map(({ values, now }) => (now === null ? -1 : values.indexOf(now)))
  const alike = new Set(result.plateau.cells.map(placeKey))
  const hasOutside = result.cells.some((cell) => cell.oos_metrics)
  return {
    result,
    axes,
    cells: new Map(result.cells.map((cell) => [placeKey(cell.index), cell])),
    alike,
    plateau: alike.size >= leastPlateau && alike.size <= mostPlateau * result.cells.length ? alike : new Set(),
    spread: new Map(result.stability.map(({ index, neighbour_std }) => [placeKey(index), neighbour_std])),
    best: result.best && placeKey(result.best.index),
    current: axes.length > 0 && current.every((i) => i >= 0) ? placeKey(current) : null,
    hasOutside,
    oosStart: hasOutside ? (startOf(oos, result.dates ?? []) ?? null) : null,
    years: yearsOf(settings, hasOutside ? oos : undefined),
  }
}

const yearMs = 365.25 * 86_400_000

function yearsOf({ start_date, end_date }: GridBody['settings'], split: GridBody['oos']): number {
  const all = (Date.parse(end_date) - Date.parse(start_date)) / yearMs
  if (!split) return all
  return split.type === 'ratio' ? all * (1 - split.value) : split.value
}

/** Curves have a point every few days: near enough to draw a line at. */
function startOf(split: { type: string; value: number } | undefined, dates: readonly string[]): string | undefined {
  if (!split) return undefined
  if (split.type === 'ratio') return dates[Math.floor(dates.length * (1 - split.value))]
  const from = dates[0]
  return from && dates.find((date) => Date.parse(date) - Date.parse(from) >= split.value * yearMs)
}

/** `持有数量 10 只 × 轮动周期 1 日`. */
export const cellName = (axes: readonly ShownAxis[], index: readonly number[]): string =>
  axes.map((axis, a) => `${axis.label} ${valueWords(axis, axis.values[index[a] ?? 0] ?? Number.NaN)}`).join(' × ')

/** `10 只，1 日`. */
export const cellShort = (axes: readonly ShownAxis[], index: readonly number[]): string =>
  axes.map((axis, a) => valueWords(axis, axis.values[index[a] ?? 0] ?? Number.NaN)).join('，')

/** Those one step away along any of the axes, corners included. */
function neighboursOf({ cells, axes }: Pick<GridModel, 'cells' | 'axes'>, index: readonly number[]): Cell[] {
  const steps = axes.reduce<number[][]>(
    (made, _, a) => made.flatMap((one) => [-1, 0, 1].map((step) => [...one, (index[a] ?? 0) + step])),
    [[]],
  )
  return steps.flatMap((place) => {
    const cell = cells.get(placeKey(place))
    return cell && placeKey(place) !== placeKey(index) ? [cell] : []
  })
}

/** Sharpe ratios of those beside a cell: their mean and the least of them; null where none is known. */
export function besideOf(model: Pick<GridModel, 'cells' | 'axes'>, index: readonly number[]): { mean: number; least: number } | null {
  const known = neighboursOf(model, index).flatMap(({ metrics }) => metrics.sharpe ?? [])
  if (known.length === 0) return null
  return { mean: known.reduce((sum, value) => sum + value, 0) / known.length, least: Math.min(...known) }
}
