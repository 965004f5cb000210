import type { BacktestOutcome, BacktestProgress } from '../src/backtest/backtest.ts'
import { backtest } from '../src/backtest/backtest.ts'
import type { Market } from '../src/market/market.ts'
import type { Panel } from '../src/panel/panel.ts'
import type { BacktestRequest } from '../src/simulation/request.ts'

/** Runs a backtest to its end and keeps what it told. */
export function runToEnd(panel: Panel, market: Market, request: BacktestRequest): { outcome: BacktestOutcome; told: BacktestProgress[] } {
  const told: BacktestProgress[] = []
  const steps = backtest(panel, market, request)
  let step = steps.next()
  while (!step.done) {
    told.push(step.value)
    step = steps.next()
  }
  return { outcome: step.value, told }
}

/** The same, when nothing is wrong with the request. */
export function reportOf(panel: Panel, market: Market, request: BacktestRequest) {
  const { outcome, told } = runToEnd(panel, market, request)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return { ...outcome, told }
}
