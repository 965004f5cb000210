import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'

/**
 * Consumes a key once: of any number of concurrent calls exactly one returns true. The key does not reveal what it stands for.
 * In a transaction that is rolled back it counts as not used.
 */
export async function consumeOnce(db: Kysely<Database>, key: Buffer, seconds: number): Promise<boolean> {
  await db.deleteFrom('used_once').where('until', '<', sql<Date>`now()`).execute()
  const noted = await db
    .insertInto('used_once')
    .values({ key, until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return noted !== undefined
}
