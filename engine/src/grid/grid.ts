import type { GridAxis, GridResult, GridSplit } from '@convexa/contract'
import { forMany, heldOtherwise, type Prepared, prepare } from '../backtest/prepare.ts'
import { type Money, moneyOf } from '../backtest/simulate.ts'
import type { Problem } from '../expression/index.ts'
import { pairOf, spearman } from '../kernels/correlation.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { refusal } from '../problem.ts'
import { leastDays, ratios, returnsOf, yearDays } from '../report/metrics.ts'
import { deviation, kurtosis, mean, skewness } from '../report/moments.ts'
import { relative } from '../report/periods.ts'
import { deflatedSharpe, luckThreshold } from '../report/robustness/luck.ts'
import { overfittingOf } from '../report/robustness/overfitting.ts'
import { orNull, rounded } from '../report/round.ts'
import { shortMetrics } from '../report/short-metrics.ts'
import { cellAt, changed, type GridRequest, placesOf, rankingKey } from './axes.ts'
import { Field, spanText } from './neighbours.ts'

export type GridOutcome = { ok: true; result: Omit<GridResult, 'elapsed_ms'> } | { ok: false; problem: Problem }

/** Cells whose curves are told, and points of each. */
const [curvesTold, curvePoints] = [200, 250]
/** So few cells that are ranked alike are run sooner than their closes are laid out by security. */
const fewCells = 8
/** A plateau holds this share of its best. */
const plateauShare = 0.8

interface Cell {
  readonly place: readonly number[]
  readonly request: GridRequest
}

/** What is kept of a cell that was run. */
interface Run {
  readonly cell: number
  readonly nav: Float64Array
  readonly turnover: Float64Array
}

/**
 * 参数网格 (domain.md 5.11): the same request with up to three of its numbers varied. Cells that are ranked alike share their ranking. Yields after
 * every cell with what has been done; `return` at a yield ends it, and `next(true)` asks for the result with what is done so far.
 */
export function* grid(
  panel: Panel,
  market: Market,
  request: GridRequest,
  axes: readonly GridAxis[],
  split?: GridSplit,
): Generator<{ done: number; total: number }, GridOutcome, boolean | undefined> {
  const wrong = axes.find(({ path, values }) => changed(request, path, values[0]) === null)
  if (wrong) return { ok: false, problem: refusal('backtest', `坐标轴「${wrong.label}」不是请求里的数字`) }
  const cells = placesOf(axes).flatMap((place): Cell[] => {
    const made = cellAt(request, axes, place)
    return made ? [{ place, request: made }] : []
  })
  const total = cells.length
  const runs: Run[] = []
  const warnings = new Set<string>()
  let dates: readonly string[] = []
  let stopped = false
  for (const group of groupsOf(cells)) {
    const deepest = group.reduce((a, b) => (depthOf(cells[b].request) > depthOf(cells[a].request) ? b : a))
    const preparing = prepare(panel, market, cells[deepest].request)
    let step = preparing.next()
    while (!step.done) {
      if (yield { done: runs.length, total }) stopped = true
      if (stopped) break
      step = preparing.next()
    }
    if (!step.done) break
    const prepared: Prepared = step.value
    if (!prepared.ok) return named(prepared.problem, axes, cells[deepest].place)
    for (const warning of prepared.warnings) warnings.add(warning)
    const { first, last } = prepared.simulation
    dates = panel.dates.slice(first, last + 1)
    const run = group.length < fewCells ? prepared.simulation : forMany(prepared.simulation)
    for (const cell of group) {
      const held = heldOtherwise(run, cells[cell].request)
      if (!held.ok) return named(held.problem, axes, cells[cell].place)
      runs.push(kept(cell, moneyOf(held.simulation)))
      if (yield { done: runs.length, total }) stopped = true
      if (stopped) break
    }
    if (stopped) break
  }
  runs.sort((a, b) => a.cell - b.cell)
  return {
    ok: true,
    result: { ...resultOf(cells, runs, axes, dates, split), total, warnings: [...warnings], data_version: panel.dataVersion },
  }
}

