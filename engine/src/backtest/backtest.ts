import type { DayDetail } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { withDailyFigures } from '../report/daily-figures.ts'
import { readLedger, withParts } from '../report/ledger-parts.ts'
import { coreOf, type EngineReport } from '../report/report.ts'
import { heldByLedger, ledgerBytes } from '../simulation/ledger-bytes.ts'
import { prepare } from '../simulation/prepare.ts'
import type { BacktestRequest } from '../simulation/request.ts'
import { simulate } from '../simulation/simulate.ts'
import type { SimulatedRun } from './simulated-run.ts'

/** What a run tells on its way. `curve` holds the days since the last progress. */
export type BacktestProgress =
  | { stage: 'factors' }
  | {
      stage: 'simulate'
      percent: number
      date: string
      nav: number
      bench: number | null
      hold: number
      trades: number
      curve: { dates: string[]; nav: number[]; bench: (number | null)[] }
    }
  | { stage: 'report' }
  | { warning: string }

export type BacktestOutcome = { ok: true; report: EngineReport; days: DayDetail[] } | { ok: false; problem: Problem }

export type SimulationOutcome = { ok: true; run: SimulatedRun } | { ok: false; problem: Problem }

/** Strategy × Panel × Market → Report with all its day pages. Stop iterating to cancel. */
export function* backtest(panel: Panel, market: Market, request: BacktestRequest): Generator<BacktestProgress, BacktestOutcome> {
  return yield* reported(yield* simulated(panel, market, request))
}

/** All that can be told of a simulated run at once. */
export function* reported(outcome: SimulationOutcome): Generator<BacktestProgress, BacktestOutcome> {
  if (!outcome.ok) return outcome
  const { run } = outcome
  const making = run.core()
  let made = making.next()
  while (!made.done) {
    yield { stage: 'report' }
    made = making.next()
  }
  const { core, series } = made.value
  const report = withParts(withDailyFigures(core, series), run.reader)
  const days = run.dates.map((_, day) => run.reader.page(day))
  run.release()
  return { ok: true, report, days }
}

/**
 * Strategy × Panel × Market → simulated run. Stop iterating to cancel.
 *
 * 1. `factors`: check the request against the data, rank the signal days.
 * 2. `simulate`: the day loop, told about a hundred times.
 * 3. `report`: its report can be made now.
 */
export function* simulated(panel: Panel, market: Market, request: BacktestRequest): Generator<BacktestProgress, SimulationOutcome> {
  yield { stage: 'factors' }
  const preparing = prepare(panel, market, request)
  let preparation = preparing.next()
  while (!preparation.done) {
    yield { stage: 'factors' }
    preparation = preparing.next()
  }
  const prepared = preparation.value
  if (!prepared.ok) return prepared
  for (const warning of prepared.warnings) yield { warning }

  const { simulation, benchmark } = prepared
  const { first, last } = simulation
  const every = Math.max(1, Math.floor((last - first + 1) / 100))
  const days = simulate(simulation)
  let nextReported = first
  let day = days.next()
  while (!day.done) {
    const { t, nav, hold, trades } = day.value
    if (t === last || t - nextReported >= every) {
      const bench = (at: number) => benchmark[at - first] / benchmark[0]
      yield {
        stage: 'simulate',
        percent: Math.round(((t - first + 1) / (last - first + 1)) * 1000) / 10,
        date: panel.dates[t],
        nav: nav[t - first],
        bench: bench(t),
        hold,
        trades,
        curve: {
          dates: panel.dates.slice(nextReported, t + 1),
          nav: [...nav.subarray(nextReported - first, t - first + 1)],
          bench: Array.from({ length: t - nextReported + 1 }, (_, k) => bench(nextReported + k)),
        },
      }
      nextReported = t + 1
    }
    day = days.next()
  }
  yield { stage: 'report' }
  const ledger = day.value
  for (const warning of ledger.warnings) yield { warning }
  const trials = request.trials ?? { count: 1 }
  const run: SimulatedRun = {
    dates: panel.dates.slice(first, last + 1),
    reader: readLedger(simulation, ledger),
    core: () => coreOf(simulation, ledger, benchmark, prepared.warnings, trials),
    ledger: () => ledgerBytes(ledger, simulation.rankings),
    bytes: heldByLedger(ledger, simulation.rankings),
    release: () => prepared.buffers.release(),
  }
  return { ok: true, run }
}
