import type { GridAxis, Settings } from '@convexa/contract'
import { grid, markets, type Panel, type SharedGridWork } from '@convexa/engine'
import { finish } from '../inputs.ts'
import { parameters, settings } from './cases.ts'

/** The total return of every cell, in the order of the axes' values. */
function runGrid(panel: Panel, axes: readonly GridAxis[], offer?: (offer: SharedGridWork) => void, over: Partial<Settings> = {}): number[] {
  const request = { parameters, settings: { ...settings, ...over } }
  const outcome = finish(grid(panel, markets.cb, request, axes, undefined, offer))
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.result.cells.map(({ metrics }) => metrics.total_return ?? Number.NaN)
}

/** A grid, and the milliseconds of processor time that the thread that leads it spent on it. */
interface Part {
  readonly totals: readonly number[]
  readonly cpu: number
}

export function timedGrid(
  panel: Panel,
  axes: readonly GridAxis[],
  offer?: (offer: SharedGridWork) => void,
  over?: Partial<Settings>,
): Part {
  const before = process.threadCpuUsage()
  const totals = runGrid(panel, axes, offer, over)
  const { user, system } = process.threadCpuUsage(before)
  return { totals, cpu: (user + system) / 1000 }
}
