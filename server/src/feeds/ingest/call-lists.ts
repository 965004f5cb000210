import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { joinedLists, type ListSpan } from '../../market/import/companions.ts'
import { daysBefore, lookBackDays } from './questions.ts'

/** Days that lists of announcements of calls cover, by the evenings on which they were answered. */
export async function callListsUpTo(db: Kysely<Database>, day: string): Promise<ListSpan[]> {
  const rows = await db
    .selectFrom('ingest_step')
    .select(['day', 'answers'])
    .where('market', '=', 'cb')
    .where('step', '=', 'events')
    .where('day', '<=', day)
    .where('state', 'in', ['asked', 'published'])
    .orderBy('day')
    .execute()
  const evenings = rows.filter(({ answers }) => answers.some(({ need }) => need === 'calls'))
  return joinedLists(evenings.map(({ day: until }) => [daysBefore(until, lookBackDays), until] as const))
}
