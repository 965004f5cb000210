import type { Parameters, Settings, StrategySummary } from '@convexa/contract'
import { executions } from '@convexa/contract/enums/execution'
import { firstFrom, lastUpTo } from '../base/calendar.ts'
import { orNull, rounded } from '../base/round.ts'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import { lastDayOn } from '../panel/last-day.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import type { Panel } from '../panel/panel.ts'
import { panelFor } from '../screen/compiled-screen.ts'
import { placesOf } from '../screen/hold-range.ts'
import { screen } from '../screen/screen.ts'
import { weigh } from '../screen/weigh.ts'
import { silentSince } from '../simulation/exit-warnings.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { type Prepared, prepare, underSettings } from '../simulation/prepare.ts'
import { simulate } from '../simulation/simulate.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { benchmarkName } from './benchmark-name.ts'
import { maxDrawdown } from './drawdowns.ts'

export interface GlanceRequest {
  readonly parameters: Parameters
  /** The range of its run; the list is that of its last day. */
  readonly settings: Settings
  /** From when on the rule is followed as it was saved, whatever its run says of the time before; null = not asked. */
  readonly since: string | null
}

/** Out-of-sample track of a rule, from the day it was saved: net values, not rounded, and what was held after each close, by code. */
export interface OutOfSampleTrack {
  readonly dates: string[]
  readonly nav: number[]
  readonly lists: string[][]
  /** The whole market at equal weights, or the benchmark where that is not known, 1 at the first close; absent without either. */
  readonly market?: { readonly label: string; readonly nav: number[] }
}

export interface ComputedSummary extends Omit<StrategySummary, 'computed_at' | 'stale' | 'backtest_id'> {
  /**
   * Of the last year, for what is compared with others: net values, and what was held after each close as places in `codes`; null on the
   * days that a rule with long lists leaves out.
   */
  readonly nav: { dates: string[]; nav: number[]; codes: string[]; held: (number[] | null)[] }
  readonly followed: OutOfSampleTrack | null
}

export type GlanceOutcome = { ok: true; glance: ComputedSummary } | { ok: false; problem: Problem }

const sparks = 60
/** Names that the lists of a year may hold together; longer ones tell every second day, every fourth … */
const mostHeld = 5_000
/** Of a bond whose terms are unknown, the usual clause: on 15 of 30 trading days at or above the trigger price. */
const usualDays = 15
/** The count as the data have it, or as it follows from the terms. */
const callFields = ['call_count', 'redeem_count', 'call_status']
/** From this state on a bond is called (market.ts: callStatuses). */
const announced = 3

/** Fields that a strategy summary reads beside its run. */
export const glanceFields = (market: Market): readonly string[] => (market.redeemed ? callFields : [])

/**
 * A saved rule in short:
 *
 * 1. run it over the range: its last returns, its deepest fall, a curve of few points;
 * 2. list the last day against what the rule held the day before, with the weights that the rule aims at;
 * 3. of that list the bonds that count towards a call;
 * 4. follow it from the day it was saved, beginning with nothing.
 */
export function glance(panel: Panel, market: Market, { parameters, settings, since }: GlanceRequest): GlanceOutcome {
  const prepared = finish(prepare(panel, market, { parameters, settings }))
  if (!prepared.ok) return prepared
  const run = prepared.simulation
  const ledger = finish(simulate(run))
  const nav = navOf(ledger)
  const dates = panel.dates.slice(run.first, run.last + 1)

  const day = run.last
  // Without lots: a place that the money of the run was too little for is no change of the list.
  const whole = executions[settings.execution].frictionless
    ? ledger
    : finish(simulate(underSettings(run, { ...settings, execution: 'ideal' })))
  const before = heldCodes(panel, whole, ledger.equity.length - 2)
  const today = screen(panel, market, { parameters, day, previous: before, need: ['list'] })
  if (!today.ok) return today
  const chosen = today.result.list_items.filter(({ selected }) => selected)
  const weights = weightsOf(
    panel,
    market,
    { parameters, settings, since },
    chosen.map(({ code }) => code),
  )
  if (!weights.ok) return weights
  const names = new Map(panel.securities.map(({ code, name }) => [code, name]))
  const named = (code: string) => ({ code, name: names.get(code) ?? code })
  const codes = new Set(chosen.map(({ code }) => code))

  const year = yearOf(dates, nav)
  const silent = silentIn(panel, ledger, run.last)
  prepared.buffers.release()
  const followed = since === null ? null : follow(panel, market, parameters, settings, since)
  if (followed && !followed.ok) return followed
  return {
    ok: true,
    glance: {
      as_of: panel.dates[day],
      data_mode: panel.dataMode,
      data_version: panel.dataVersion,
      ret_1d: change(nav, 1),
      ret_20d: change(nav, 20),
      ret_1y: year.whole ? orNull(nav[nav.length - 1] / year.nav[0] - 1) : null,
      max_drawdown_1y: year.whole ? maxDrawdown(year.nav) : null,
      sparkline: spread(nav, sparks).map(rounded),
      sparkline_dates: spread(dates, sparks),
      ...(ledger.leftOutInterest !== undefined && { left_out_interest: ledger.leftOutInterest }),
      list_items: chosen.map(({ code, name, rank }, i) => ({ code, name, rank, weight: rounded(weights.of[i]) })),
      diff: {
        added: chosen.filter(({ code }) => !before.includes(code)).map(({ code }) => named(code)),
        removed: before.filter((code) => !codes.has(code)).map(named),
      },
      call_risk: callRisk(panel, market, day, [...codes]),
      silent: [...new Map([...silent, ...(followed?.silent ?? [])].map((one) => [one.code, one])).values()],
      nav: { dates: year.dates, nav: year.nav.map(rounded), ...heldOf(panel, whole, run.first, dates.length - year.dates.length) },
      followed: followed ? followed.followed : null,
    },
  }
}

