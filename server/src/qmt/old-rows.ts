import { type Kysely, sql } from 'kysely'
import { shanghaiDay } from '../base/time.ts'
import { deleteOld } from '../db/delete-old.ts'
import type { Database } from '../db/tables.ts'
import { openStatuses } from './journals.ts'

/**
 * Targets and told orders of more than three years ago go; an order without a proven end stays, whatever its age: it is asked about.
 * @returns how many rows went
 */
export async function sweepTrading(db: Kysely<Database>): Promise<number> {
  const first = sql`(${shanghaiDay()} - interval '3 years')::date`
  const targets = await deleteOld((atOnce) =>
    sql`delete from qmt_targets where ctid = any(array(
      select ctid from qmt_targets where trade_date < ${first} limit ${atOnce}))`.execute(db),
  )
  const fills = await deleteOld((atOnce) =>
    sql`delete from qmt_fill where ctid = any(array(
      select ctid from qmt_fill where trade_date < ${first} and status <> all(${openStatuses}) limit ${atOnce}))`.execute(db),
  )
  return targets + fills
}
