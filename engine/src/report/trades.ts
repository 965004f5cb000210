import type { TradeRow } from '@convexa/contract'
import { placeIn } from '../backtest/rankings.ts'
import type { Ledger } from '../backtest/simulate.ts'
import { type Story, tradeReason } from './reasons.ts'
import { orNull, rounded } from './round.ts'

/** Every fill as a row of the report, in the order of trading, and the rows of each day. */
export function tradesOf(ledger: Ledger, story: Story): { rows: TradeRow[]; byDay: Map<number, TradeRow[]> } {
  const { panel, market, rankings } = story
  const factor = market.roles.adjustment ? panel.columns.get(market.roles.adjustment) : undefined
  const byDay = new Map<number, TradeRow[]>()
  const rows = ledger.fills.map((fill) => {
    const { code, name } = panel.securities[fill.security]
    const from = fill.ranking > 0 ? placeIn(rankings, fill.ranking - 1, fill.security) : 0
    const to = fill.ranking >= 0 ? placeIn(rankings, fill.ranking, fill.security) : 0
    const sold = fill.side === 'sell'
    const pnl = fill.amount - fill.fee - fill.cost
    const adjusted = factor ? fill.price * factor[fill.day * panel.stride + fill.security] : Number.NaN
    const row: TradeRow = {
      date: panel.dates[fill.day],
      code,
      name,
      side: fill.side,
      price: rounded(fill.price),
      price_adj: orNull(rounded(adjusted)),
      volume: rounded(fill.volume),
      amount: rounded(fill.amount),
      fee: rounded(fill.fee),
      pnl: sold ? rounded(pnl) : null,
      return_: sold ? orNull(rounded(pnl / fill.cost)) : null,
      days_held: sold ? fill.day - fill.opened : null,
      reason: fill.reason,
      reason_text: tradeReason(story, fill, from, to),
      rank_from: from || null,
      rank_to: to || null,
    }
    const today = byDay.get(fill.day)
    if (today) today.push(row)
    else byDay.set(fill.day, [row])
    return row
  })
  return { rows, byDay }
}
