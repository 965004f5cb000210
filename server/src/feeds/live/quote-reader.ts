import type { Kysely } from 'kysely'
import { sessionOf } from '../../db/connect.ts'
import type { Listening } from '../../db/direct-session.ts'
import type { Database } from '../../db/tables.ts'
import { watchRows } from '../../db/watch-rows.ts'
import type { LiveQuotes } from './quote-store.ts'
import { liveQuotes, quoteChannel, readTape } from './quote-store.ts'

/** Tells the newest quotes now, and whenever there are newer ones. */
export async function readQuotes(
  db: Kysely<Database>,
  tell: (quotes: LiveQuotes) => void,
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<Listening> {
  const read = async () => {
    const kept = await readTape(db)
    if (kept) tell(liveQuotes(kept))
  }
  return watchRows(sessionOf(db), quoteChannel, read, (error) => log('quotes not read', { err: error }))
}
