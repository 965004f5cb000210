import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'

/**
 * Notes that something was used, by a key that nobody can guess it from. Of any number at once one hears true.
 * In a transaction that is undone it counts as not used.
 */
export async function useOnce(db: Kysely<Database>, key: Buffer, seconds: number): Promise<boolean> {
  await db.deleteFrom('used_once').where('until', '<', sql<Date>`now()`).execute()
  const noted = await db
    .insertInto('used_once')
    .values({ key, until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return noted !== undefined
}
