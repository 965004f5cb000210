import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { condemn, condemned, deleteCondemned } from './catalogue.ts'
import type { ObjectStore } from './object-store.ts'

const dayMs = 86_400_000

/**
 * One round of the collector: condemns what was not touched for a day and what nothing refers to, and deletes what was condemned
 * `keepDays` ago. Under the lock of the sweep.
 */
export async function collectGarbage(
  db: Kysely<Database>,
  objects: ObjectStore,
  keepDays: number,
): Promise<{ readonly condemned: number; readonly deleted: number; readonly takenBack: number }> {
  const found = await condemn(db, dayMs)
  let deleted = 0
  let takenBack = 0
  for (const key of await condemned(db, keepDays * dayMs)) {
    const outcome = await deleteCondemned(db, key, objects.remove)
    if (outcome === 'deleted') deleted++
    if (outcome === 'taken back') takenBack++
  }
  return { condemned: found, deleted, takenBack }
}
