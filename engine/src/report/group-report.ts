import type { DayRow, LedgerPart, Report, TradeRow } from '@convexa/contract'
import { orNull, rounded } from '../base/round.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { valueTogether } from '../simulation/group-value.ts'
import type { Ledger } from '../simulation/ledger.ts'
import type { GroupRequest, MemberRun } from '../simulation/request.ts'
import { assumptionsOf } from './assumptions.ts'
import { contributionsOf } from './contributions.ts'
import { type DayGain, dailyContribution, dailyGains } from './daily-contribution.ts'
import { type DayPages, dayPages } from './days.ts'
import { groupsOf } from './groups.ts'
import { explanationOf, type LedgerReader, newestTrades } from './ledger-parts.ts'
import { turnoverOf } from './metrics.ts'
import { peakParticipation } from './participation.ts'
import { performanceOf } from './performance-series.ts'
import { type CoreAndSeries, type CoreMembers, endedIn, silentIn, tradedFrom } from './report.ts'
import { referencesOf } from './robustness/judged.ts'
import { robustnessOf } from './robustness/robustness.ts'
import { worthOf } from './robustness/worth.ts'
import { type CostSensitivity, capacityCurve, costSweep, isSwept } from './sweep.ts'
import { tradesBetween } from './trades.ts'

/** A member's run and what one yuan of it stands for in the group, day by day: 1, until it is put back to its share. */
interface Part extends MemberRun {
  readonly scale: Float64Array
}

type Sums = Pick<Ledger, 'first' | 'capital' | 'equity' | 'cash' | 'before' | 'bought' | 'sold' | 'fees' | 'slippage' | 'gain'>

/** The group as its report reads it: its members with their scales, and the daily sums in its yuan. */
interface Together {
  readonly parts: readonly Part[]
  readonly sums: Sums
  readonly value: ReturnType<typeof valueTogether>
}

function togetherOf(panel: Panel, request: GroupRequest, runs: readonly MemberRun[]): Together {
  const { first, last } = runs[0].simulation
  const value = valueTogether(
    panel.dates.slice(first, last + 1),
    request.members.map(({ weight }) => weight),
    request.rebalance,
  )
  const { scales } = value(navsOf(runs))
  const parts = runs.map((run, k): Part => ({ ...run, scale: scales[k] }))
  const sums = sumsOf(parts, request.settings.capital * 10_000, panel.securities.length)
  return { parts, sums, value }
}

/** Of a group what `readLedger` is of one strategy. */
export function readLedgers(panel: Panel, request: GroupRequest, runs: readonly MemberRun[]): LedgerReader {
  const { parts, sums } = togetherOf(panel, request, runs)
  const { first, last } = runs[0].simulation
  const page = pagesTogether(parts, request, sums)
  const dates = panel.dates.slice(first, last + 1)
  const makers: { [P in LedgerPart]: () => Report[P] } = {
    daily_contribution: () => dailyContribution(gainsOf(parts, panel, sums), sums, panel),
    holdings: () => holdingsTogether(dates, page),
    trades: () => newestTrades(tradesTogether(parts, first, last)),
  }
  return { nav: sums.equity.map((value) => value / sums.capital), part: (part) => makers[part](), page }
}

/**
 * Runs of the members → the core of their group's report. Its value is the sum of theirs; being put back to its shares moves money between
 * members at the closes, without cost. What adds up (gains, fees, positions) is added, what does not (drawdowns, ratios) comes from the sum.
 * Yields between the runs of its sweeps.
 */
