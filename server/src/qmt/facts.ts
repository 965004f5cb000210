import { createHash } from 'node:crypto'
import type { SecurityEvent, SecurityFacts, Targets } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { addDays, tradingDays } from '../market/calendar.ts'
import { othersOf } from './account-others.ts'
import type { ConfigRow } from './configs.ts'
import { realRecord } from './journals.ts'
import type { MarketDay, Quote } from './market-day.ts'

// What a client must know of a security beside its targets: lots, the close that the terminal's must agree with, ex-days and ends, and what
// the other configs of the account hold. This module alone reads them of the market's data.

/** Trading days back to which ex-days are told: a computer may have been off. */
const eventDays = 10

/** Facts of the targets, of what the config last told to hold, and of what is asked about. */
export async function factsOf(
  db: Kysely<Database>,
  config: ConfigRow,
  day: MarketDay,
  targets: readonly string[],
): Promise<NonNullable<Targets['facts']>> {
  const [others, known] = await Promise.all([othersOf(db, config), realRecord(db, config)])
  const codes = new Set([
    ...targets,
    ...(config.holdings ?? []).map(({ code }) => code),
    ...(config.resting ?? []).map(({ code }) => code),
    ...known.orders.map(({ code }) => code),
  ])
  const rows = [...codes].sort().flatMap((code) => {
    const quote = day.quotes.get(code)
    return quote ? [rowOf(quote, day, others.get(code) ?? 0)] : []
  })
  return { rows, checksum: factsChecksum(rows) }
}

function rowOf(quote: Quote, day: MarketDay, others: number): SecurityFacts {
  const { code, lot, close } = quote
  return {
    ...{ code, lot_min: lot.min, lot_step: lot.step, others },
    close: close > 0 ? Math.round(close * 1_000) / 1_000 : null,
    events: eventsOf(quote, day),
  }
}

/** Events of a security from ten trading days back to the trade date, ascending. */
export function eventsOf({ exDays, lastDay }: Quote, { kind, tradeDate }: Pick<MarketDay, 'kind' | 'tradeDate'>): SecurityEvent[] {
  const from = tradingDays(addDays(tradeDate, -40), tradeDate).slice(-eventDays - 1)[0] ?? addDays(tradeDate, -14)
  const shares = (exDays ?? [])
    .filter(({ date }) => date >= from && date <= tradeDate)
    .map(({ date, cash, ratio }): SecurityEvent => ({ day: date, kind: ratio < 0 ? 'merge' : 'shares', ratio, cash }))
  if (lastDay === null || lastDay >= tradeDate) return shares
  // A bond is paid back or called, a share leaves the list: on a day after its last one that the account shows.
  return [...shares, { day: addDays(lastDay, 1), kind: kind === 'cb' ? 'matured' : 'delisted' }]
}

/** SHA-256 over lines of fixed decimals: the client makes the same of what it got. */
export function factsChecksum(rows: readonly SecurityFacts[]): string {
  const lines = rows.flatMap(({ code, lot_min, lot_step, close, others, events }) => [
    [code, lot_min, lot_step, close === null ? '' : close.toFixed(3), others].join(','),
    ...events.map(({ day, kind, ratio, cash, to }) => [day, kind, (ratio ?? 0).toFixed(6), (cash ?? 0).toFixed(6), to ?? ''].join(',')),
  ])
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
