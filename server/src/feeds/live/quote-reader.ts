import type { Kysely } from 'kysely'
import type { LiveQuotes } from '../../compute/protocol.ts'
import { type Listening, listen } from '../../db/connect.ts'
import type { Database } from '../../db/tables.ts'
import { liveQuotes, quoteChannel, readTape } from './tape.ts'

/** Reads the newest quotes now, and whenever there are newer ones. While one reading is under way the next waits, and stands for all after it. */
export async function readQuotes(
  db: Kysely<Database>,
  connectionString: string,
  tell: (quotes: LiveQuotes) => void,
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<Listening> {
  let reading = false
  let again = false
  const read = async () => {
    if (reading) {
      again = true
      return
    }
    reading = true
    do {
      again = false
      try {
        const kept = await readTape(db)
        if (kept) tell(liveQuotes(kept))
      } catch (error) {
        log('quotes not read', { err: error })
      }
    } while (again)
    reading = false
  }
  const listening = await listen(
    connectionString,
    [quoteChannel],
    () => void read(),
    () => void read(),
  )
  await read()
  return listening
}
