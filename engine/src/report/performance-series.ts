import type { Drawdown, Metrics, Report, Settings } from '@convexa/contract'
import { versionUnder } from '../base/version.ts'
import type { Panel } from '../panel/panel.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { distributionOf } from './distribution.ts'
import { drawdownsOf } from './drawdowns.ts'
import { eventsOf } from './events.ts'
import { metricMeta } from './metric-meta.ts'
import { metricsOf, returnsOf, turnoverOf } from './metrics.ts'
import { monthWins, periodsOf, relative } from './periods.ts'
import { rollingOf } from './rolling.ts'

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

type Figures =
  | 'metrics'
  | 'benchmark_metrics'
  | 'metric_meta'
  | 'curves'
  | 'gross_nav'
  | 'yearly'
  | 'monthly'
  | 'weekly'
  | 'drawdowns'
  | 'rolling'
  | 'distribution'
type Origin = 'data_mode' | 'data_version' | 'engine_version' | 'oos_start'

/** The parts of a report that daily values alone give, in their order there, and the series that its other parts are made from. */
export interface PerformanceTables {
  readonly dates: readonly string[]
  readonly nav: Float64Array
  readonly turnover: Float64Array
  readonly figures: Pick<Report, Figures>
  readonly events: Report['events']
  readonly origin: Pick<Report, Origin>
}

const drawdownCount = 10

/** Every curve, metric and table of a report that daily values give, in one place for runs and groups. */
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
  const period = { dates, nav, bench, known, turnover, before: panel.dates[first - 1] ?? null, after: panel.dates[last + 1] ?? null }
  const monthly = periodsOf(period, 'month')
  return {
    dates,
    nav,
    turnover,
    figures: {
      metrics: withOos(true),
      benchmark_metrics: withOos(false),
      metric_meta: metricMeta,
      curves: {
        dates,
        nav: [...nav],
        bench: [...bench],
        ...marketOf(panel, first, last, settings.benchmark),
        excess: Array.from(nav, (value, day) => value / bench[day] - 1),
        drawdown: underwater(nav),
        bench_drawdown: underwater(bench),
        turnover: [...turnover],
        hold_count: [...holdCount],
        exposure: Array.from(equity, (value, day) => (value === 0 ? 0 : (value - cash[day]) / value)),
        cost: Array.from(fees, (fee, day) => fee + slippage[day]),
      },
      gross_nav: grossNav(sums),
      yearly: periodsOf(period, 'year'),
      monthly,
      weekly: periodsOf(period, 'week'),
      drawdowns: drawdownRows(dates, nav, bench),
      rolling: rollingOf(dates, nav, bench, known),
      distribution: distributionOf(
        dates,
        returnsOf(nav),
        monthly.map((row) => row.nav_return ?? 0),
      ),
    },
    events: eventsOf(dates, nav, bench),
    origin: { data_mode: panel.dataMode, data_version: panel.dataVersion, engine_version: versionUnder(panel.rules), oos_start: oosStart },
  }
}

/** 1 on days of which the data have the benchmark; null where they have it on all of them. */
function knownDays({ benchmarks }: Panel, code: string, first: number, last: number): Uint8Array | null {
  const known = Uint8Array.from(benchmarks.get(code)?.subarray(first, last + 1) ?? [], (value) => Number(value === value))
  return known.includes(0) ? known : null
}

/** The market at equal weights from the first close on; nothing where the data lack it, or it is the benchmark. */
function marketOf(panel: Panel, first: number, last: number, benchmark: string): { market?: number[] } {
  const code = `${panel.kind}_ew`
  const series = panel.benchmarks.get(code)
  const start = series?.[first]
  if (code === benchmark || !series || start === undefined || Number.isNaN(start)) return {}
  let value = start
  const market = Array.from(series.subarray(first, last + 1), (now) => {
    if (!Number.isNaN(now)) value = now
    return value / start
  })
  return { market }
}

/** The net value had trading cost nothing: each day's return with its costs given back. */
function grossNav({ equity, fees, slippage, capital }: Pick<Ledger, 'equity' | 'fees' | 'slippage' | 'capital'>): number[] {
  let value = 1
  return Array.from(equity, (now, day) => {
    const before = day === 0 ? capital : equity[day - 1]
    if (before !== 0) value *= (now + fees[day] + slippage[day]) / before
    return value
  })
}

function underwater(nav: Float64Array): number[] {
  let high = 1
  return Array.from(nav, (value) => {
    high = Math.max(high, value)
    return value / high - 1
  })
}

function drawdownRows(dates: readonly string[], nav: Float64Array, bench: Float64Array): Drawdown[] {
  const { falls } = drawdownsOf(nav)
  return [...falls]
    .sort((a, b) => a.depth - b.depth || a.peak - b.peak)
    .slice(0, drawdownCount)
    .map(({ peak, trough, recovered, depth }) => ({
      peak: dates[Math.max(0, peak)],
      trough: dates[trough],
      end: recovered < 0 ? null : dates[recovered],
      depth,
      down_days: trough - peak,
      recover_days: recovered < 0 ? null : recovered - trough,
      bench_return: bench[trough] / (peak < 0 ? 1 : bench[peak]) - 1,
    }))
}
