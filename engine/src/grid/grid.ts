import type { GridAxis, GridResult, GridSplit } from '@convexa/contract'
import { forMany, heldOtherwise, prepare, weightedOtherwise } from '../backtest/prepare.ts'
import { moneyOf, type Simulation } from '../backtest/simulate.ts'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { refusal } from '../problem.ts'
import { cellAt, changed, factorsKey, type GridRequest, placesOf, rankingKey } from './axes.ts'
import { type Run, resultOf, runOf } from './result.ts'

export type GridOutcome = { ok: true; result: Omit<GridResult, 'elapsed_ms'> } | { ok: false; problem: Problem }

/** So few cells that are ranked alike are run sooner than their closes are laid out by security. */
const fewCells = 8

interface Cell {
  readonly place: readonly number[]
  readonly request: GridRequest
}

export interface GridProgress {
  readonly done: number
  readonly total: number
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
): Generator<GridProgress, GridOutcome, boolean | undefined> {
  const wrong = axes.find(({ path, values }) => changed(request, path, values[0]) === null)
  if (wrong) return { ok: false, problem: refusal('backtest', `坐标轴「${wrong.label}」不是请求里的数字`) }
  const cells = placesOf(axes).flatMap((place): Cell[] => {
    const made = cellAt(request, axes, place)
    return made ? [{ place, request: made }] : []
  })
  const lived: Lived = { runs: [], warnings: new Set(), dates: [] }
  const refused = yield* live(panel, market, cells, split, lived)
  if (refused) return named(refused.problem, axes, refused.cell.place)
  const { runs, warnings, dates } = lived
  runs.sort((a, b) => a.cell - b.cell)
  const places = runs.map(({ cell }) => [...cells[cell].place])
  return {
    ok: true,
    result: { ...resultOf(axes, cells.length, places, runs, dates, split), warnings: [...warnings], data_version: panel.dataVersion },
  }
}

/** What has become of a grid's cells so far. */
interface Lived {
  readonly runs: Run[]
  readonly warnings: Set<string>
  dates: readonly string[]
}

interface Refused {
  readonly problem: Problem
  readonly cell: Cell
}

/** Runs the cells: of those scored by the same factors the first are ranked, of others the ranks are weighted; each is then a day loop. */
function* live(
  panel: Panel,
  market: Market,
  cells: readonly Cell[],
  split: GridSplit | undefined,
  lived: Lived,
): Generator<GridProgress, Refused | null, boolean | undefined> {
  const progress = () => ({ done: lived.runs.length, total: cells.length })
  for (const alike of groupsOf(cells, cells.keys(), factorsKey)) {
    const groups = groupsOf(cells, alike, rankingKey)
    let ranked: Simulation | null = null
    for (const group of groups) {
      let run: Simulation | null = ranked && weightedOtherwise(ranked, cells[group[0]].request)
      if (run === null) {
        const deepest = cells[group.reduce((a, b) => (depthOf(cells[b].request) > depthOf(cells[a].request) ? b : a))]
        const preparing = prepare(panel, market, deepest.request, groups.length > 1 ? 'units' : 'costs')
        let step = preparing.next()
        while (!step.done) {
          if (yield progress()) return null
          step = preparing.next()
        }
        if (!step.value.ok) return { problem: step.value.problem, cell: deepest }
        for (const warning of step.value.warnings) lived.warnings.add(warning)
        ranked = alike.length < fewCells ? step.value.simulation : forMany(step.value.simulation)
        run = ranked
        lived.dates = panel.dates.slice(run.first, run.last + 1)
      }
      for (const cell of group) {
        const held = heldOtherwise(run, cells[cell].request)
        if (!held.ok) return { problem: held.problem, cell: cells[cell] }
        lived.runs.push(runOf(cell, moneyOf(held.simulation), split))
        if (yield progress()) return null
      }
    }
  }
  return null
}

/** Cells of equal keys, in the order of the first of each. */
function groupsOf(cells: readonly Cell[], among: Iterable<number>, keyOf: (request: GridRequest) => string): number[][] {
  const groups = new Map<string, number[]>()
  for (const k of among) {
    const key = keyOf(cells[k].request)
    const known = groups.get(key)
    if (known) known.push(k)
    else groups.set(key, [k])
  }
  return [...groups.values()]
}

const depthOf = ({ parameters: { hold_method: hold } }: GridRequest): number => hold.hold_range_end + hold.hold_threshold

function named(problem: Problem, axes: readonly GridAxis[], place: readonly number[]): GridOutcome {
  const where = axes.map(({ label, values }, a) => `${label} ${values[place[a]]}`).join('，')
  return { ok: false, problem: where === '' ? problem : { ...problem, message: `${problem.message}（${where}）` } }
}