/** Runs a generator to its end. */
function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const navOf = ({ equity, capital }: Ledger): number[] => Array.from(equity, (value) => value / capital)

/** Codes held after the close of a day of the run, claims left aside; none before its first. */
function heldCodes(panel: Panel, { positions }: Ledger, day: number): string[] {
  if (day < 0) return []
  return Array.from(positions.security.subarray(positions.from[day], positions.claims[day]), (i) => panel.securities[i].code)
}

/** What was held from a day of the run on, claims left aside; of long lists every so many days of the panel, so that those of two rules meet. */
function heldOf(panel: Panel, ledger: Ledger, first: number, start: number): { codes: string[]; held: (number[] | null)[] } {
  const { from, claims: to, security } = ledger.positions
  const end = ledger.equity.length
  let total = 0
  for (let day = start; day < end; day++) total += to[day] - from[day]
  let every = 1
  while (total / every > mostHeld) every *= 2
  const places = new Map<number, number>()
  const place = (i: number): number => {
    const known = places.get(i)
    if (known !== undefined) return known
    places.set(i, places.size)
    return places.size - 1
  }
  const held: (number[] | null)[] = []
  for (let day = start; day < end; day++) {
    held.push((first + day) % every === 0 ? Array.from(security.subarray(from[day], to[day]), place) : null)
  }
  return { codes: [...places.keys()].map((i) => panel.securities[i].code), held }
}

function change(nav: readonly number[], days: number): number | null {
  const from = nav.length - 1 - days
  // Before its first day the net value is 1.
  return from < -1 ? null : orNull(nav[nav.length - 1] / (from < 0 ? 1 : nav[from]) - 1)
}

/** The run since the day a year before its last; `whole`: it is that long. */
function yearOf(dates: readonly string[], nav: readonly number[]): { dates: string[]; nav: number[]; whole: boolean } {
  const last = dates[dates.length - 1]
  const from = lastUpTo(dates, `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`)
  const start = Math.max(0, from)
  return { dates: dates.slice(start), nav: nav.slice(start), whole: from >= 0 }
}

/** So many values at most, evenly taken, the last one last. */
function spread<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values]
  return Array.from({ length: most }, (_, k) => values[Math.round((k * (values.length - 1)) / (most - 1))])
}

/** The weights that the rule aims at for a list of the last day, in its order. */
function weightsOf(
  panel: Panel,
  market: Market,
  { parameters, settings }: GlanceRequest,
  codes: readonly string[],
): { ok: true; of: Float64Array } | { ok: false; problem: Problem } {
  const end = panel.dates[lastUpTo(panel.dates, settings.end_date)]
  const everyDay = { ...parameters, rebalance_method: { rebalance_type: 0, rebalance_value: 1 } } as const
  const { oos_start: _later, ...rest } = settings
  const prepared: Prepared = finish(prepare(panel, market, { parameters: everyDay, settings: { ...rest, start_date: end, end_date: end } }))
  if (!prepared.ok) return prepared
  const { rankings, compiled, exposure } = prepared.simulation
  const { first, last } = placesOf(compiled.holdRange, rankings.size[0])
  const indices = new Map(panel.securities.map(({ code }, i) => [code, i]))
  const { weight } = rankings
  const weights = weigh(
    parameters.hold_method.hold_weight_type,
    codes.length,
    Math.max(last - first + 1, codes.length),
    parameters.hold_method.hold_max_weight,
    codes.map((_, place) => place),
    weight ? Float64Array.from(codes, (code) => weight[indices.get(code) as number]) : new Float64Array(0),
  )
  return { ok: true, of: exposure === null ? weights : weights.map((value) => value * exposure[0]) }
}

