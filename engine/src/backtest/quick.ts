import type { QuickBacktestResult } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { turnoverOf } from '../report/metrics.ts'
import { shortMetrics } from '../report/short-metrics.ts'
import { leavesInterestOut } from '../simulation/left-out-interest.ts'
import { prepare } from '../simulation/prepare.ts'
import type { BacktestRequest } from '../simulation/request.ts'
import { simulateEquityWithLeftOut } from '../simulation/simulate.ts'

export type QuickOutcome = { ok: true; result: Omit<QuickBacktestResult, 'elapsed_ms'> } | { ok: false; problem: Problem }

/**
 * The interest of bonds that a run leaves out, a year's worth as a fraction of equity; null where coupons are not known well enough. Nothing
 * where the run leaves none out, or cannot be made.
 */
export function leftOutInterestOf(panel: Panel, market: Market, request: BacktestRequest): Pick<QuickBacktestResult, 'left_out_interest'> {
  if (!leavesInterestOut(market, request.settings)) return {}
  const preparing = prepare(panel, market, request)
  let step = preparing.next()
  while (!step.done) step = preparing.next()
  if (!step.value.ok) return {}
  const { simulation, buffers } = step.value
  const { leftOutInterest } = simulateEquityWithLeftOut(simulation)
  buffers.release()
  return leftOutInterest === undefined ? {} : { left_out_interest: leftOutInterest }
}

/** A run that is looked at and thrown away: its curve and a few numbers, at ideal execution whatever was asked for (速览). */
export function quickBacktest(panel: Panel, market: Market, { parameters, settings }: BacktestRequest): QuickOutcome {
  const preparing = prepare(panel, market, { parameters, settings: { ...settings, execution: 'ideal' } })
  let step = preparing.next()
  while (!step.done) step = preparing.next()
  if (!step.value.ok) return step.value
  const { simulation, benchmark, warnings, buffers } = step.value
  const curve = simulateEquityWithLeftOut(simulation)
  const { equity, capital, warnings: more, leftOutInterest } = curve
  buffers.release()
  const nav = equity.map((value) => value / capital)
  const { first, last } = simulation
  return {
    ok: true,
    result: {
      metrics: shortMetrics(nav, turnoverOf(curve)),
      curves: { dates: panel.dates.slice(first, last + 1), nav: [...nav], bench: Array.from(benchmark, (value) => value / benchmark[0]) },
      warnings: [...warnings, ...more],
      ...(leftOutInterest !== undefined && { left_out_interest: leftOutInterest }),
      data_version: panel.dataVersion,
    },
  }
}
