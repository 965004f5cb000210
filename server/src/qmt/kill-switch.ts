import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import { needReAuth } from '../user/sessions.ts'

/** Whether the user has stopped all automatic trading: the next pull and the next heartbeat of every client return it. */
export async function killSwitch(db: Kysely<Database>, userId: string): Promise<{ on: boolean; since: string | null }> {
  const { qmt_halted_at: at } = await db.selectFrom('app_user').select('qmt_halted_at').where('id', '=', userId).executeTakeFirstOrThrow()
  return { on: at !== null, since: at && shanghaiTime(at) }
}

/** Sets the kill switch: `on` stops all automatic trading of the user, turning it off needs a re-authentication. @throws ApiError 11013 */
export async function setKillSwitch(db: Kysely<Database>, caller: Caller, on: boolean): Promise<{ on: boolean; since: string | null }> {
  const before = await killSwitch(db, caller.id)
  // A switch that is off already is not written again: another tab may be turning it off at the same time.
  if (!on && !before.on) return before
  if (!on) needReAuth(caller)
  await db
    .updateTable('app_user')
    .set({ qmt_halted_at: on ? sql<Date>`coalesce(qmt_halted_at, now())` : null })
    .where('id', '=', caller.id)
    .execute()
  return killSwitch(db, caller.id)
}

/** @throws ApiError 24005 */
export async function needTrading(db: Kysely<Database>, userId: string): Promise<void> {
  if ((await killSwitch(db, userId)).on) throwApiError(errorCodes.tradingHalted)
}
