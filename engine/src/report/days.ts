import type { DayDetail, DayRow } from '@convexa/contract'
import { fills } from '@convexa/contract/enums/fill'
import { orNull, rounded } from '../base/round.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import { placesOf } from '../screen/hold-range.ts'
import { sortByPlace } from '../screen/select.ts'
import { silentSince } from '../simulation/exit-warnings.ts'
import { firstFill, type Missed } from '../simulation/fills.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { reserveCount } from '../simulation/prepare.ts'
import { DayRanking, scoreOf } from '../simulation/rankings.ts'
import { turnoverOf } from './metrics.ts'
import { claimReason, holdReason, missedReason, pendingReason, percent, ruleText, type TradeExplanation } from './reasons.ts'
import { tradesBetween } from './trades.ts'

/** Rows of positions in all days of a run together; of more, each day lists the best ranked. */
const mostRows = 400_000

/** How many of the excluded a day lists; those sold that day come first. */
const excludedCount = 20

/** The page of one day of a run; index 0 is its first day. */
export type DayPages = (day: number) => DayDetail

/**
 * Positions after each close, what was traded, and on ranking days the reserves and who was excluded. A page is made when it is asked for, in
 * any order; one after the other they share what stays the same from day to day.
 */
export function dayPages(ledger: Ledger, explanation: TradeExplanation): DayPages {
  const { panel, rankings } = explanation
  const { positions, first, capital, signal } = ledger
  const close = panel.columns.get('close') as Float64Array
  const turnover = turnoverOf(ledger)
  const trades = tradesBetween(ledger, explanation)
  const perDay = Math.max(50, Math.floor(mostRows / ledger.equity.length))
  const ranked = new DayRanking(rankings)
  let standings = new Map<number, Standing>()
  const standingOf = (security: number): Standing => {
    const known = standings.get(security)
    if (known) return known
    const place = ranked.row < 0 ? 0 : ranked.place(security)
    const made = {
      place,
      rank: place || null,
      score: place > 0 ? rounded(scoreOf(rankings, ranked.row, security, place)) : null,
      why: isPending && !keeps(place) ? pendingReason(place) : holdReason(place, false, false),
    }
    standings.set(security, made)
    return made
  }

  /** Whether the list of the newest ranking is traded only on the next day: what it ends is still held. */
  let isPending = false
  const keeps = (place: number): boolean => {
    if (explanation.exposure !== null && explanation.exposure[ranked.row] === 0) return false
    const { first: best, last } = placesOf(explanation.compiled.holdRange, ranked.size)
    return place >= best && place <= last + explanation.compiled.parameters.hold_method.hold_threshold
  }
  /** Stands on a day: with the ranking that was the newest then. */
  const standOn = (day: number, pending: boolean) => {
    let at = day
    while (at >= 0 && signal[at] < 0) at--
    const row = at < 0 ? -1 : signal[at]
    if (row === ranked.row && pending === isPending) return
    if (row < 0) ranked.row = -1
    else if (row !== ranked.row) ranked.open(row)
    isPending = pending
    standings = new Map()
  }

  const missed = missedByDay(ledger)
  const order = new ListOrder(rankings.count)
  return (day) => {
    const equity = ledger.equity[day]
    const t = first + day
    const row = t * panel.stride
    const rankingDay = signal[day] >= 0
    standOn(day, rankingDay && fills[explanation.settings.fill].delay > 0)
    const today = trades(t, t)
    const passed = missed.get(t)
    const bought = today.filter((trade) => trade.side === 'buy')
    const sold = today.filter((trade) => trade.side === 'sell')
    const entered = bought.length > 0 ? new Map(bought.map((trade) => [trade.code, trade])) : null
    const from = positions.from[day]
    const count = positions.to[day] - from
    // List and ranking are those of the day before on most days, and so is the order.
    order.sort(positions.security, { from, count, row: ranked.row }, (security) => standingOf(security).place)
    const rows: DayRow[] = []
    for (let n = 0; n < count && n < perDay; n++) {
      const at = order.entries[n]
      const security = positions.security[at]
      const { code, name } = panel.securities[security]
      const units = positions.units[at]
      const cost = positions.cost[at]
      const price = positions.priceAt(at, close, row)
      const value = units * price
      const profit = value + positions.income[at] - cost
      const waiting = positions.waiting[at] === 1
      const claimed = positions.claim[at] === 1
      const untraded = !claimed && panel.traded[row + security] === 0
      const isMissing = untraded && lacksBar(panel, security, t)
      const standing = standingOf(security)
      const entry = entered?.get(code)
      const since = untraded ? silentSince(panel, security, t) : null
      const silent = since === null ? null : panel.dates[Math.max(0, since)]
      const why = claimed
        ? claimReason(panel, security, t)
        : waiting || untraded
          ? holdReason(standing.place, waiting, untraded, silent, isMissing)
          : standing.why
      const isNew = entry?.reason === 'enter'
      rows.push({
        code,
        name,
        volume: rounded(units),
        cost_price: rounded(cost / units),
        last_price: price,
        market_value: rounded(value),
        weight: rounded(value / equity),
        profit_loss: rounded(profit),
        profit_rate: orNull(rounded(profit / cost)),
        holding_days: t - positions.opened[at],
        rank: standing.rank,
        score: standing.score,
        suspension: untraded && !isMissing ? 1 : 0,
        ...(isMissing && { missing_bar: true as const }),
        cash_div: rounded(positions.dayIncome[at]),
        stk_div: rounded(positions.added[at]),
        reason: isNew ? 'enter' : why.reason,
        reason_text: isNew ? entry.reason_text : why.text,
      })
    }
    const notes = rankingDay ? [explanation.exposure ? `轮动日，择时目标仓位 ${percent(explanation.exposure[ranked.row])}` : '轮动日'] : []
    if (count > perDay) notes.push(`持仓 ${count} 只，列出名次靠前的 ${perDay} 只`)
    const positionsNow = rankingDay ? new Set(positions.security.subarray(from, positions.claims[day])) : nobody
    return {
      trade_date: panel.dates[t],
      nav: equity / capital,
      cash: rounded(ledger.cash[day]),
      turnover: rounded(turnover[day]),
      positions: rows,
      sold,
      bought,
      reserves: rankingDay ? reservesOf(explanation, ranked, positionsNow, standingOf) : [],
      excluded: rankingDay ? excludedOf(explanation, ranked.row, t, soldOn(ledger, t)) : [],
      ...(passed ? { unbought: passed.map((one) => unboughtRow(one, panel)) } : {}),
      ...(notes.length > 0 ? { note: notes.join('；') } : {}),
    }
  }
}

