import type { DayDetail, DayRow, Metrics, Report, TradeRow } from '@convexa/contract'
import type { GroupRequest, MemberRun } from '../backtest/group.ts'
import type { Ledger } from '../backtest/simulate.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { engineVersion } from '../version.ts'
import { assumptionsOf } from './assumptions.ts'
import { contributionsOf } from './contributions.ts'
import { type DayGain, dailyContribution, dailyGains } from './daily-contribution.ts'
import { daysOf } from './days.ts'
import { distributionOf } from './distribution.ts'
import { eventsOf } from './events.ts'
import { groupsOf } from './groups.ts'
import { metricMeta } from './metric-meta.ts'
import { metricsOf, returnsOf } from './metrics.ts'
import { monthWins, periodsOf, relative } from './periods.ts'
import { dailyFigures, drawdownRows, type EngineReport, grossNav, mostTrades, runFigures, underwater } from './report.ts'
import { robustnessOf } from './robustness/robustness.ts'
import { rollingOf } from './rolling.ts'
import { orNull, rounded } from './round.ts'
import { tradesOf } from './trades.ts'

/** A member's run and what one yuan of it stands for in the group, day by day: 1, until it is put back to its share. */
interface Part extends MemberRun {
  readonly scale: Float64Array
}

type Sums = Pick<Ledger, 'first' | 'capital' | 'equity' | 'cash' | 'before' | 'bought' | 'sold' | 'fees' | 'slippage' | 'gain'>

/**
 * Runs of the members → the report of their group. Its value is the sum of theirs; being put back to its shares moves money between members at
 * the closes, without cost. What adds up (gains, fees, positions) is added, what does not (drawdowns, ratios) comes from the sum.
 */
export function groupReportOf(
  panel: Panel,
  market: Market,
  request: GroupRequest,
  runs: readonly MemberRun[],
  benchmark: Float64Array,
  warnings: readonly string[],
): { report: EngineReport; days: DayDetail[] } {
  const { settings } = request
  const { first, last } = runs[0].simulation
  const dates = panel.dates.slice(first, last + 1)
  const parts = scaled(runs, request, dates)
  const sums = sumsOf(parts, settings.capital * 10_000, panel.securities.length)
  const { equity, capital } = sums
  const nav = equity.map((value) => value / capital)
  const bench = benchmark.map((value) => value / benchmark[0])
  const turnover = equity.map((_, day) => (sums.bought[day] + sums.sold[day]) / 2 / sums.before[day])
  const gains = gainsOf(parts, panel, sums)
  const days = daysTogether(parts, request, sums, turnover)
  const holdCount = Float64Array.from(days, ({ count }) => count)
  const oosStart = settings.oos_start ?? null
  const metrics = (from: number, withRun: boolean): Metrics => {
    const to = dates.length - 1
    return metricsOf({
      dates: dates.slice(from),
      nav: relative(withRun ? nav : bench, from, to),
      bench: withRun ? relative(bench, from, to) : null,
      monthWinRate: monthWins(dates, withRun ? nav : bench, from, to),
      run: withRun ? { ...figuresOf(parts, from), turnover: turnover.subarray(from), holdCount: holdCount.subarray(from) } : null,
    })
  }
  const withOos = (withRun: boolean): Metrics => {
    if (oosStart === null) return metrics(0, withRun)
    const from = dates.findIndex((date) => date >= oosStart)
    return { ...metrics(0, withRun), oos: metrics(from, withRun) }
  }
  const period = { dates, nav, bench, turnover, before: panel.dates[first - 1] ?? null, after: panel.dates[last + 1] ?? null }
  const [yearly, monthly] = [periodsOf(period, 'year'), periodsOf(period, 'month')]
  const whole = withOos(true)
  const trades = days.flatMap(({ detail }) => [...detail.sold, ...detail.bought])
  const report: EngineReport = {
    kind: panel.kind,
    group: {
      rebalance: request.rebalance,
      duplicate: request.duplicate,
      members: parts.map(({ member, ledger }) => ({
        name: member.name,
        weight: member.weight,
        parameters: member.parameters,
        nav: Array.from(ledger.equity, (value) => rounded(value / ledger.capital)),
      })),
    },
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
      turnover: [...turnover],
      hold_count: [...holdCount],
      exposure: Array.from(equity, (value, day) => (value - sums.cash[day]) / value),
      cost: Array.from(sums.fees, (fee, day) => fee + sums.slippage[day]),
    },
    gross_nav: grossNav(sums),
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
    contributions: contributionsTogether(parts, panel, sums),
    by_group: groupsOf(gains, sums, panel, market),
    daily_contribution: dailyContribution(gains, sums, panel),
    holdings: holdingsTogether(dates, days),
    trades: trades.slice(-mostTrades),
    trades_total: trades.length,
    events: eventsOf(dates, nav, bench),
    capacity: [],
    cost_sweep: [],
    robustness: robustnessOf(
      { dates, nav, metrics: whole, oosStart, months: monthly, years: yearly, family: '策略组', gains, ledger: sums },
      { count: 1 },
    ),
    assumptions: [groupAssumption(request), ...assumptionsOf(panel, market, parts[0].simulation.recipe, settings, { ended: 0 })],
    warnings: [...warnings, '策略组不计算成本敏感与容量曲线，请看各成员单独的回测'],
    data_mode: panel.dataMode,
    data_version: panel.dataVersion,
    engine_version: engineVersion,
    oos_start: oosStart,
  }
  return { report, days: days.map(({ detail }) => detail) }
}

