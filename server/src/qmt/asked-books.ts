import { passingDoubts, type Resting } from '@convexa/contract'
import { type RawBuilder, sql } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import { addDays, tradingDays } from '../market/calendar.ts'

/** Trading days after which an event that has not come, or an ex-day that nothing explains, is asked: the data usually explain it before. */
const patience = 3

/** Since when a security must rest to be asked about by what usually explains itself. */
const askedSince = (now: Date): string => {
  const today = shanghaiTime(now).slice(0, 10)
  return tradingDays(addDays(today, -30), today).slice(-patience - 1)[0] ?? addDays(today, -patience)
}

/** Whether the user is asked about the book of a security that rests. */
export const isBookAsked = ({ why, since }: Pick<Resting, 'why' | 'since'>, now: Date): boolean =>
  why !== 'order' && (!passingDoubts.includes(why) || since <= askedSince(now))

/** The same of a JSON row `r`, in SQL. */
export const bookAsked = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(r ->> 'why' <> 'order' and (r ->> 'why' <> all(${[...passingDoubts]}::text[]) or r ->> 'since' <= ${askedSince(now)}))`
