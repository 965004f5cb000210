import type { DayDetail, Drawdown, Metrics, Report } from '@convexa/contract'
import { firstFill } from '../backtest/fills.ts'
import type { Ledger, Simulation } from '../backtest/simulate.ts'
import { engineVersion } from '../version.ts'
import { assumptionsOf } from './assumptions.ts'
import { contributionsOf } from './contributions.ts'
import { dailyContribution, dailyGains } from './daily-contribution.ts'
import { daysOf } from './days.ts'
import { distributionOf } from './distribution.ts'
import { drawdownsOf } from './drawdowns.ts'
import { eventsOf } from './events.ts'
import { groupsOf } from './groups.ts'
import { metricMeta } from './metric-meta.ts'
import { metricsOf, returnsOf } from './metrics.ts'
import { monthWins, periodsOf, relative } from './periods.ts'
import { robustnessOf, type Trials } from './robustness/robustness.ts'
import { rollingOf } from './rolling.ts'
import { rounded } from './round.ts'
import { capacityCurve, costSweep } from './sweep.ts'
import { tradesOf } from './trades.ts'

/** What the engine knows of a Report; who ran it and when is added by the server. */
export type EngineReport = Omit<
  Report,
  'backtest_id' | 'strategy_id' | 'group_id' | 'name' | 'note' | 'params_hash' | 'created_at' | 'partial'
>

const drawdownCount = 10

/** Ledger → report and day details. `benchmark` holds its values on the days of the run. Yields between the runs of its sweeps. */
export function* reportOf(
  run: Simulation,
  ledger: Ledger,
  benchmark: Float64Array,
  warnings: readonly string[],
  trials: Trials,
): Generator<void, { report: EngineReport; days: DayDetail[] }> {
  const { panel, market, recipe, rankings, exposure, parameters, settings, first, last } = run
  const story = { panel, market, recipe, rankings, exposure }
  const dates = panel.dates.slice(first, last + 1)
  const nav = ledger.equity.map((value) => value / ledger.capital)
  const bench = benchmark.map((value) => value / benchmark[0])
  const daily = dailyFigures(ledger)
  const trades = tradesOf(ledger, story)
  const oosStart = settings.oos_start ?? null
  const metrics = (from: number, withRun: boolean): Metrics => {
    const to = dates.length - 1
    return metricsOf({
      dates: dates.slice(from),
      nav: relative(withRun ? nav : bench, from, to),
      bench: withRun ? relative(bench, from, to) : null,
      monthWinRate: monthWins(dates, withRun ? nav : bench, from, to),
      run: withRun ? runFigures(ledger, daily, from) : null,
    })
  }
  const withOos = (withRun: boolean): Metrics => {
    const oos =
      oosStart === null
        ? null
        : metrics(
            dates.findIndex((date) => date >= oosStart),
            withRun,
          )
    return { ...metrics(0, withRun), ...(oos ? { oos } : {}) }
  }
  const period = {
    dates,
    nav,
    bench,
    turnover: daily.turnover,
    before: panel.dates[first - 1] ?? null,
    after: panel.dates[last + 1] ?? null,
  }
  const gains = dailyGains(ledger, panel)
  const [yearly, monthly] = [periodsOf(period, 'year'), periodsOf(period, 'month')]
  const whole = withOos(true)
  const swept = rankings.days.length * mostHeld(ledger) <= mostSwept
  const report: EngineReport = {
    kind: panel.kind,
    parameters,
    settings,
    metrics: whole,
    benchmark_metrics: withOos(false),
    metric_meta: metricMeta,
    curves: {
      dates,
      nav: [...nav],
      bench: [...bench],
      excess: Array.from(nav, (value, day) => value / bench[day] - 1),
      drawdown: underwater(nav),
      bench_drawdown: underwater(bench),
      turnover: [...daily.turnover],
      hold_count: [...daily.holdCount],
      exposure: [...daily.exposure],
      cost: Array.from(ledger.fees, (fee, day) => fee + ledger.slippage[day]),
    },
    gross_nav: grossNav(ledger),
    yearly,
    monthly,
    weekly: periodsOf(period, 'week'),
    drawdowns: drawdownRows(dates, nav, bench),
    rolling: rollingOf(dates, nav, bench),
    distribution: distributionOf(
      dates,
      returnsOf(nav),
      monthly.map((row) => row.nav_return ?? 0),
    ),
    contributions: contributionsOf(ledger, panel),
    by_group: groupsOf(gains, ledger, panel, market),
    daily_contribution: dailyContribution(gains, ledger, panel),
    holdings: holdingsOf(ledger, run, dates),
    trades: trades.rows.slice(-mostTrades),
    trades_total: trades.rows.length,
    events: eventsOf(dates, nav, bench),
    capacity: swept ? yield* capacityCurve(run) : [],
    cost_sweep: swept ? yield* costSweep(run) : [],
    robustness: robustnessOf(
      { dates, nav, metrics: whole, oosStart, months: monthly, years: yearly, family: familyOf(recipe), gains, ledger },
      trials,
    ),
    assumptions: assumptionsOf(panel, market, recipe, settings, { ended: endedIn(run) }),
    warnings: [...warnings, ...ledger.warnings, ...(swept ? [] : ['轮动次数 × 持有只数过多，未计算成本敏感与容量曲线'])],
    data_mode: panel.dataMode,
    data_version: panel.dataVersion,
    engine_version: engineVersion,
    oos_start: oosStart,
  }
  return { report, days: daysOf(ledger, story, daily.turnover, trades.byDay) }
}

