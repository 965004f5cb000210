import type { GridAxis } from '@convexa/contract'
import { type GridOffer, grid, markets, type Panel } from '@convexa/engine'
import { finish } from '../inputs.ts'
import { parameters, settings } from './cases.ts'

/** The total return of every cell, in the order of the axes' values. */
function runGrid(panel: Panel, axes: readonly GridAxis[], offer?: (offer: GridOffer) => void): number[] {
  const outcome = finish(grid(panel, markets.cb, { parameters, settings }, axes, undefined, offer))
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.result.cells.map(({ metrics }) => metrics.total_return ?? Number.NaN)
}

/** A grid, and the milliseconds of processor time that the thread that leads it spent on it. */
interface Part {
  readonly totals: readonly number[]
  readonly cpu: number
}

export function timedGrid(panel: Panel, axes: readonly GridAxis[], offer?: (offer: GridOffer) => void): Part {
  const before = process.threadCpuUsage()
  const totals = runGrid(panel, axes, offer)
  const { user, system } = process.threadCpuUsage(before)
  return { totals, cpu: (user + system) / 1000 }
}
