import type { Metrics, Report, Settings } from '@convexa/contract'
import { versionUnder } from '../base/version.ts'
import type { Panel } from '../panel/panel.ts'
import type { Ledger } from '../simulation/ledger.ts'
import type { DailySeries } from './daily-figures.ts'
import { eventsOf } from './events.ts'
import { metricsOf, turnoverOf } from './metrics.ts'
import { monthWins, periodsOf, relative } from './periods.ts'

/** Daily values that the figures of a report are made from: of a run, or of the members of a group together. */
export interface PerformanceSeries {
  readonly panel: Panel
  /** First and last day in the panel. */
  readonly first: number
  readonly last: number
  readonly settings: Settings
  readonly sums: Pick<Ledger, 'capital' | 'equity' | 'cash' | 'before' | 'bought' | 'sold' | 'fees' | 'slippage'>
  readonly holdCount: Float64Array
  /** Values of the benchmark on these days. */
  readonly benchmark: Float64Array
  /** What was traded from a day of the run on. */
  tradedFrom(from: number): { holdingDays: number | null; trades: number; fees: number }
}

type Origin = 'data_mode' | 'data_version' | 'engine_version' | 'oos_start'

/** What daily values give of a core, in its order there, and the series that its other parts are made from. */
export interface PerformanceTables {
  readonly series: DailySeries
  readonly figures: Pick<Report, 'metrics' | 'benchmark_metrics'>
  readonly months: Report['monthly']
  readonly years: Report['yearly']
  readonly events: Report['events']
  readonly origin: Pick<Report, Origin>
}

/** Every curve and metric that daily values give, in one place for runs and groups. */
export function performanceOf({
  panel,
  first,
  last,
  settings,
  sums,
  holdCount,
  benchmark,
  tradedFrom,
}: PerformanceSeries): PerformanceTables {
  const dates = panel.dates.slice(first, last + 1)
  const { equity, cash, fees, slippage } = sums
  const nav = equity.map((value) => value / sums.capital)
  const bench = benchmark.map((value) => value / benchmark[0])
  const known = knownDays(panel, settings.benchmark, first, last)
  const turnover = turnoverOf(sums)
  const metrics = (from: number, withRun: boolean): Metrics => {
    const to = dates.length - 1
    return metricsOf({
      dates: dates.slice(from),
      nav: relative(withRun ? nav : bench, from, to),
      bench: withRun ? relative(bench, from, to) : null,
      ...(withRun && known && { known: known.subarray(from) }),
      monthWinRate: monthWins(dates, withRun ? nav : bench, from, to),
      run: withRun ? { ...tradedFrom(from), turnover: turnover.subarray(from), holdCount: holdCount.subarray(from) } : null,
    })
  }
  const oosStart = settings.oos_start ?? null
  const oosFrom = oosStart === null ? -1 : dates.findIndex((date) => date >= oosStart)
  const withOos = (withRun: boolean): Metrics => ({
    ...metrics(0, withRun),
    ...(oosStart === null ? {} : { oos: metrics(oosFrom, withRun) }),
  })
  const series: DailySeries = {
    ...{ dates, nav, bench, known, turnover, holdCount },
    market: marketOf(panel, first, last, settings.benchmark),
    grossNav: grossNav(sums),
    exposure: equity.map((value, day) => (value === 0 ? 0 : (value - cash[day]) / value)),
    cost: fees.map((fee, day) => fee + slippage[day]),
    ...{ before: panel.dates[first - 1] ?? null, after: panel.dates[last + 1] ?? null },
  }
  return {
    series,
    figures: { metrics: withOos(true), benchmark_metrics: withOos(false) },
    months: periodsOf(series, 'month'),
    years: periodsOf(series, 'year'),
    events: eventsOf(dates, nav, bench),
    origin: { data_mode: panel.dataMode, data_version: panel.dataVersion, engine_version: versionUnder(panel.rules), oos_start: oosStart },
  }
}

/** 1 on days of which the data have the benchmark; null where they have it on all of them. */
function knownDays({ benchmarks }: Panel, code: string, first: number, last: number): Uint8Array | null {
  const known = Uint8Array.from(benchmarks.get(code)?.subarray(first, last + 1) ?? [], (value) => Number(value === value))
  return known.includes(0) ? known : null
}

/** The market at equal weights from the first close on; null where the data lack it, or it is the benchmark. */
function marketOf(panel: Panel, first: number, last: number, benchmark: string): Float64Array | null {
  const code = `${panel.kind}_ew`
  const series = panel.benchmarks.get(code)
  const start = series?.[first]
  if (code === benchmark || !series || start === undefined || Number.isNaN(start)) return null
  let value = start
  return series.slice(first, last + 1).map((now) => {
    if (!Number.isNaN(now)) value = now
    return value / start
  })
}

/** The net value had trading cost nothing: each day's return with its costs given back. */
function grossNav({ equity, fees, slippage, capital }: Pick<Ledger, 'equity' | 'fees' | 'slippage' | 'capital'>): Float64Array {
  let value = 1
  return equity.map((now, day) => {
    const before = day === 0 ? capital : equity[day - 1]
    if (before !== 0) value *= (now + fees[day] + slippage[day]) / before
    return value
  })
}