/** Rebalances × places of a run whose sweeps, sixteen runs of the same size, are waited for. */
const mostSwept = 50_000

const mostHeld = ({ positions }: Ledger): number => positions.to.reduce((most, to, day) => Math.max(most, to - positions.from[day]), 0)

/** 「双低、剩余规模」: what the rule scores by. */
const familyOf = (recipe: Simulation['recipe']): string => recipe.ranks.map(({ factor }) => factor.label).join('、')

/** Trades listed in a report, the newest; a report is read whole by a browser. The days hold every one. */
export const mostTrades = 10_000

export interface Daily {
  readonly turnover: Float64Array
  readonly holdCount: Float64Array
  readonly exposure: Float64Array
}

export function dailyFigures({ equity, cash, bought, sold, before, positions }: Ledger): Daily {
  return {
    turnover: equity.map((_, day) => (bought[day] + sold[day]) / 2 / before[day]),
    holdCount: equity.map((_, day) => positions.to[day] - positions.from[day]),
    exposure: equity.map((value, day) => (value - cash[day]) / value),
  }
}

export function runFigures(ledger: Ledger, daily: Daily, from: number) {
  const { fills } = ledger
  const first = firstFill(fills, ledger.first + from)
  let fees = 0
  let closed = 0
  let held = 0
  for (let f = first; f < fills.length; f++) {
    fees += fills.fee[f]
    if (fills.closes[f] === 0) continue
    closed++
    held += fills.day[f] - fills.opened[f]
  }
  return {
    turnover: daily.turnover.subarray(from),
    holdCount: daily.holdCount.subarray(from),
    holdingDays: closed === 0 ? null : held / closed,
    trades: fills.length - first,
    fees,
  }
}

/** The net value had trading cost nothing: each day's return with its costs given back. */
export function grossNav({ equity, fees, slippage, capital }: Pick<Ledger, 'equity' | 'fees' | 'slippage' | 'capital'>): number[] {
  let value = 1
  return Array.from(equity, (now, day) => {
    value *= (now + fees[day] + slippage[day]) / (day === 0 ? capital : equity[day - 1])
    return value
  })
}

export function underwater(nav: Float64Array): number[] {
  let high = 1
  return Array.from(nav, (value) => {
    high = Math.max(high, value)
    return value / high - 1
  })
}

export function drawdownRows(dates: readonly string[], nav: Float64Array, bench: Float64Array): Drawdown[] {
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

/** Entries of holdings in all days together; of more, each day has the largest. */
const mostHoldings = 1_000_000

function holdingsOf({ positions, equity, first }: Ledger, { panel }: Simulation, dates: readonly string[]): Report['holdings'] {
  const close = panel.columns.get('close') as Float64Array
  const perDay = Math.max(50, Math.floor(mostHoldings / dates.length))
  /** By security: its index in the list of those held, −1 = not in it. */
  const indexOf = new Int32Array(panel.securities.length).fill(-1)
  const held: number[] = []
  const days = dates.map((date, day) => {
    const row = (first + day) * panel.stride
    const weightAt = (at: number) => (positions.units[at] * positions.priceAt(at, close, row)) / equity[day]
    const from = positions.from[day]
    const count = positions.to[day] - from
    const largest = count > perDay ? largestOf(from, count, perDay, weightAt) : null
    const listed = largest ? perDay : count
    const code_index = new Array<number>(listed)
    const weight = new Array<number>(listed)
    for (let k = 0; k < listed; k++) {
      const at = largest ? largest[k] : from + k
      const security = positions.security[at]
      if (indexOf[security] < 0) indexOf[security] = held.push(security) - 1
      code_index[k] = indexOf[security]
      weight[k] = rounded(weightAt(at))
    }
    return { date, code_index, weight }
  })
  return { codes: held.map((i) => panel.securities[i].code), names: held.map((i) => panel.securities[i].name), days }
}

/** The entries of largest weight, the largest first, equal ones in their order. */
function largestOf(from: number, count: number, limit: number, weightAt: (at: number) => number): number[] {
  const weights = Float64Array.from({ length: count }, (_, k) => weightAt(from + k))
  const entries = Array.from(weights, (_, k) => from + k)
  return entries.sort((a, b) => weights[b - from] - weights[a - from] || a - b).slice(0, limit)
}

/** Securities that were listed in the range and left before its end: what a list of today's survivors would lack. */
function endedIn({ panel, first, last }: Simulation): number {
  let ended = 0
  for (let i = 0; i < panel.securities.length; i++) {
    if (panel.listed[last * panel.stride + i] === 1) continue
    for (let t = last - 1; t >= first; t--) {
      if (panel.listed[t * panel.stride + i] === 0) continue
      ended++
      break
    }
  }
  return ended
}