/** Put back to its share, a member goes on with its part of what the group was worth at the close before. */
function scaled(runs: readonly MemberRun[], { rebalance }: GroupRequest, dates: readonly string[]): Part[] {
  const parts = runs.map((run) => ({ ...run, scale: new Float64Array(dates.length).fill(1) }))
  if (rebalance === 'never') return parts
  for (let day = 1; day < dates.length; day++) {
    const begins = dates[day].slice(0, 7) !== dates[day - 1].slice(0, 7)
    const worth = begins ? parts.reduce((sum, { scale, ledger }) => sum + scale[day - 1] * ledger.equity[day - 1], 0) : 0
    for (const { scale, ledger, member } of parts) {
      scale[day] = begins ? (member.weight * worth) / ledger.equity[day - 1] : scale[day - 1]
    }
  }
  return parts
}

function sumsOf(parts: readonly Part[], capital: number, securities: number): Sums {
  const sum = (of: (ledger: Ledger) => Float64Array): Float64Array => {
    const total = new Float64Array(parts[0].ledger.equity.length)
    for (const { ledger, scale } of parts) {
      const values = of(ledger)
      for (let day = 0; day < total.length; day++) total[day] += scale[day] * values[day]
    }
    return total
  }
  return {
    first: parts[0].ledger.first,
    capital,
    equity: sum(({ equity }) => equity),
    cash: sum(({ cash }) => cash),
    before: sum(({ before }) => before),
    bought: sum(({ bought }) => bought),
    sold: sum(({ sold }) => sold),
    fees: sum(({ fees }) => fees),
    slippage: sum(({ slippage }) => slippage),
    gain: new Float64Array(securities),
  }
}

/** By day what each security added to the group, whoever held it; `sums.gain` gets their totals. */
function gainsOf(parts: readonly Part[], panel: Panel, sums: Sums): DayGain[][] {
  const own = parts.map(({ ledger }) => dailyGains(ledger, panel))
  return Array.from(sums.equity, (_, day) => {
    const together = new Map<number, number>()
    parts.forEach(({ scale }, k) => {
      for (const { security, value } of own[k][day]) together.set(security, (together.get(security) ?? 0) + scale[day] * value)
    })
    for (const [security, value] of together) sums.gain[security] += value
    return [...together].map(([security, value]) => ({ security, value })).sort((a, b) => a.security - b.security)
  })
}

function figuresOf(parts: readonly Part[], from: number) {
  const figures = parts.map(({ ledger }) => runFigures(ledger, dailyFigures(ledger), from))
  const closed = figures.filter(({ holdingDays }) => holdingDays !== null)
  const weight = closed.reduce((sum, { trades }) => sum + trades, 0)
  let fees = 0
  for (const { ledger, scale } of parts) for (let day = from; day < scale.length; day++) fees += scale[day] * ledger.fees[day]
  return {
    trades: figures.reduce((sum, { trades }) => sum + trades, 0),
    fees,
    holdingDays: weight === 0 ? null : closed.reduce((sum, { trades, holdingDays }) => sum + trades * (holdingDays ?? 0), 0) / weight,
  }
}

interface DayTogether {
  readonly detail: DayDetail
  /** Places held. */
  readonly count: number
}

