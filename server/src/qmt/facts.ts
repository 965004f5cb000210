import { createHash } from 'node:crypto'
import type { SecurityEvent, SecurityFacts, Targets } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { addDays, tradingDays } from '../market/calendar.ts'
import { othersOf } from './account-others.ts'
import { codeNow } from './codes-of-now.ts'
import type { ConfigRow } from './configs.ts'
import { realRecord } from './journals.ts'
import type { MarketDay, Quote } from './market-day.ts'

// What a client must know of a security beside its targets: lots, the close that the terminal's must agree with, ex-days and ends, and what
// the other configs of the account hold. This module alone reads them of the market's data.

/** Trading days back to which ex-days are sent: a computer may have been off. */
const eventDays = 10

/** Facts of the targets, of what the config last told to hold, of what is asked about, and of codes that are left alone, which may have changed. */
export async function factsOf(
  db: Kysely<Database>,
  config: ConfigRow,
  day: MarketDay,
  targets: readonly string[],
  ignored: readonly string[],
): Promise<NonNullable<Targets['facts']>> {
  const [others, siteRecord] = await Promise.all([othersOf(db, config), realRecord(db, config)])
  const named = [
    ...targets,
    ...(config.holdings ?? []).map(({ code }) => code),
    ...(config.resting ?? []).map(({ code }) => code),
    ...siteRecord.orders.map(({ code }) => code),
    ...ignored,
  ]
  // Both a former code and the one that it became are sent: the account may show either of them.
  const codes = new Set(named.flatMap((code) => [code, day.renamed.get(code)?.to ?? codeNow(day, code)]))
  const otherVolumes = new Map<string, number>()
  for (const [code, volume] of others) otherVolumes.set(codeNow(day, code), (otherVolumes.get(codeNow(day, code)) ?? 0) + volume)
  const rows = [...codes].sort().flatMap((code) => {
    const quote = day.quotes.get(code)
    return quote ? [factsRow(code, quote, day, otherVolumes.get(quote.code) ?? 0)] : []
  })
  return { rows, checksum: factsChecksum(rows) }
}

/** @param others what the other configs of the account hold of it */
export function factsRow(
  code: string,
  quote: Quote,
  day: Pick<MarketDay, 'tradeDate' | 'signalDate' | 'renamed'>,
  others: number,
): SecurityFacts {
  const { lot, close, isEarly } = quote
  return {
    ...{ code, lot_min: lot.min, lot_step: lot.step, others },
    close: close > 0 && !isEarly ? Math.round(close * 1_000) / 1_000 : null,
    events: code === quote.code ? eventsOf(quote, day) : [renamedTo(quote, day, code)],
  }
}

/** What became of a former code: all that its holders have is under the new one. */
const renamedTo = (
  { code: to }: Quote,
  { renamed, signalDate }: Pick<MarketDay, 'renamed' | 'signalDate'>,
  code: string,
): SecurityEvent => ({
  day: renamed.get(code)?.day ?? signalDate,
  kind: 'renamed',
  to,
})

/** Events of a security from ten trading days back to the trade date, ascending. */
export function eventsOf({ exDays, lastDay, endKind = 'ended' }: Quote, { tradeDate }: Pick<MarketDay, 'tradeDate'>): SecurityEvent[] {
  const from = tradingDays(addDays(tradeDate, -40), tradeDate).slice(-eventDays - 1)[0] ?? addDays(tradeDate, -14)
  const shares = (exDays ?? [])
    .filter(({ date }) => date >= from && date <= tradeDate)
    .map(({ date, cash, ratio }): SecurityEvent => ({ day: date, kind: ratio < 0 ? 'merge' : 'shares', ratio, cash }))
  if (lastDay === null || lastDay >= tradeDate) return shares
  // It leaves the account on a day after its last one.
  return [...shares, { day: addDays(lastDay, 1), kind: endKind }]
}

/** SHA-256 over lines of fixed decimals: the client makes the same of what it got. */
export function factsChecksum(rows: readonly SecurityFacts[]): string {
  const lines = rows.flatMap(({ code, lot_min, lot_step, close, others, events }) => [
    [code, lot_min, lot_step, close === null ? '' : close.toFixed(3), others].join(','),
    ...events.map(({ day, kind, ratio, cash, to }) => [day, kind, (ratio ?? 0).toFixed(6), (cash ?? 0).toFixed(6), to ?? ''].join(',')),
  ])
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