export function* groupCoreOf(
  panel: Panel,
  market: Market,
  request: GroupRequest,
  runs: readonly MemberRun[],
  benchmark: Float64Array,
  warnings: readonly string[],
): Generator<void, CoreAndSeries> {
  const { settings } = request
  const { first, last } = runs[0].simulation
  const { parts, sums, value: together } = togetherOf(panel, request, runs)
  const gains = gainsOf(parts, panel, sums)
  const placesOn = placesHeld(parts, request.duplicate)
  const performance = performanceOf({
    panel,
    first,
    last,
    settings,
    sums,
    holdCount: sums.equity.map((_, day) => placesOn(day)),
    benchmark,
    tradedFrom: (from) => tradedTogether(parts, from),
  })
  const { series, figures, months, years, events, origin } = performance
  const { dates, nav } = series
  const { metrics } = figures
  const { oos_start: oosStart } = origin
  const worth = worthOf(nav, referencesOf({ kind: panel.kind, settings, curves: series }))
  const judged = { dates, nav, metrics, oosStart, months, years, family: '策略组', isGroup: true, worth, gains, ledger: sums }
  const sensitivity: CostSensitivity = {
    runs: runs.map(({ simulation }) => simulation),
    capital: settings.capital,
    together: (navs) => together(navs).nav,
  }
  const isDone = isSwept(runs)
  const core: CoreMembers = {
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
    ...figures,
    contributions: contributionsTogether(parts, panel, sums),
    by_group: groupsOf(gains, sums, panel, market),
    trades_total: parts.reduce((sum, { ledger }) => sum + ledger.fills.length, 0),
    events,
    capacity: isDone ? yield* capacityCurve(sensitivity) : [],
    peak_participation: peakParticipation(
      parts.map(({ ledger: { fills }, scale }) => ({ fills, scale })),
      panel,
      first,
      last,
    ),
    cost_sweep: isDone ? yield* costSweep(sensitivity) : [],
    ...(worth && { worth }),
    robustness: robustnessOf(judged, request.trials ?? { count: 1 }),
    ...leftOutTogether(parts),
    assumptions: [
      groupAssumption(request),
      ...assumptionsOf(panel, market, rulesOf(parts), settings, {
        ended: endedIn(parts[0].simulation),
        ...silentIn(parts[0].simulation),
      }),
    ],
    warnings: [...warnings, ...(isDone ? [] : ['各成员的轮动次数 × 持有只数过多，未计算成本敏感与容量曲线'])],
    ...origin,
  }
  return { core, series }
}

const rulesOf = (parts: readonly Part[]) => parts.map(({ member, simulation }) => ({ name: member.name, compiled: simulation.compiled }))

/** By the members' weights; not known where it is not known of one. */
function leftOutTogether(parts: readonly Part[]): Pick<CoreMembers, 'left_out_interest'> {
  let sum = 0
  for (const { member, ledger } of parts) {
    if (ledger.leftOutInterest === undefined) return {}
    if (ledger.leftOutInterest === null) return { left_out_interest: null }
    sum += member.weight * ledger.leftOutInterest
  }
  return { left_out_interest: rounded(sum) }
}

/** Net values of the members by themselves. */
const navsOf = (runs: readonly MemberRun[]): Float64Array[] =>
  runs.map(({ ledger }) => ledger.equity.map((value) => value / ledger.capital))

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

