import type { Drawdown, Report } from '@convexa/contract'
import { distributionOf } from './distribution.ts'
import { drawdownsOf } from './drawdowns.ts'
import { metricMeta } from './metric-meta.ts'
import { returnsOf } from './metrics.ts'
import { type PeriodInput, periodsOf } from './periods.ts'
import { rollingOf } from './rolling.ts'

/**
 * Daily values of a finished run; index 0 is its first day. Net values are 1 before it, `bench` and `market` 1 at its close, `cost` is in
 * yuan. With its dates a run is drawn and its tables are made from them alone.
 */
export interface DailySeries extends PeriodInput {
  /** The whole market at equal weights; null where the data lack it, or it is the benchmark. */
  readonly market: Float64Array | null
  readonly known: Uint8Array | null
  readonly grossNav: Float64Array
  readonly holdCount: Float64Array
  readonly exposure: Float64Array
  readonly cost: Float64Array
}

/** Members of a report that daily values alone give. */
export const dailyMembers = [
  'metric_meta',
  'curves',
  'gross_nav',
  'yearly',
  'monthly',
  'weekly',
  'drawdowns',
  'rolling',
  'distribution',
] as const satisfies readonly (keyof Report)[]
export type DailyFigures = Pick<Report, (typeof dailyMembers)[number]>

const drawdownCount = 10

/** In the order in which a report has them. */
function dailyFigures(series: DailySeries): DailyFigures {
  const { dates, nav, bench, market, known } = series
  const monthly = periodsOf(series, 'month')
  return {
    metric_meta: metricMeta,
    curves: {
      dates: [...dates],
      nav: [...nav],
      bench: [...bench],
      ...(market && { market: [...market] }),
      excess: Array.from(nav, (value, day) => value / bench[day] - 1),
      drawdown: underwater(nav),
      bench_drawdown: underwater(bench),
      turnover: [...series.turnover],
      hold_count: [...series.holdCount],
      exposure: [...series.exposure],
      cost: [...series.cost],
    },
    gross_nav: [...series.grossNav],
    yearly: periodsOf(series, 'year'),
    monthly,
    weekly: periodsOf(series, 'week'),
    drawdowns: drawdownRows(dates, nav, bench),
    rolling: rollingOf(dates, nav, bench, known),
    distribution: distributionOf(
      dates,
      returnsOf(nav),
      monthly.map((row) => row.nav_return ?? 0),
    ),
  }
}

/** A report with the members that its daily values give, in the order of a report: they follow the metrics. */
export function withDailyFigures<M extends { readonly benchmark_metrics: Report['benchmark_metrics'] }>(
  members: M,
  series: DailySeries,
): M & DailyFigures {
  const entries = Object.entries(members).flatMap((member) =>
    member[0] === 'benchmark_metrics' ? [member, ...Object.entries(dailyFigures(series))] : [member],
  )
  return Object.fromEntries(entries) as M & DailyFigures
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
