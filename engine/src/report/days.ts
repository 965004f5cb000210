import type { DayDetail, DayRow, TradeRow } from '@convexa/contract'
import { reserveCount } from '../backtest/prepare.ts'
import { DayRanking, scoreOf } from '../backtest/rankings.ts'
import type { Ledger } from '../backtest/simulate.ts'
import { placesOf } from '../screen/recipe.ts'
import { holdReason, ruleText, type Story } from './reasons.ts'
import { orNull, rounded } from './round.ts'

/** Rows of positions in all days of a run together; of more, each day lists the best ranked. */
const mostRows = 400_000

/** How many of the excluded a day lists; those sold that day come first. */
const excludedCount = 20

/** Positions after each close, what was traded, and on ranking days the reserves and who was excluded. */
export function daysOf(ledger: Ledger, story: Story, turnover: Float64Array, trades: Map<number, TradeRow[]>): DayDetail[] {
  const { panel, rankings } = story
  const { positions, first, capital } = ledger
  const close = panel.columns.get('close') as Float64Array
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
      why: holdReason(place, false, false),
    }
    standings.set(security, made)
    return made
  }

  return Array.from(ledger.equity, (equity, day) => {
    const t = first + day
    const rankingDay = ledger.signal[day] >= 0
    if (rankingDay) {
      ranked.open(ledger.signal[day])
      standings = new Map()
    }
    const today = trades.get(t)
    const bought = today ? today.filter((row) => row.side === 'buy') : []
    const sold = today ? today.filter((row) => row.side === 'sell') : []
    const entered = bought.length > 0 ? new Map(bought.map((row) => [row.code, row])) : null
    const rows: DayRow[] = []
    for (let at = positions.from[day]; at < positions.to[day]; at++) {
      const security = positions.security[at]
      const { code, name } = panel.securities[security]
      const units = positions.units[at]
      const cost = positions.cost[at]
      const price = positions.priceAt(at, close, t * panel.stride)
      const value = units * price
      const waiting = positions.waiting[at] === 1
      const suspended = panel.traded[t * panel.stride + security] === 0
      const standing = standingOf(security)
      const entry = entered?.get(code)
      const why = waiting || suspended ? holdReason(standing.place, waiting, suspended) : standing.why
      const isNew = entry?.reason === 'enter'
      rows.push({
        code,
        name,
        volume: rounded(units),
        cost_price: rounded(cost / units),
        last_price: price,
        market_value: rounded(value),
        weight: rounded(value / equity),
        profit_loss: rounded(value - cost),
        profit_rate: orNull(rounded(value / cost - 1)),
        holding_days: t - positions.opened[at],
        rank: standing.rank,
        score: standing.score,
        suspension: suspended ? 1 : 0,
        cash_div: 0,
        stk_div: rounded(positions.added[at]),
        reason: isNew ? 'enter' : why.reason,
        reason_text: isNew ? entry.reason_text : why.text,
      })
    }
    rows.sort(byRank)
    const notes = rankingDay ? ['轮动日'] : []
    if (rows.length > perDay) notes.push(`持仓 ${rows.length} 只，列出名次靠前的 ${perDay} 只`)
    const held = rankingDay ? new Set(rows.map((row) => row.code)) : nobody
    rows.length = Math.min(rows.length, perDay)
    return {
      trade_date: panel.dates[t],
      nav: equity / capital,
      cash: rounded(ledger.cash[day]),
      turnover: rounded(turnover[day]),
      positions: rows,
      sold,
      bought,
      reserves: rankingDay ? reservesOf(story, ranked, held, standingOf) : [],
      excluded: rankingDay ? excludedOf(story, ranked.row, t, new Set(sold.map((row) => row.code))) : [],
      ...(notes.length > 0 ? { note: notes.join('；') } : {}),
    }
  })
}

/** A security after the newest ranking. */
interface Standing {
  /** 0 = not in the pool. */
  readonly place: number
  readonly rank: number | null
  readonly score: number | null
  readonly why: { readonly reason: string; readonly text: string }
}

const nobody: ReadonlySet<string> = new Set()
const last = Number.MAX_SAFE_INTEGER

function byRank(a: DayRow, b: DayRow): number {
  return (a.rank ?? last) - (b.rank ?? last) || (a.code < b.code ? -1 : 1)
}

function reservesOf(
  { panel, recipe }: Story,
  ranked: DayRanking,
  held: ReadonlySet<string>,
  standingOf: (security: number) => Standing,
): DayDetail['reserves'] {
  const out: DayDetail['reserves'] = []
  const { first } = placesOf(recipe.holdRange, ranked.size)
  for (let place = first; place <= ranked.size && out.length < reserveCount; place++) {
    const security = ranked.at(place)
    const { code, name } = panel.securities[security]
    if (held.has(code)) continue
    out.push({ code, name, rank: place, score: standingOf(security).score })
  }
  return out
}

function excludedOf(story: Story, row: number, t: number, sold: ReadonlySet<string>): DayDetail['excluded'] {
  const { panel, rankings } = story
  const out: DayDetail['excluded'] = []
  const add = (security: number) => {
    const { code, name } = panel.securities[security]
    out.push({ code, name, rule: ruleText(story, row, security) })
  }
  const failed = (security: number) =>
    rankings.fail[row * rankings.count + security] !== 0 && panel.listed[t * panel.stride + security] === 1
  for (let i = 0; i < rankings.count; i++) if (failed(i) && sold.has(panel.securities[i].code)) add(i)
  for (let i = 0; i < rankings.count && out.length < excludedCount; i++) if (failed(i) && !sold.has(panel.securities[i].code)) add(i)
  return out
}