/** Gains of the group by day and security, summed over its members; `sums.gain` gets their totals. */
function gainsOf(parts: readonly Part[], panel: Panel, sums: Sums): DayGain[][] {
  sums.gain.fill(0)
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

function tradedTogether(parts: readonly Part[], from: number) {
  const figures = parts.map(({ ledger }) => tradedFrom(ledger, from))
  const closed = figures.reduce((sum, one) => sum + one.closed, 0)
  let fees = 0
  for (const { ledger, scale } of parts) for (let day = from; day < scale.length; day++) fees += scale[day] * ledger.fees[day]
  return {
    trades: figures.reduce((sum, { trades }) => sum + trades, 0),
    fees,
    holdingDays: closed === 0 ? null : figures.reduce((sum, one) => sum + one.closed * (one.holdingDays ?? 0), 0) / closed,
  }
}

/** Of each day what the members sold, then what they bought. */
function tradesTogether(parts: readonly Part[], first: number, last: number): TradeRow[] {
  const members = parts.map(({ simulation, ledger }) => tradesBetween(ledger, explanationOf(simulation)))
  const rows: TradeRow[] = []
  for (let t = first; t <= last; t++) {
    const today = parts.map(({ member, scale }, k) => members[k](t, t).map((trade) => scaledTrade(trade, scale[t - first], member.name)))
    for (const side of ['sell', 'buy'] as const) for (const trades of today) rows.push(...trades.filter((trade) => trade.side === side))
  }
  return rows
}

/** Each day's positions, trades and cash of all members, in the group's yuan. */
function pagesTogether(parts: readonly Part[], { duplicate }: GroupRequest, sums: Sums): DayPages {
  const pages = parts.map(({ simulation, ledger }) => dayPages(ledger, explanationOf(simulation)))
  const turnover = turnoverOf(sums)
  return (day) => {
    const equity = sums.equity[day]
    const details = pages.map((page) => page(day))
    const rows = new Map<string, DayRow>()
    const sold: TradeRow[] = []
    const bought: TradeRow[] = []
    parts.forEach(({ member, scale }, k) => {
      const of = details[k]
      const s = scale[day]
      for (const position of of.positions) {
        const key = duplicate === 'merge' ? position.code : `${position.code} ${k}`
        rows.set(key, merged(rows.get(key), position, s, equity, member.name))
      }
      sold.push(...of.sold.map((trade) => scaledTrade(trade, s, member.name)))
      bought.push(...of.bought.map((trade) => scaledTrade(trade, s, member.name)))
    })
    const unbought = parts.flatMap(({ member }, k) => {
      return (details[k].unbought ?? []).map((one) => ({ ...one, reason_text: `【${member.name}】${one.reason_text}` }))
    })
    const notes = new Set(details.map((of) => of.note).filter((note) => note !== undefined))
    return {
      trade_date: details[0].trade_date,
      nav: equity / sums.capital,
      cash: rounded(sums.cash[day]),
      turnover: rounded(turnover[day]),
      positions: [...rows.values()].sort((a, b) => b.market_value - a.market_value || (a.code < b.code ? -1 : 1)),
      sold,
      bought,
      reserves: [],
      excluded: [],
      ...(unbought.length > 0 ? { unbought } : {}),
      ...(notes.size > 0 ? { note: [...notes].join('；') } : {}),
    }
  }
}

/** How many places are held after a day's close, those too that the day of a member with a long list does not name. */
function placesHeld(parts: readonly Part[], duplicate: GroupRequest['duplicate']): (day: number) => number {
  if (duplicate === 'merge') return (day) => heldOn(parts, day, 'claims').size
  return (day) => parts.reduce((sum, { ledger: { positions } }) => sum + positions.claims[day] - positions.from[day], 0)
}

/** What any of the members holds after a day's close, up to its claims or with them. */
function heldOn(parts: readonly Part[], day: number, end: 'claims' | 'to'): Set<number> {
  const codesHeld = new Set<number>()
  for (const { ledger } of parts) {
    const { from, security, [end]: until } = ledger.positions
    for (let at = from[day]; at < until[day]; at++) codesHeld.add(security[at])
  }
  return codesHeld
}

/** Ranks and scores are a member's own: the group has none. */
function merged(before: DayRow | undefined, row: DayRow, scale: number, equity: number, member: string): DayRow {
  const volume = (before?.volume ?? 0) + scale * row.volume
  const cost = (before ? before.cost_price * before.volume : 0) + scale * row.cost_price * row.volume
  const value = (before?.market_value ?? 0) + scale * row.market_value
  const profit = (before?.profit_loss ?? 0) + scale * row.profit_loss
  return {
    ...row,
    volume: rounded(volume),
    cost_price: rounded(cost / volume),
    market_value: rounded(value),
    weight: rounded(value / equity),
    profit_loss: rounded(profit),
    profit_rate: orNull(rounded(profit / cost)),
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
  const days = new Int32Array(panel.securities.length)
  sums.equity.forEach((_, day) => {
    for (const security of heldOn(parts, day, 'to')) days[security]++
  })
  for (const { ledger } of parts) {
    for (const row of contributionsOf(ledger, panel)) {
      const security = indices.get(row.code) as number
      const gain = sums.gain[security]
      const trades = (rows.get(row.code)?.trades ?? 0) + row.trades
      rows.set(row.code, { ...row, pnl: gain, share: gain / sums.capital, days: days[security], trades })
    }
  }
  return [...rows.values()].sort((a, b) => b.pnl - a.pnl || (a.code < b.code ? -1 : 1))
}

function holdingsTogether(dates: readonly string[], page: DayPages): Report['holdings'] {
  const indices = new Map<string, number>()
  const names: string[] = []
  const rows = dates.map((date, day) => {
    const { positions } = page(day)
    const code_index = positions.map(({ code, name }) => {
      const known = indices.get(code)
      if (known !== undefined) return known
      indices.set(code, names.push(name) - 1)
      return names.length - 1
    })
    const because = (reason: string) => code_index.filter((_, i) => positions[i].reason === reason)
    const [claims, unpaid] = [because('claim'), because('unpaid')]
    const weight = positions.map(({ weight }) => weight)
    return { date, code_index, weight, ...(claims.length > 0 && { claims }), ...(unpaid.length > 0 && { unpaid }) }
  })
  return { codes: [...indices.keys()], names, days: rows }
}

function groupAssumption({ members, rebalance, duplicate }: GroupRequest): Report['assumptions'][number] {
  const shares = members.map(({ name, weight }) => `${name} ${Number((weight * 100).toFixed(2))}%`).join('、')
  const back = rebalance === 'monthly' ? '每月第一个交易日按前一日收盘净值调回各自占比（成员之间的资金划转不计费用）' : '之后不再调整占比'
  const same = duplicate === 'merge' ? '重复持仓合并列示' : '重复持仓分别列示'
  return { key: 'group', label: '策略组', text: `${shares}；各成员以自己的份额资金独立运行，${back}；${same}` }
}