function callRisk(panel: Panel, market: Market, day: number, codes: readonly string[]): StrategySummary['call_risk'] {
  const full = panelFor(panel, [], glanceFields(market))
  const value = (key: string, i: number): number => full.columns.get(key)?.[day * panel.stride + i] ?? Number.NaN
  const date = panel.dates[day]
  const wanted = new Set(codes)
  const rows = panel.securities.flatMap((security, i) => {
    const { code, name, terms } = security
    if (!market.redeemed || !wanted.has(code)) return []
    const inData = value('call_count', i)
    const count = inData === inData ? inData : value('redeem_count', i)
    const lastDay = lastDayOn(security, date)
    if (!(count > 0) && !(value('call_status', i) >= announced) && lastDay === null) return []
    return [
      {
        code,
        name,
        count: count === count ? count : null,
        threshold: terms?.redeem?.days ?? usualDays,
        last_trade_date: lastDay,
      },
    ]
  })
  const nearness = (row: (typeof rows)[number]) => (row.last_trade_date === null ? (row.count ?? 0) : Number.POSITIVE_INFINITY)
  return rows.sort((a, b) => (nearness(b) > nearness(a) ? 1 : nearness(b) < nearness(a) ? -1 : a.code < b.code ? -1 : 1))
}

type Silent = NonNullable<StrategySummary['silent']>[number]

/** Positions after the last close of a run that have not traded for long, the largest first. */
function silentIn(panel: Panel, { positions, equity }: Ledger, last: number): Silent[] {
  const close = panel.columns.get('close') as Float64Array
  const day = equity.length - 1
  const rows: Silent[] = []
  for (let at = positions.from[day]; at < positions.claims[day]; at++) {
    const i = positions.security[at]
    const since = silentSince(panel, i, last)
    if (since === null) continue
    const { code, name } = panel.securities[i]
    const value = positions.units[at] * positions.priceAt(at, close, last * panel.stride)
    rows.push({
      ...{ code, name, since: panel.dates[Math.max(0, since)], weight: rounded(value / equity[day]) },
      ...(lacksBar(panel, i, last) && { missing_bar: true as const }),
    })
  }
  return rows.sort((a, b) => b.weight - a.weight || (a.code < b.code ? -1 : 1))
}

/** Begins with nothing on the first trading day from `since` on; null while there is none. */
function follow(
  panel: Panel,
  market: Market,
  parameters: Parameters,
  settings: Settings,
  since: string,
): { ok: true; followed: OutOfSampleTrack; silent: Silent[] } | { ok: false; problem: Problem } | null {
  const first = firstFrom(panel.dates, since)
  const last = lastUpTo(panel.dates, settings.end_date)
  if (first > last) return null
  const { oos_start: _later, ...rest } = settings
  const prepared = finish(prepare(panel, market, { parameters, settings: { ...rest, start_date: panel.dates[first] } }))
  if (!prepared.ok) return prepared
  const run: Simulation = prepared.simulation
  const ledger = finish(simulate(run))
  const silent = silentIn(panel, ledger, run.last)
  prepared.buffers.release()
  const dates = panel.dates.slice(run.first, run.last + 1)
  const beside = marketSince(panel, rest.benchmark, run.first, run.last)
  const lists = dates.map((_, at) => heldCodes(panel, ledger, at))
  return { ok: true, silent, followed: { dates, nav: navOf(ledger), lists, ...(beside && { market: beside }) } }
}

/** Curve of the whole market or, without one, of the benchmark; a day without a value repeats the day before. */
function marketSince(panel: Panel, benchmark: string, first: number, last: number): OutOfSampleTrack['market'] | null {
  const whole = `${panel.kind}_ew`
  for (const code of [whole, benchmark]) {
    const series = panel.benchmarks.get(code)
    const start = series?.[first]
    if (!series || start === undefined || Number.isNaN(start)) continue
    let value = start
    const nav = Array.from(series.subarray(first, last + 1), (now) => {
      if (!Number.isNaN(now)) value = now
      return rounded(value / start)
    })
    return { label: benchmarkName(whole, code), nav }
  }
  return null
}
