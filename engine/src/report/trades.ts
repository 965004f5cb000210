import type { TradeRow } from '@convexa/contract'
import { orNull, rounded } from '../base/round.ts'
import { firstFill } from '../simulation/fills.ts'
import type { Ledger } from '../simulation/ledger.ts'
import { DayRanking } from '../simulation/rankings.ts'
import { type TradeExplanation, tradeReason } from './reasons.ts'

/** The fills of some days as rows of the report, in the order of trading. Days are indices of the panel's dates. */
export type TradesBetween = (first: number, last: number) => TradeRow[]

export function tradesBetween(ledger: Ledger, explanation: TradeExplanation): TradesBetween {
  const { fills } = ledger
  const { panel, market, rankings } = explanation
  const factor = market.roles.adjustment ? panel.columns.get(market.roles.adjustment) : undefined
  // Fills of one ranking come together: it and the one before it are opened once.
  let newest = new DayRanking(rankings)
  let before = new DayRanking(rankings)
  return (first, last) => {
    const rows: TradeRow[] = []
    for (let f = firstFill(fills, first); f < fills.length && fills.day[f] <= last; f++) {
      const fill = fills.at(f)
      const { ranking, security } = fill
      if (ranking >= 0 && newest.row !== ranking) {
        ;[newest, before] = [before, newest]
        if (newest.row !== ranking) newest.open(ranking)
        if (ranking > 0 && before.row !== ranking - 1) before.open(ranking - 1)
      }
      const { code, name } = panel.securities[security]
      const from = ranking > 0 ? before.place(security) : 0
      const to = ranking >= 0 ? newest.place(security) : 0
      const sold = fill.side === 'sell'
      const pnl = fill.amount - fill.fee + fill.income - fill.cost
      const adjusted = factor ? fill.price * factor[fill.day * panel.stride + security] : Number.NaN
      rows.push({
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
        reason_text: tradeReason(explanation, fill, from, to),
        rank_from: from || null,
        rank_to: to || null,
      })
    }
    return rows
  }
}
