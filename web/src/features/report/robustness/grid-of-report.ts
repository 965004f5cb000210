import { markets } from '@convexa/contract/enums/market'
import type { GridResult } from '@convexa/contract/grid'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import type { GridQuestion } from '../../grid/grid-request.ts'
import { useGridRun } from '../../grid/grid-run.ts'

export interface GridOfRun {
  question: GridQuestion
  answer: GridResult
  /** The run's own cell. */
  place: readonly number[]
}

/** The last grid, when a run is one of its cells: 参数热力 is of a run that came from a grid. */
export function useGridOf(report: ReportCore): GridOfRun | null {
  const answered = useGridRun((grid) => grid.answered)
  return useMemo(() => {
    const place = answered && markets[report.kind].hasGrid ? placeInGrid(report, answered.question) : null
    return answered && place ? { question: answered.question, answer: answered.answer, place } : null
  }, [answered, report])
}

/**
 * Where a run stands in a grid: the place of the cell that has its rule, costs and range; null when it is none of its cells. What the grid
 * did not say (a default that the server put in) is no difference.
 */
export function placeInGrid(report: Pick<Report, 'parameters' | 'settings'>, { body }: Pick<GridQuestion, 'body'>): number[] | null {
  const run = { parameters: report.parameters, settings: report.settings }
  const place = body.axes.map(({ path, values }) => {
    const value = at(run, path.split('.'))
    return typeof value === 'number' ? values.findIndex((one) => Math.abs(one - value) < 1e-9) : -1
  })
  if (place.length === 0 || place.includes(-1)) return null
  const varied = new Set(body.axes.map(({ path }) => path))
  return says({ parameters: body.parameters, settings: body.settings }, run, varied, '') ? place : null
}

const at = (from: unknown, [step, ...rest]: readonly string[]): unknown =>
  step === undefined ? from : from !== null && typeof from === 'object' ? at((from as Record<string, unknown>)[step], rest) : undefined

/** Words that stand for the run and not for its rule. */
const aside: ReadonlySet<string> = new Set(['settings.oos_start'])

/** Whether everything in `asked` stands in `run` too, but for what is varied. */
function says(expected: unknown, run: unknown, varied: ReadonlySet<string>, path: string): boolean {
  if (expected === undefined || varied.has(path) || aside.has(path)) return true
  if (expected === null || typeof expected !== 'object') return expected === run
  if (run === null || typeof run !== 'object') return false
  if (Array.isArray(expected) && (!Array.isArray(run) || expected.length !== run.length)) return false
  return Object.entries(expected).every(([key, value]) =>
    says(value, (run as Record<string, unknown>)[key], varied, path === '' ? key : `${path}.${key}`),
  )
}
