import type { DayDetail, DayRow, TradeRow } from '@convexa/contract'
import { reserveCount } from '../backtest/prepare.ts'
import { DayRanking, scoreOf } from '../backtest/rankings.ts'
import type { Ledger } from '../backtest/simulate.ts'
import { placesOf } from '../screen/recipe.ts'
import { holdReason, ruleText, type Story } from './reasons.ts'
import { orNull, rounded } from './round.ts'

/** How many of the excluded a day lists; those sold that day come first. */
const excludedCount = 20

/** Positions after each close, what was traded, and on ranking days the reserves and who was excluded. */
export function daysOf(ledger: Ledger, story: Story, turnover: Float64Array, trades: Map<number, TradeRow[]>): DayDetail[] {
  const { panel, rankings } = story
  const { positions, first, capital } = ledger
  const ranked = new DayRanking(rankings)
  let standing = new Map<number, { rank: number | null; score: number | null }>()
  const standingOf = (security: number) => {
    const known = standing.get(security)
    if (known) return known
    const place = ranked.row < 0 ? 0 : ranked.place(security)
    const made = { rank: place || null, score: place > 0 ? rounded(scoreOf(rankings, ranked.row, security)) : null }
    standing.set(security, made)
    return made
  }

  return Array.from(ledger.equity, (equity, day) => {
    const t = first + day
    const rankingDay = ledger.signal[day] >= 0
    if (rankingDay) {
      ranked.open(ledger.signal[day])
      standing = new Map()
    }
    const today = trades.get(t) ?? []
    const bought = today.filter((row) => row.side === 'buy')
    const sold = today.filter((row) => row.side === 'sell')
    const entered = new Map(bought.map((row) => [row.code, row]))
    const rows: DayRow[] = []
    const held = new Set<number>()
    for (let at = positions.from[day]; at < positions.from[day + 1]; at++) {
      const security = positions.security[at]
      held.add(security)
      const { code, name } = panel.securities[security]
      const units = positions.units[at]
      const cost = positions.cost[at]
      const value = units * positions.price[at]
      const suspended = panel.traded[t * panel.stride + security] === 0
      const entry = entered.get(code)
      const why =
        entry?.reason === 'enter'
          ? { reason: 'enter', text: entry.reason_text }
          : holdReason(ranked, security, positions.waiting[at] === 1, suspended)
      rows.push({
        code,
        name,
        volume: rounded(units),
        cost_price: rounded(cost / units),
        last_price: orNull(positions.price[at]),
        market_value: rounded(value),
        weight: rounded(value / equity),
        profit_loss: rounded(value - cost),
        profit_rate: orNull(rounded(value / cost - 1)),
        holding_days: t - positions.opened[at],
        ...standingOf(security),
        suspension: suspended ? 1 : 0,
        cash_div: 0,
        stk_div: rounded(positions.added[at]),
        reason: why.reason,
        reason_text: why.text,
      })
    }
    const last = Number.MAX_SAFE_INTEGER
    rows.sort((a, b) => (a.rank ?? last) - (b.rank ?? last) || (a.code < b.code ? -1 : 1))
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
      ...(rankingDay ? { note: '轮动日' } : {}),
    }
  })
}

function reservesOf(
  { panel, recipe }: Story,
  ranked: DayRanking,
  held: ReadonlySet<number>,
  standingOf: (security: number) => { score: number | null },
): DayDetail['reserves'] {
  const out: DayDetail['reserves'] = []
  const { first } = placesOf(recipe.holdRange, ranked.size)
  for (let place = first; place <= ranked.size && out.length < reserveCount; place++) {
    const security = ranked.at(place)
    if (held.has(security)) continue
    const { code, name } = panel.securities[security]
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
