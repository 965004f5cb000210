import type { BufferPool } from '../kernels/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { groupCoreOf, readLedgers } from '../report/group-report.ts'
import { GroupValue } from '../simulation/group-value.ts'
import { heldByLedger, ledgerBytes } from '../simulation/ledger-bytes.ts'
import { prepare } from '../simulation/prepare.ts'
import type { GroupMember, GroupRequest, MemberRun } from '../simulation/request.ts'
import { simulate } from '../simulation/simulate.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { type BacktestOutcome, type BacktestProgress, reported, type SimulationOutcome } from './backtest.ts'
import type { SimulatedRun } from './simulated-run.ts'

/**
 * Several strategies into one curve (domain.md 5.1). Each member runs by itself with its share of the capital, so that lots and least fees
 * are those of its own money; then their values are added. Stop iterating to cancel.
 */
export function* simulatedGroup(panel: Panel, market: Market, request: GroupRequest): Generator<BacktestProgress, SimulationOutcome> {
  const { members, settings } = request
  const runs: { readonly member: GroupMember; readonly simulation: Simulation; readonly buffers: BufferPool }[] = []
  const warnings: string[] = []
  let benchmark: Float64Array = new Float64Array(0)
  yield { stage: 'factors' }
  for (const member of members) {
    const { parameters, weight, name } = member
    const preparing = prepare(panel, market, { parameters, settings: { ...settings, capital: settings.capital * weight } })
    let preparation = preparing.next()
    while (!preparation.done) {
      yield { stage: 'factors' }
      preparation = preparing.next()
    }
    const prepared = preparation.value
    if (!prepared.ok) return { ok: false, problem: { ...prepared.problem, message: `「${name}」${prepared.problem.message}` } }
    benchmark = prepared.benchmark
    runs.push({ member, simulation: prepared.simulation, buffers: prepared.buffers })
    for (const warning of prepared.warnings) {
      warnings.push(`「${name}」${warning}`)
      yield { warning: `「${name}」${warning}` }
    }
  }
  const ran = yield* together(panel, request, runs, benchmark)
  yield { stage: 'report' }
  for (const { member, ledger } of ran) {
    for (const warning of ledger.warnings) {
      warnings.push(`「${member.name}」${warning}`)
      yield { warning: `「${member.name}」${warning}` }
    }
  }
  const { first, last } = runs[0].simulation
  const run: SimulatedRun = {
    dates: panel.dates.slice(first, last + 1),
    reader: readLedgers(panel, request, ran),
    core: () => groupCoreOf(panel, market, request, ran, benchmark, warnings),
    *ledger() {
      for (const { ledger, simulation } of ran) yield* ledgerBytes(ledger, simulation.rankings)
    },
    bytes: ran.reduce((sum, { ledger, simulation }) => sum + heldByLedger(ledger, simulation.rankings), 0),
    release() {
      for (const { buffers } of runs) buffers.release()
    },
  }
  return { ok: true, run }
}

/** The group's report with all its day pages. */
export function* backtestGroup(panel: Panel, market: Market, request: GroupRequest): Generator<BacktestProgress, BacktestOutcome> {
  return yield* reported(yield* simulatedGroup(panel, market, request))
}

/** Runs all members in step, day by day, so that the group's own curve is streamed as it grows. */
function* together(
  panel: Panel,
  { members, rebalance }: GroupRequest,
  runs: readonly { readonly member: GroupMember; readonly simulation: Simulation }[],
  benchmark: Float64Array,
): Generator<BacktestProgress, MemberRun[]> {
  const [{ simulation }] = runs
  const { first, last } = simulation
  const dates = panel.dates.slice(first, last + 1)
  const weights = members.map(({ weight }) => weight)
  const value = new GroupValue(dates, weights, rebalance)
  const every = Math.max(1, Math.floor(dates.length / 100))
  const days = runs.map((run) => simulate(run.simulation))
  let reportedDays = 0
  for (let day = 0; ; day++) {
    const steps = days.map((one) => one.next())
    const navs: Float64Array[] = []
    let [hold, trades] = [0, 0]
    const ended = runs.flatMap(({ member, simulation }, k): MemberRun[] => {
      const step = steps[k]
      if (step.done) return [{ member, simulation, ledger: step.value }]
      navs.push(step.value.nav)
      hold += step.value.hold
      trades += step.value.trades
      return []
    })
    if (ended.length === runs.length) return ended
    value.add(day, navs)
    if (day + 1 - reportedDays < every && day !== dates.length - 1) continue
    const bench = (at: number) => benchmark[at] / benchmark[0]
    yield {
      stage: 'simulate',
      percent: Math.round(((day + 1) / dates.length) * 1000) / 10,
      date: dates[day],
      nav: value.nav[day],
      bench: bench(day),
      hold,
      trades,
      curve: {
        dates: dates.slice(reportedDays, day + 1),
        nav: [...value.nav.subarray(reportedDays, day + 1)],
        bench: Array.from({ length: day + 1 - reportedDays }, (_, k) => bench(reportedDays + k)),
      },
    }
    reportedDays = day + 1
  }
}