/** Each day's positions, trades and cash of all members, in the group's yuan. */
function daysTogether(parts: readonly Part[], { duplicate }: GroupRequest, sums: Sums, turnover: Float64Array): DayTogether[] {
  const details = parts.map(({ simulation, ledger }) => {
    const daily = dailyFigures(ledger)
    return daysOf(ledger, simulation, daily.turnover, tradesOf(ledger, simulation).byDay)
  })
  return Array.from(sums.equity, (equity, day) => {
    const rows = new Map<string, DayRow>()
    const sold: TradeRow[] = []
    const bought: TradeRow[] = []
    parts.forEach(({ member, scale }, k) => {
      const of = details[k][day]
      const s = scale[day]
      for (const position of of.positions) {
        const key = duplicate === 'merge' ? position.code : `${position.code} ${k}`
        rows.set(key, merged(rows.get(key), position, s, equity, member.name))
      }
      sold.push(...of.sold.map((trade) => scaledTrade(trade, s, member.name)))
      bought.push(...of.bought.map((trade) => scaledTrade(trade, s, member.name)))
    })
    const notes = new Set(details.map((of) => of[day].note).filter((note) => note !== undefined))
    const detail: DayDetail = {
      trade_date: details[0][day].trade_date,
      nav: equity / sums.capital,
      cash: rounded(sums.cash[day]),
      turnover: rounded(turnover[day]),
      positions: [...rows.values()].sort((a, b) => b.market_value - a.market_value || (a.code < b.code ? -1 : 1)),
      sold,
      bought,
      reserves: [],
      excluded: [],
      ...(notes.size > 0 ? { note: [...notes].join('；') } : {}),
    }
    return { detail, count: rows.size }
  })
}

/** Ranks and scores are a member's own: the group has none. */
function merged(before: DayRow | undefined, row: DayRow, scale: number, equity: number, member: string): DayRow {
  const volume = (before?.volume ?? 0) + scale * row.volume
  const cost = (before ? before.cost_price * before.volume : 0) + scale * row.cost_price * row.volume
  const value = (before?.market_value ?? 0) + scale * row.market_value
  return {
    ...row,
    volume: rounded(volume),
    cost_price: rounded(cost / volume),
    market_value: rounded(value),
    weight: rounded(value / equity),
    profit_loss: rounded(value - cost),
    profit_rate: orNull(rounded(value / cost - 1)),
    holding_days: Math.max(before?.holding_days ?? 0, row.holding_days),
    rank: null,
    score: null,
    cash_div: rounded((before?.cash_div ?? 0) + scale * row.cash_div),
    stk_div: rounded((before?.stk_div ?? 0) + scale * row.stk_div),
    reason_text: before ? `${before.reason_text}；【${member}】${row.reason_text}` : `【${member}】${row.reason_text}`,
  }
}

const scaledTrade = (trade: TradeRow, scale: number, member: string): TradeRow => ({
  ...trade,
  volume: rounded(trade.volume * scale),
  amount: rounded(trade.amount * scale),
  fee: rounded(trade.fee * scale),
  pnl: trade.pnl === null ? null : rounded(trade.pnl * scale),
  reason_text: `【${member}】${trade.reason_text}`,
})

function contributionsTogether(parts: readonly Part[], panel: Panel, sums: Sums): Report['contributions'] {
  const indices = new Map(panel.securities.map(({ code }, i) => [code, i]))
  const rows = new Map<string, Report['contributions'][number]>()
  for (const { ledger } of parts) {
    for (const row of contributionsOf(ledger, panel)) {
      const before = rows.get(row.code)
      const gain = sums.gain[indices.get(row.code) as number]
      const days = Math.max(before?.days ?? 0, row.days)
      rows.set(row.code, { ...row, pnl: gain, share: gain / sums.capital, days, trades: (before?.trades ?? 0) + row.trades })
    }
  }
  return [...rows.values()].sort((a, b) => b.pnl - a.pnl || (a.code < b.code ? -1 : 1))
}

function holdingsTogether(dates: readonly string[], days: readonly DayTogether[]): Report['holdings'] {
  const indices = new Map<string, number>()
  const names: string[] = []
  const rows = days.map(({ detail }, day) => ({
    date: dates[day],
    code_index: detail.positions.map(({ code, name }) => {
      const known = indices.get(code)
      if (known !== undefined) return known
      indices.set(code, names.push(name) - 1)
      return names.length - 1
    }),
    weight: detail.positions.map(({ weight }) => weight),
  }))
  return { codes: [...indices.keys()], names, days: rows }
}

function groupAssumption({ members, rebalance, duplicate }: GroupRequest): Report['assumptions'][number] {
  const shares = members.map(({ name, weight }) => `${name} ${Number((weight * 100).toFixed(2))}%`).join('、')
  const back = rebalance === 'monthly' ? '每月第一个交易日按前一日收盘净值调回各自占比（成员之间的资金划转不计费用）' : '之后不再调整占比'
  const same = duplicate === 'merge' ? '重复持仓合并列示' : '重复持仓分别列示'
  return { key: 'group', label: '策略组', text: `${shares}；各成员以自己的份额资金独立运行，${back}；${same}` }
}
