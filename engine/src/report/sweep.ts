import type { Report, Settings } from '@convexa/contract'
import { executions } from '@convexa/contract/enums/execution'
import { yearDays } from '../base/calendar.ts'
import { orNull, rounded } from '../base/round.ts'
import type { ExecutionModel } from '../simulation/execution-model.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { underSettings } from '../simulation/prepare.ts'
import { simulateEquity } from '../simulation/simulate.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { drawdownsOf } from './drawdowns.ts'
import { leastDays, returnsOf, sharpeOf } from './metrics.ts'

/** Rates per side of the cost sweep, fractions (product.md 3.2, block 11). */
const rates = [0, 0.0005, 0.001, 0.002, 0.003, 0.005]
/** Capitals of the capacity curve, 万元: 10 万 to 1 亿 (block 12). */
const capitals = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/** Input of the cost and capital sweeps: one rule, or the members of a group, each with its part of the capital. */
export interface CostSensitivity {
  readonly runs: readonly Simulation[]
  /** 万元, of all together. */
  readonly capital: number
  /** Net values of each by itself → of all together. */
  together(navs: readonly Float64Array[]): Float64Array
}

/** A run by itself. */
export const singleRun = (run: Simulation): CostSensitivity => ({ runs: [run], capital: run.settings.capital, together: ([nav]) => nav })

/** Rebalances × places of a run whose sweeps, sixteen runs of the same size, are waited for. */
const mostSwept = 50_000

export const isSwept = (runs: readonly { readonly simulation: Simulation; readonly ledger: Ledger }[]): boolean =>
  runs.reduce((sum, { simulation, ledger }) => sum + simulation.rankings.days.length * mostHeld(ledger), 0) <= mostSwept

const mostHeld = ({ positions }: Ledger): number => positions.to.reduce((most, to, day) => Math.max(most, to - positions.from[day]), 0)

/** The same rule at other costs: commission and slippage replaced by one rate per side, duties and fees by date as they were. Yields between runs. */
export function* costSweep({ runs, together }: CostSensitivity): Generator<void, Report['cost_sweep']> {
  const rows: Report['cost_sweep'] = []
  for (const rate of rates) {
    const navs: Float64Array[] = []
    for (const run of runs) {
      const cost: Settings['cost'] = { ...run.settings.cost, buy_rate: rate, sell_rate: rate, slippage: 0, min_fee: 0 }
      navs.push(yield* end(underSettings(run, { ...run.settings, cost })))
    }
    rows.push({ rate, ...figuresOf(together(navs)) })
  }
  return rows
}

/**
 * The same rule with more money, where no more than a tenth of a day's turnover may be traded: `fill_rate` is the share of what was to
 * be bought that could be. Empty for ideal execution and for data without turnover, where nothing bounds an order.
 */
export function* capacityCurve({ runs, capital: whole, together }: CostSensitivity): Generator<void, Report['capacity']> {
  if (runs.some(({ settings, panel }) => executions[settings.execution].frictionless || !panel.columns.has('amount'))) return []
  const rows: Report['capacity'] = []
  for (const capital of capitals) {
    const tally = { wanted: 0, filled: 0 }
    const navs: Float64Array[] = []
    for (const run of runs) {
      const other = underSettings(run, { ...run.settings, capital: (capital * run.settings.capital) / whole })
      const execution = counting(other, other.execution, tally)
      navs.push(
        yield* end({ ...other, execution, closeExecution: other.closeExecution === other.execution ? execution : other.closeExecution }),
      )
    }
    rows.push({ capital, ...figuresOf(together(navs)), fill_rate: tally.wanted > 0 ? rounded(tally.filled / tally.wanted) : null })
  }
  return rows
}

/** Equity relative to the capital. Asked then whether to go on. */
function* end(run: Simulation): Generator<void, Float64Array> {
  const { equity, capital } = simulateEquity(run)
  const nav = equity.map((value) => value / capital)
  yield
  return nav
}

/** What a row of a sweep tells of its run; nothing is annualised of a short one. */
function figuresOf(nav: Float64Array): Pick<Report['cost_sweep'][number], 'annual_return' | 'sharpe' | 'max_drawdown'> {
  const enough = nav.length >= leastDays
  return {
    annual_return: enough ? orNull(nav[nav.length - 1] ** (yearDays / nav.length) - 1) : null,
    sharpe: enough ? orNull(sharpeOf(returnsOf(nav))) : null,
    max_drawdown: drawdownsOf(nav).worst?.depth ?? 0,
  }
}

/** An execution model that adds up what was wanted and what was bought. A shortfall below the smallest order does not count. */
function counting({ panel, market }: Simulation, execution: ExecutionModel, tally: { wanted: number; filled: number }): ExecutionModel {
  return {
    ...execution,
    buyUnits(security, day, price, wanted, cash, traded) {
      const bought = execution.buyUnits(security, day, price, wanted, cash, traded)
      const money = Math.min(wanted, cash)
      const { min, step } = market.lot(panel.securities[security], panel.dates[day])
      const short = money / price - bought > min + step
      tally.wanted += money
      tally.filled += short ? bought * price : money
      return bought
    },
  }
}
