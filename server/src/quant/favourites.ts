import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import { checkStorageLimit } from '../usage/storage-limits.ts'
import { lockUser } from './run-state.ts'

/** Keeps a run of the user's own whatever its age, or no longer; the same again changes nothing. @throws ApiError 40004, 21005 too many */
export async function markFavourite(db: Kysely<Database>, userId: string, runId: string, on: boolean): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Two marks at once would each see room for one.
    await lockUser(transaction, userId)
    const run = await transaction
      .selectFrom('backtest_run')
      .select('favourite')
      .where('id', '=', runId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!run) throwApiError(errorCodes.notFound)
    if (run.favourite === on) return
    if (on) {
      const there = transaction.selectFrom('backtest_run').where('user_id', '=', userId).where('favourite', '=', true)
      await checkStorageLimit(transaction, userId, 'favourites', there)
    }
    await transaction.updateTable('backtest_run').set({ favourite: on }).where('id', '=', runId).where('user_id', '=', userId).execute()
  })
}
