import { stopBases } from '@convexa/contract/enums/stop-base'
import { adjustmentOf } from './adjust.ts'
import { unranked } from './fills.ts'
import type { Portfolio } from './portfolio.ts'
import { previousCloseOf } from './previous-close.ts'
import type { Rebalancer } from './rebalance.ts'
import type { Simulation } from './simulation.ts'
import { type Stop, stopOf, stopRuleOf, trailingStopOf } from './stops.ts'

/** Watches the positions of a run, one security after the other, never the whole. */
export interface StopWatch {
  /** Before the close of a day: what is reached at the open or during the day is sold there. */
  duringDay(t: number): void
  /** At the close of a day. */
  atClose(t: number): void
  /** Days on which a security reached both its take-profit and its stop-loss. */
  readonly both: number
  /** Stops that could not be sold at once, so far. */
  readonly waiting: number
}

/** null when the run has no stops. Positions opened on the day itself are not watched: a daily bar does not tell what came after the buy. */
export function stopWatch(run: Simulation, portfolio: Portfolio, rebalance: Rebalancer): StopWatch | null {
  const { panel, closeExecution } = run
  const rule = stopRuleOf(run.parameters.stop_method)
  if (rule === null) return null
  const { stride, traded } = panel
  const column = (key: string) => panel.columns.get(key) ?? null
  const [open, high, low, close] = ['open', 'high', 'low', 'close'].map(column)
  const adjustment = adjustmentOf(run)
  const previousClose = previousCloseOf(panel, adjustment, run.market.tickDecimals)
  /** By security, of trailing stops: the highest price since the day the position was opened, at adjusted prices, and that day. */
  const peaks = new Float64Array(panel.securities.length)
  const peakOf = new Int32Array(panel.securities.length).fill(-1)

  const isDaily = stopBases[rule.base].daily
  // What was paid out is no loss: prices go ex.
  const costOf = (i: number) => (portfolio.cost[i] - portfolio.income[i]) / portfolio.units[i]
  const baseOf = (i: number, t: number) => (isDaily ? previousClose(i, t) : costOf(i))

  const trailing = (i: number, t: number): Stop | null => {
    const bar = barAt(i, t)
    const base = baseOf(i, t)
    if (isDaily) return trailingStopOf(rule, bar, base, base)
    const factor = adjustment ? adjustment[t * stride + i] : 1
    if (peakOf[i] !== portfolio.opened[i]) {
      peakOf[i] = portfolio.opened[i]
      peaks[i] = Math.max(base, previousClose(i, t)) * factor
    }
    const stop = trailingStopOf(rule, bar, base, peaks[i] / factor)
    if (bar.high * factor > peaks[i]) peaks[i] = bar.high * factor
    return stop
  }
  const barAt = (i: number, t: number) => {
    const at = t * stride + i
    return {
      open: open?.[at] ?? Number.NaN,
      high: high?.[at] ?? Number.NaN,
      low: low?.[at] ?? Number.NaN,
      close: close?.[at] ?? Number.NaN,
    }
  }

  const watch = {
    both: 0,
    waiting: 0,
    duringDay(t: number) {
      if (rule.moment !== 'close') check(t)
    },
    atClose(t: number) {
      if (rule.moment === 'close') check(t)
    },
  }
  const check = (t: number) => {
    for (const i of [...portfolio.positions]) {
      if (portfolio.opened[i] >= t || traded[t * stride + i] === 0) continue
      const stop = rule.moment === 'trailing' ? trailing(i, t) : stopOf(rule, barAt(i, t), baseOf(i, t))
      if (stop === null) continue
      if (stop.both) watch.both++
      if (!rebalance.stop(i, t, { ...unranked(stop.reason), stop }, closeExecution)) watch.waiting++
    }
  }
  return watch
}