/** A security after the newest ranking. */
interface Standing {
  /** 0 = not in the pool. */
  readonly place: number
  readonly rank: number | null
  readonly score: number | null
  readonly why: { readonly reason: string; readonly text: string }
}

const nobody: ReadonlySet<number> = new Set()

function missedByDay({ fills: { missed } }: Ledger): ReadonlyMap<number, readonly Missed[]> {
  const days = new Map<number, Missed[]>()
  for (const one of missed) {
    const today = days.get(one.day)
    if (today) today.push(one)
    else days.set(one.day, [one])
  }
  return days
}

function unboughtRow(missed: Missed, { securities }: TradeExplanation['panel']): NonNullable<DayDetail['unbought']>[number] {
  const { code, name } = securities[missed.security]
  return { code, name, rank: missed.place, reason_text: missedReason(missed) }
}

/** A list of positions by place, those outside the pool last, by code. */
class ListOrder {
  /** Entries of the positions, first to last. */
  entries = new Int32Array(0)
  #of: ListedBy = { from: -1, count: -1, row: -1 }
  /** By security: its entry. */
  readonly #entryOf: Int32Array

  constructor(securities: number) {
    this.#entryOf = new Int32Array(securities)
  }

  /** Does nothing where the list and the ranking are those that it stands on. */
  sort(securities: Int32Array, of: ListedBy, placeOf: (security: number) => number): void {
    const { from, count, row } = of
    if (from === this.#of.from && count === this.#of.count && row === this.#of.row) return
    this.#of = of
    for (let at = from; at < from + count; at++) this.#entryOf[securities[at]] = at
    const sorted = sortByPlace([...securities.subarray(from, from + count)], placeOf)
    this.entries = Int32Array.from(sorted, (security) => this.#entryOf[security])
  }
}

/** A list of positions and the ranking that it is in the order of. */
interface ListedBy {
  readonly from: number
  readonly count: number
  readonly row: number
}

/** Securities sold on a day, by code. */
function soldOn({ fills }: Ledger, t: number): number[] {
  const sold: number[] = []
  for (let f = firstFill(fills, t); f < fills.length && fills.day[f] === t; f++) if (fills.sold[f] === 1) sold.push(fills.security[f])
  return [...new Set(sold)].sort((a, b) => a - b)
}

function reservesOf(
  { panel, compiled }: TradeExplanation,
  ranked: DayRanking,
  positionsNow: ReadonlySet<number>,
  standingOf: (security: number) => Standing,
): DayDetail['reserves'] {
  const out: DayDetail['reserves'] = []
  const { first } = placesOf(compiled.holdRange, ranked.size)
  const perIssuer = compiled.parameters.universe.max_per_issuer ?? Number.POSITIVE_INFINITY
  const issuers = new Map<string, number>()
  for (const security of positionsNow) {
    const { issuer } = panel.securities[security]
    issuers.set(issuer, (issuers.get(issuer) ?? 0) + 1)
  }
  for (let place = first; place <= ranked.size && out.length < reserveCount; place++) {
    const security = ranked.at(place)
    const { code, name, issuer } = panel.securities[security]
    // One whose issuer has its share already would not be bought, however free a place is.
    if (positionsNow.has(security) || (issuers.get(issuer) ?? 0) >= perIssuer) continue
    out.push({ code, name, rank: place, score: standingOf(security).score })
  }
  return out
}

function excludedOf(explanation: TradeExplanation, row: number, t: number, sold: readonly number[]): DayDetail['excluded'] {
  const { panel, rankings } = explanation
  const out: DayDetail['excluded'] = []
  const add = (security: number) => {
    const { code, name } = panel.securities[security]
    out.push({ code, name, rule: ruleText(explanation, row, security) })
  }
  const failed = (security: number) =>
    rankings.fail[row * rankings.count + security] !== 0 && panel.listed[t * panel.stride + security] === 1
  for (const i of sold) if (failed(i)) add(i)
  for (let i = 0; i < rankings.count && out.length < excludedCount; i++) if (failed(i) && !sold.includes(i)) add(i)
  return out
}
