/** Revisions of the conversion price that come into force on a day and that no source tells (`market/revisions.ts`). */

import type { Security } from '@convexa/engine'
import { marketOf } from '../../market/market-rules.ts'
import { isRevision, openProposal, revisionOn } from '../../market/revisions.ts'
import type { DayTable } from '../rows.ts'
import type { Members } from './members.ts'
import type { Past } from './past.ts'

/** `table`: what the day has of its bonds. */
export function withRevisions(past: Past, members: Members, { date, codes, columns }: DayTable): Members {
  if (!marketOf(past.kind)?.hasIssuerStock) return members
  const last = (past.dates.length - 1) * past.stride
  const placeOf = new Map(past.securities.map(({ code }, place) => [code, place]))
  const rowOf = new Map(codes.map((code, row) => [code, row]))
  const securities = members.securities.map((security): Security => {
    // A day that is made again finds its own revision.
    const announcements = security.announcements?.filter(({ kind, effective }) => kind !== 'reset' || effective !== date) ?? []
    const [place, row] = [placeOf.get(security.code), rowOf.get(security.code)]
    if (place === undefined || row === undefined || last < 0 || !openProposal(announcements, date)) return security
    const before = (key: string) => past.columns.get(key)?.[last + place] ?? Number.NaN
    const now = (key: string) => columns.get(key)?.[row] ?? Number.NaN
    const byClose = now('pre_close_stk') / before('close_stk')
    const cut = {
      ...{ before: before('conv_price'), now: now('conv_price'), closeBefore: before('close_stk'), closeNow: now('close_stk') },
      left: byClose === byClose ? byClose : before('adj_factor_stk') / now('adj_factor_stk'),
    }
    if (!isRevision(cut)) return { ...security, announcements }
    return { ...security, announcements: [...announcements, revisionOn(date)].sort((a, b) => (a.date < b.date ? -1 : 1)) }
  })
  return { ...members, securities }
}
