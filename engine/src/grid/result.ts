import type { GridAxis, GridResult, GridSplit, ShortMetrics } from '@convexa/contract'
import { yearDays } from '../base/calendar.ts'
import { orNull, rounded } from '../base/round.ts'
import { pairOf, spearman } from '../kernels/correlation.ts'
import { leastDays, ratios, returnsOf, sharpePerDay, turnoverOf } from '../report/metrics.ts'
import { deviation, kurtosis, skewness } from '../report/moments.ts'
import { relative } from '../report/periods.ts'
import { deflatedSharpe, luckThreshold } from '../report/robustness/luck.ts'
import { overfittingOf, type SharedSplits } from '../report/robustness/overfitting.ts'
import { blockSums } from '../report/robustness/split-sums.ts'
import { shortMetrics } from '../report/short-metrics.ts'
import type { EquityCurve } from '../simulation/ledger.ts'
import { Field, spanText } from './neighbours.ts'

/** Cells up to which a grid returns curves, and points of each curve. */
const [curveLimit, curvePoints] = [200, 250]
/** A plateau holds this share of its best. */
const plateauShare = 0.8

/** Buffers for daily series of a cell, for reuse by callers that run many cells. */
export interface DailyRoom {
  readonly returns: Float64Array
  readonly turnover: Float64Array
}

/** Results kept of a cell that was run. */
export interface Run {
  readonly cell: number
  readonly nav: Float64Array
  /** Its returns by blocks of days (`blockSums`), and their Sharpe ratio, not annualised. */
  readonly blocks: Float64Array
  readonly sharpePerDay: number
  /** Of the days inside the sample, and of those kept outside. */
  readonly inside: ShortMetrics
  readonly outside: ShortMetrics | null
}

/** `nav`, `blocks`: where the curve of the cell and the sums of its returns are written; `room`: for its daily numbers. */
export function runOf(
  cell: number,
  curve: EquityCurve,
  split: GridSplit | undefined,
  { nav, blocks }: Pick<Run, 'nav' | 'blocks'>,
  room: DailyRoom,
): Run {
  const { equity, capital } = curve
  const days = equity.length
  for (let day = 0; day < days; day++) nav[day] = equity[day] / capital
  const turnover = turnoverOf(curve, room.turnover)
  const returns = returnsOf(nav, room.returns)
  blockSums(returns, blocks)
  const own = { cell, nav, blocks, sharpePerDay: sharpePerDay(returns) }
  const cut = cutOf(days, split)
  const part = (from: number, to: number) => shortMetrics(relative(nav, from, to - 1), turnover.subarray(from, to))
  if (cut === null) return { ...own, inside: shortMetrics(nav, turnover, returns, own.sharpePerDay), outside: null }
  return { ...own, inside: part(0, cut), outside: part(cut, days) }
}

/** Summary of the cells that were run; `places` are their indices along the axes. */
export function resultOf(
  axes: readonly GridAxis[],
  total: number,
  places: readonly number[][],
  runs: readonly Run[],
  dates: readonly string[],
  split: GridSplit | undefined,
  share?: (splits: SharedSplits) => () => void,
): Omit<GridResult, 'elapsed_ms' | 'warnings' | 'data_version'> {
  const days = dates.length
  const sharpes = runs.map(({ inside }) => inside.sharpe ?? Number.NaN)
  const field = new Field(axes, places, sharpes)
  const best = sharpes.reduce((top, value, k) => (value > (sharpes[top] ?? Number.NEGATIVE_INFINITY) ? k : top), -1)
  const folds = split?.type === 'walk_forward' ? foldsOf(runs, places, dates, split.value) : null
  const points = pointsOf(days)
  const curves = withCurves(runs.length)
  return {
    axes: [...axes],
    cells: runs.map(({ nav, inside, outside }, k) => ({
      index: places[k],
      metrics: inside,
      ...(outside ? { oos_metrics: outside } : {}),
      ...(curves ? { nav: curveOf(nav, 1) } : {}),
    })),
    ...(curves ? { dates: points.map((day) => dates[day]) } : {}),
    best: best < 0 ? null : { index: places[best] },
    plateau: plateauOf(field, axes, places, sharpes, best),
    stability: places.map((index, k) => ({ index, neighbour_std: orNull(field.spread(k)) })),
    oos_rank_correlation: runs.some(({ outside }) => outside)
      ? correlation(
          sharpes,
          runs.map(({ outside }) => outside?.sharpe ?? Number.NaN),
        )
      : null,
    ...(folds ? { folds } : {}),
    robustness: robustnessOf(runs, best, { inside: cutOf(days, split) ?? days, days }, share),
    partial: runs.length < total,
    done: runs.length,
    total,
  }
}

/** Whether a grid of so many cells returns curves. */
export const withCurves = (cells: number): boolean => cells <= curveLimit

