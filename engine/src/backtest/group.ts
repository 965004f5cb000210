import type { Parameters, Settings } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { groupReportOf } from '../report/group-report.ts'
import type { BacktestOutcome, BacktestProgress } from './backtest.ts'
import { prepare } from './prepare.ts'
import { type Ledger, type Simulation, simulate } from './simulate.ts'

/** A strategy in a group: `weight` is its share of the capital. */
export interface GroupMember {
  readonly name: string
  readonly weight: number
  readonly parameters: Parameters
}

export interface GroupRequest {
  readonly members: readonly GroupMember[]
  /** Back to the shares on the first trading day of a month, or never. */
  readonly rebalance: 'monthly' | 'never'
  /** A security that several members hold: one place, or a place for each. */
  readonly duplicate: 'merge' | 'separate'
  readonly settings: Settings
}

/** A member that has been run, with its share of the capital. */
export interface MemberRun {
  readonly member: GroupMember
  readonly simulation: Simulation
  readonly ledger: Ledger
}

/**
 * Several strategies into one curve (domain.md 5.1). Each member runs by itself with its share of the capital, so that lots and least fees
 * are those of its own money; then their values are added. Stop iterating to cancel.
 */
export function* backtestGroup(panel: Panel, market: Market, request: GroupRequest): Generator<BacktestProgress, BacktestOutcome> {
  const { members, settings } = request
  const runs: MemberRun[] = []
  const warnings: string[] = []
  let benchmark: Float64Array = new Float64Array(0)
  yield { stage: 'factors' }
  for (const [i, member] of members.entries()) {
    const { parameters, weight, name } = member
    const preparing = prepare(panel, market, { parameters, settings: { ...settings, capital: settings.capital * weight } })
    let preparation = preparing.next()
    while (!preparation.done) {
      yield { stage: 'factors' }
      preparation = preparing.next()
    }
    const prepared = preparation.value
    if (!prepared.ok) return { ok: false, problem: { ...prepared.problem, message: `「${name}」${prepared.problem.message}` } }
    const { simulation } = prepared
    benchmark = prepared.benchmark
    const days = simulate(simulation)
    const length = simulation.last - simulation.first + 1
    let day = days.next()
    while (!day.done) {
      const done = day.value.t - simulation.first + 1
      if (done % Math.max(1, Math.floor(length / 20)) === 0) {
        const { t, nav, hold, trades } = day.value
        yield {
          stage: 'simulate',
          percent: Math.round(((i + done / length) / members.length) * 1000) / 10,
          date: panel.dates[t],
          nav: nav[done - 1],
          bench: benchmark[done - 1] / benchmark[0],
          hold,
          trades,
          // The group's own curve is known when all members have run.
          curve: { dates: [], nav: [], bench: [] },
        }
      }
      day = days.next()
    }
    for (const warning of [...prepared.warnings, ...day.value.warnings]) {
      warnings.push(`「${name}」${warning}`)
      yield { warning: `「${name}」${warning}` }
    }
    runs.push({ member, simulation, ledger: day.value })
  }
  yield { stage: 'report' }
  return { ok: true, ...groupReportOf(panel, market, request, runs, benchmark, warnings) }
}
