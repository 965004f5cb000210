import type { GridAxis, GridResult, GridSplit } from '@convexa/contract'
import { leftOutInterestOf } from '../backtest/quick.ts'
import { firstFrom, lastUpTo } from '../base/calendar.ts'
import { refusal } from '../base/problem.ts'
import type { Problem } from '../expression/index.ts'
import { BufferPool } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { benchmarkOf } from '../simulation/prepare.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { cellAt, cellIndexesOf, changed, type GridRequest } from './axes.ts'
import { type Alike, type GridWork, groupsOf, Kept, type Refused, rankedFor, requestsOf, runCells } from './cells.ts'
import type { SharedGridWork } from './grid-helper.ts'
import { curveOf, cutOf, resultOf, withCurves } from './result.ts'
import { end, finished, free, isLeft, runsOf, type SharedGrid, sharedGrid, take, untilLeft, warningsOf } from './shared-grid.ts'

export type GridOutcome = { ok: true; result: Omit<GridResult, 'elapsed_ms'> } | { ok: false; problem: Problem }

export interface GridProgress {
  readonly done: number
  readonly total: number
}

/**
 * 参数网格 (domain.md 5.11): the same request with up to three of its numbers varied. Cells that are ranked alike share their ranking. Yields after
 * every cell with what has been done; `return` at a yield ends it, and `next(true)` asks for the result with what is done so far. `offer` is called
 * with work for helper threads (`helpGrid`); the result does not depend on them.
 */
export function* grid(
  panel: Panel,
  market: Market,
  request: GridRequest,
  axes: readonly GridAxis[],
  split?: GridSplit,
  offer?: (offer: SharedGridWork) => void,
): Generator<GridProgress, GridOutcome, boolean | undefined> {
  const wrong = axes.find(({ path, values }) => changed(request, path, values[0]) === null)
  if (wrong) return { ok: false, problem: refusal('backtest', `坐标轴「${wrong.label}」不是请求里的数字`) }
  const work: GridWork = { panel, market, request, axes, split }
  const groups = groupsOf(work)
  const places = cellIndexesOf(axes)
  // Whatever varies, the days are the same. Dates that are not there are refused by the first cell.
  const [first, last] = [firstFrom(panel.dates, request.settings.start_date), lastUpTo(panel.dates, request.settings.end_date)]
  const dates = panel.dates.slice(first, last + 1)
  const buffers = new BufferPool()
  const shared = sharedGrid(groups.length, places.length, dates.length, buffers)
  try {
    const warnings = new Map<number, readonly string[]>()
    const refused = yield* runGroups(work, shared, groups, new Kept(groups.length, buffers), warnings, offer)
    if (refused) return named(refused.problem, axes, places[refused.cell])
    const runs = runsOf(shared, cutOf(dates.length, split) !== null)
    const reportedWarnings = new Set(groups.flatMap((_, group) => warnings.get(group) ?? warningsOf(shared, group)))
    const share = offer && sharing(shared, offer)
    const indices = runs.map(({ cell }) => [...places[cell]])
    const made = resultOf(axes, places.length, indices, runs, runs.length > 0 ? dates : [], split, share)
    return {
      ok: true,
      result: {
        ...made,
        ...(made.best && leftOutInterestOf(panel, market, cellAt(request, axes, made.best.index) as GridRequest)),
        ...(runs.length > 0 ? benchOf(panel, request.settings.benchmark, first, last, runs.length) : {}),
        warnings: [...reportedWarnings],
        data_version: panel.dataVersion,
      },
    }
  } finally {
    end(shared)
    // Helpers that join now see the end, but one that is still at a cell writes into the buffers: then they must not be reused.
    if (isLeft(shared)) buffers.release()
  }
}

/** The benchmark on the days of the cells' curves, 1 on the first day of the range; without it no cell could have been run. */
function benchOf(panel: Panel, code: string, first: number, last: number, cells: number): Pick<GridResult, 'bench'> {
  const values = benchmarkOf(panel, code, first, last, [])
  return typeof values === 'string' || !withCurves(cells) ? {} : { bench: curveOf(values, values[0]) }
}

/**
 * Runs what nobody else has taken, group by group, and at last what nobody else has finished. Returns the first cell that cannot be run.
 */
function* runGroups(
  work: GridWork,
  shared: SharedGrid,
  groups: readonly Alike[],
  kept: Kept,
  warnings: Map<number, readonly string[]>,
  offer: ((offer: SharedGridWork) => void) | undefined,
): Generator<GridProgress, Refused | null, boolean | undefined> {
  const { helpers, cells } = shared
  const requestOf = requestsOf(work)
  const progress = () => ({ done: Atomics.load(shared.done, 0), total: cells.length })
  if (groups.length > 1) offer?.({ give: 'groups', helpers, grid: shared, groups })
  // What was lost once is not given away again: it might take the next one with it.
  for (let give = offer; ; give = undefined) {
    for (const [group, alike] of groups.entries()) {
      if (!take(shared.groups, group)) continue
      const ranking = rankedFor(work, alike, requestOf, kept)
      let ranked = ranking.next()
      while (!ranked.done) {
        if (yield progress()) return null
        ranked = ranking.next()
      }
      if (!ranked.value.ok) return ranked.value
      const { simulation } = ranked.value
      warnings.set(group, ranked.value.warnings)
      if (simulation.marks.perDay === 1) give?.({ give: 'cells', helpers, grid: shared, alike, known: knownOf(simulation) })
      const running = runCells(work, shared, alike, requestOf, kept, simulation, 'first')
      let run = running.next()
      while (!run.done) {
        if (yield progress()) return null
        run = running.next()
      }
      if (run.value) return run.value
      Atomics.store(shared.groups, group, finished)
    }
    for (const _ of untilLeft(shared)) if (yield progress()) return null
    if (!freeUnfinished(shared, groups)) return null
  }
}

/** What is not finished although nobody is at work any more is free again. Returns whether there is any. */
function freeUnfinished({ groups: states, cells }: SharedGrid, groups: readonly Alike[]): boolean {
  let any = false
  groups.forEach((alike, group) => {
    const open = alike.flat().filter((cell) => cells[cell] !== finished)
    for (const cell of open) cells[cell] = free
    states[group] = open.length > 0 ? free : finished
    any ||= open.length > 0
  })
  return any
}

/** Functions of factors and rules do not travel between threads. */
function knownOf({ rankings: { present: _present, flat: _flat, rules, ...rankings }, exposure, marks }: Simulation) {
  return { rankings: { ...rankings, rules: rules.map(({ key, label }) => ({ key, label })) }, exposure, marks }
}

/** Has helpers count splits. */
function sharing(shared: SharedGrid, offer: (offer: SharedGridWork) => void): NonNullable<Parameters<typeof resultOf>[6]> {
  return (splits) => {
    offer({ give: 'splits', helpers: shared.helpers, splits })
    return () => {
      for (const _ of untilLeft(shared));
    }
  }
}

function named(problem: Problem, axes: readonly GridAxis[], place: readonly number[]): GridOutcome {
  const where = axes.map(({ label, values }, a) => `${label} ${values[place[a]]}`).join('，')
  return { ok: false, problem: where === '' ? problem : { ...problem, message: `${problem.message}（${where}）` } }
}