/** Daily values at the points of a returned curve, as multiples of `base`. */
export const curveOf = (values: Float64Array, base: number): number[] => pointsOf(values.length).map((day) => rounded(values[day] / base))

/** The first day outside the sample; null when nothing is kept outside. */
export function cutOf(days: number, split: GridSplit | undefined): number | null {
  if (!split) return null
  const cut = split.type === 'ratio' ? Math.floor(days * (1 - split.value)) : split.value * yearDays
  return cut >= leastDays && days - cut >= leastDays ? cut : null
}

/** Each year after a training of some years: the cell that was best in the training, and how it did in the year. */
function foldsOf(
  runs: readonly Run[],
  places: readonly number[][],
  dates: readonly string[],
  years: number,
): NonNullable<GridResult['folds']> {
  const folds: NonNullable<GridResult['folds']> = []
  const train = years * yearDays
  for (let from = 0; from + train + leastDays <= dates.length; from += yearDays) {
    const [middle, end] = [from + train, Math.min(dates.length, from + train + yearDays)]
    const sharpe = ({ nav }: Run, a: number, b: number) => ratios(returnsOf(relative(nav, a, b - 1))).sharpe
    const values = runs.map((run) => sharpe(run, from, middle))
    const best = values.reduce((top, value, k) => (value > (values[top] ?? Number.NEGATIVE_INFINITY) ? k : top), -1)
    if (best < 0) continue
    folds.push({
      train_start: dates[from],
      train_end: dates[middle - 1],
      test_start: dates[middle],
      test_end: dates[end - 1],
      best: places[best],
      train_sharpe: orNull(values[best]),
      test_sharpe: orNull(sharpe(runs[best], middle, end)),
    })
  }
  return folds
}

function plateauOf(
  field: Field,
  axes: readonly GridAxis[],
  places: readonly number[][],
  sharpes: readonly number[],
  best: number,
): GridResult['plateau'] {
  const centre = field.centre()
  if (centre < 0 || axes.length === 0) return { cells: [], sentence: '没有可比较的参数组合。' }
  const top = Math.max(...field.around(centre))
  if (!(top > 0)) return { cells: [], sentence: '所有邻近的参数组合夏普都不为正，没有平台区。' }
  const region = field.region(centre, plateauShare * top)
  const members = region.map((cell) => places[cell])
  const values = region.map((cell) => sharpes[cell])
  const parts = [`平台区：${spanText(axes, members)}，夏普 ${Math.min(...values).toFixed(2)} – ${Math.max(...values).toFixed(2)}`]
  if (!region.includes(best)) {
    const near = field.around(best)
    const gap = sharpes[best] - (near.reduce((sum, value) => sum + value, 0) - sharpes[best]) / Math.max(1, near.length - 1)
    parts.push(`最高点（${spanText(axes, [places[best]])}）比相邻格平均高 ${gap.toFixed(2)}，不在平台上，可能是偶然`)
  }
  return { cells: members, sentence: `${parts.join('；')}。` }
}

/**
 * How likely the best of so many cells is luck. The threshold is what luck reaches on the days that cells are compared on, those `inside`
 * the sample: the fewer, the higher. The rest is of all days; the spread of the cells' Sharpe ratios is that of the trials.
 */
function robustnessOf(
  runs: readonly Run[],
  best: number,
  { inside, days }: { readonly inside: number; readonly days: number },
  share?: (splits: SharedSplits) => () => void,
): GridResult['robustness'] {
  const trials = runs.length
  const luck = inside >= leastDays ? orNull(luckThreshold(trials, inside / yearDays)) : null
  if (best < 0) return { trials, luck_threshold: luck, dsr: null, pbo: null }
  const perDay = runs.map((run) => run.sharpePerDay).filter((value) => Number.isFinite(value))
  const { nav, sharpePerDay: sharpe } = runs[best]
  const own = returnsOf(nav)
  const figures = { sharpe, periods: days, skew: skewness(own), kurtosis: kurtosis(own) + 3 }
  const spread = perDay.length > 1 ? deviation(perDay) : undefined
  return {
    trials,
    luck_threshold: luck,
    dsr: orNull(deflatedSharpe(figures, trials, spread)),
    pbo:
      overfittingOf(
        runs.map((run) => run.blocks),
        days,
        share,
      )?.probability ?? null,
  }
}

function correlation(x: readonly number[], y: readonly number[]): number | null {
  return orNull(spearman(Float64Array.from(x), Float64Array.from(y), pairOf(x.length)))
}

/** Evenly spread days, the last one among them. */
function pointsOf(days: number): number[] {
  const step = Math.max(1, Math.ceil(days / curvePoints))
  const points: number[] = []
  for (let day = (days - 1) % step; day < days; day += step) points.push(day)
  return points
}