/** Cells by what they are ranked by, in the order of the first of each. */
function groupsOf(cells: readonly Cell[]): number[][] {
  const groups = new Map<string, number[]>()
  cells.forEach(({ request }, k) => {
    const key = rankingKey(request)
    const known = groups.get(key)
    if (known) known.push(k)
    else groups.set(key, [k])
  })
  return [...groups.values()]
}

const depthOf = ({ parameters: { hold_method: hold } }: GridRequest): number => hold.hold_range_end + hold.hold_threshold

const kept = (cell: number, { equity, capital, bought, sold, before }: Money): Run => ({
  cell,
  nav: equity.map((value) => value / capital),
  turnover: equity.map((_, day) => (bought[day] + sold[day]) / 2 / before[day]),
})

function named(problem: Problem, axes: readonly GridAxis[], place: readonly number[]): GridOutcome {
  const where = axes.map(({ label, values }, a) => `${label} ${values[place[a]]}`).join('，')
  return { ok: false, problem: where === '' ? problem : { ...problem, message: `${problem.message}（${where}）` } }
}

function resultOf(
  cells: readonly Cell[],
  runs: readonly Run[],
  axes: readonly GridAxis[],
  dates: readonly string[],
  split: GridSplit | undefined,
): Omit<GridResult, 'elapsed_ms' | 'total' | 'warnings' | 'data_version'> {
  const days = dates.length
  const places = runs.map(({ cell }) => [...cells[cell].place])
  const cut = cutOf(days, split)
  const part = ({ nav, turnover }: Run, from: number, to: number) => shortMetrics(relative(nav, from, to - 1), turnover.subarray(from, to))
  const inside = runs.map((run) => part(run, 0, cut ?? days))
  const outside = cut === null ? null : runs.map((run) => part(run, cut, days))
  const sharpes = inside.map(({ sharpe }) => sharpe ?? Number.NaN)
  const field = new Field(axes, places, sharpes)
  const best = sharpes.reduce((top, value, k) => (value > (sharpes[top] ?? Number.NEGATIVE_INFINITY) ? k : top), -1)
  const folds = split?.type === 'walk_forward' ? foldsOf(runs, places, dates, split.value) : null
  const points = pointsOf(days)
  const withCurves = runs.length <= curvesTold
  return {
    axes: [...axes],
    cells: runs.map(({ nav }, k) => ({
      index: places[k],
      metrics: inside[k],
      ...(outside ? { oos_metrics: outside[k] } : {}),
      ...(withCurves ? { nav: points.map((day) => rounded(nav[day])) } : {}),
    })),
    ...(withCurves ? { dates: points.map((day) => dates[day]) } : {}),
    best: best < 0 ? null : { index: places[best] },
    plateau: plateauOf(field, axes, places, sharpes, best),
    stability: places.map((index, k) => ({ index, neighbour_std: orNull(field.spread(k)) })),
    oos_rank_correlation: outside
      ? correlation(
          sharpes,
          outside.map(({ sharpe }) => sharpe ?? Number.NaN),
        )
      : null,
    ...(folds ? { folds } : {}),
    robustness: robustnessOf(runs, best, days),
    partial: runs.length < cells.length,
    done: runs.length,
  }
}

/** The first day outside the sample; null when nothing is kept outside. */
function cutOf(days: number, split: GridSplit | undefined): number | null {
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

/** How likely the best of so many cells is luck. The spread of the cells' Sharpe ratios is that of the trials. */
function robustnessOf(runs: readonly Run[], best: number, days: number): GridResult['robustness'] {
  const trials = runs.length
  const returns = runs.map(({ nav }) => returnsOf(nav))
  const luck = days >= leastDays ? orNull(luckThreshold(trials, days / yearDays)) : null
  if (best < 0) return { trials, luck_threshold: luck, dsr: null, pbo: null }
  const perDay = returns.map((series) => mean(series) / deviation(series)).filter((value) => Number.isFinite(value))
  const own = returns[best]
  const figures = { sharpe: mean(own) / deviation(own), periods: days, skew: skewness(own), kurtosis: kurtosis(own) + 3 }
  const spread = perDay.length > 1 ? deviation(perDay) : undefined
  return {
    trials,
    luck_threshold: luck,
    dsr: orNull(deflatedSharpe(figures, trials, spread)),
    pbo: overfittingOf(returns)?.probability ?? null,
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
