import { type Kysely, sql, type Transaction } from 'kysely'
import { readBytes } from '../db/read-bytes.ts'
import type { Database } from '../db/tables.ts'
import { coreFormat } from './core-format.ts'

// Where cores are kept: in their rows, until there is an object store for them. Nobody else reads or writes the bytes of `run_core`.

/** In the transaction that finishes the run. */
export async function insertCore(transaction: Transaction<Database>, runId: string, core: Uint8Array): Promise<void> {
  await transaction
    .insertInto('run_core')
    .values({ run_id: runId, format: coreFormat, bytes: core.length, inline: Buffer.from(core) })
    .execute()
}

/** The core of a user's own run. Both ids are of rows. */
export function readCore(db: Kysely<Database>, userId: string, runId: string): Promise<Buffer | null> {
  const query = db
    .selectFrom('run_core as c')
    .innerJoin('backtest_run as r', 'r.id', 'c.run_id')
    .select('c.inline')
    .where('r.id', '=', sql.lit(runId))
    .where('r.user_id', '=', sql.lit(userId))
  return readBytes(db, query.compile())
}
