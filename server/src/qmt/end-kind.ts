import type { MarketId, SecurityEvent } from '@convexa/contract'
import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import { markets } from '@convexa/contract/enums/market'
import { noticeOfEnd, type Security } from '@convexa/engine'
import { addDays } from '../market/calendar.ts'

export type EndKind = Extract<SecurityEvent['kind'], 'called' | 'matured' | 'converted' | 'delisted' | 'ended'>

/** Days before its maturity on which a bond may trade for the last time: three trading days, with a week of holidays. */
const beforeMaturity = 25

const byReason: Readonly<Record<ExitReason, EndKind>> = {
  called: 'called',
  maturity: 'matured',
  // So many holders have converted that the rest is not traded any more: it leaves an account by conversion.
  small: 'converted',
  delisted: 'delisted',
  unknown: 'ended',
}

/**
 * What becomes of a security after its last day. The import says it of what has ended; of a live bond its announcements and its maturity do.
 * Where nothing is known, only that it has ended: a delisting is an exchange's decision, and is not guessed.
 */
export function endKindOf(kind: MarketId, { exitReason, lastDay, announcements = [], terms }: EndOf): EndKind {
  const fromImport = exitReason === undefined ? 'ended' : byReason[exitReason]
  if (fromImport !== 'ended' || !markets[kind].redeemed || lastDay === null) return fromImport
  const maturity = terms?.maturityDate
  if (maturity && addDays(lastDay, beforeMaturity) >= maturity) return 'matured'
  const notices = announcements.filter(({ kind: what, date }) => ends.has(what) && date <= lastDay)
  const first = noticeOfEnd(
    notices.map(({ date }) => date),
    lastDay,
  )
  const last = first === undefined ? undefined : notices.at(-1)
  return last === undefined ? 'ended' : last.kind === 'maturity' ? 'matured' : 'called'
}

type EndOf = Pick<Security, 'exitReason' | 'lastDay' | 'announcements' | 'terms'>
const ends: ReadonlySet<string> = new Set(['redeem', 'redeem_execution', 'maturity'])
