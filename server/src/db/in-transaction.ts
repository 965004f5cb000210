import type { Kysely, Transaction } from 'kysely'
import { sqlStates } from '../base/sql-states.ts'
import type { Database } from './tables.ts'

/** SQLSTATEs of two transactions that met: undone, and right when made again. */
const conflicts = new Set<unknown>([sqlStates.serializationFailure, sqlStates.deadlockDetected])
const tries = 3

/** One transaction; made again when it met another. */
export async function inTransaction<T>(db: Kysely<Database>, work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (left === 1 || !conflicts.has((error as { code?: unknown }).code)) throw error
    }
  }
}
