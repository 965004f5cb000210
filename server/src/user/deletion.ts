import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError, isDatabaseAway } from '../base/api-error.ts'
import { sqlStates } from '../base/sql-states.ts'
import { audit } from '../db/audit.ts'
import type { Database } from '../db/tables.ts'
import { endSessions } from './sessions.ts'

/** Days in which a user may come back (api.md 0.2). */
const graceDays = 7
/** Logins are kept for six months by law; then of an address only its network, and after a year nothing. */
const addressDays = 190
const recordDays = 365
/** Runs of a user who leaves go so many at a time. */
const runsAtOnce = 100

/** Marks the account: after the grace the sweep deletes it. Devices are logged out now, but for the session that asks. @returns when */
export async function askDeletion(db: Kysely<Database>, userId: string, actor: 'user' | 'operator', sessionId?: string): Promise<Date> {
  return db.transaction().execute(async (tx) => {
    const { deletion_at } = await tx
      .updateTable('app_user')
      .set({ deletion_at: sql<Date>`coalesce(deletion_at, now() + make_interval(days => ${graceDays}))` })
      .where('id', '=', userId)
      .returning('deletion_at')
      .executeTakeFirstOrThrow()
    await endSessions(tx, userId, 'deleted', sessionId)
    await audit(tx, { actor, action: 'user.delete', userId, after: { deletion_at } })
    return deletion_at as Date
  })
}

/**
 * Takes the mark back.
 * @throws ApiError 40004 after the grace: some of the account may be gone already
 */
export async function restore(db: Kysely<Database>, userId: string, actor: 'user' | 'operator'): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const marked = await tx.selectFrom('app_user').select('deletion_at').where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!marked?.deletion_at) return
    const { numUpdatedRows } = await tx
      .updateTable('app_user')
      .set({ deletion_at: null })
      .where('id', '=', userId)
      .where('deletion_at', '>', sql<Date>`clock_timestamp()`)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new ApiError(errorCodes.notFound, '注销的期限已过，账号正在删除，不能再撤销')
    await audit(tx, {
      actor,
      action: 'user.restore',
      userId,
      before: { deletion_at: marked.deletion_at },
      after: { deletion_at: null },
    })
  })
}

export interface Swept {
  readonly deleted: number
  readonly addresses: number
  readonly records: number
}

/**
 * Deletes the users whose grace is over, with all that hangs on them; of their logins stays what the law asks, without what marks
 * their devices. Old addresses lose their end, older records go. Safe at any time, by any number of processes.
 * @param log called for a user who cannot be deleted; the others are
 */
export async function sweepAccounts(
  db: Kysely<Database>,
  log: (event: string, details: Record<string, unknown>) => void = () => {},
): Promise<Swept> {
  const due = await db
    .selectFrom('app_user')
    .select('id')
    .where('deletion_at', '<=', sql<Date>`now()`)
    .where('is_demo', '=', false)
    .limit(1_000)
    .execute()
  let deleted = 0
  for (const { id } of due) {
    const gone = await deleteUser(db, id).catch((error: unknown) => {
      if (isDatabaseAway(error) && !isOfOne(error)) throw error
      log('account not deleted', { user: id, err: error })
      return false
    })
    if (gone) deleted++
  }
  const cut = await sql`
    update login_record set ip = network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end)), fingerprint = null
    where login_at < now() - make_interval(days => ${addressDays}) and masklen(ip) = case family(ip) when 4 then 32 else 128 end`.execute(
    db,
  )
  const old = await sql`delete from login_record where login_at < now() - make_interval(days => ${recordDays})`.execute(db)
  return { deleted, addresses: Number(cut.numAffectedRows ?? 0), records: Number(old.numAffectedRows ?? 0) }
}

/** What happens to one deletion and not to the next: a statement took too long, or met another that waited for it. */
const isOfOne = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === sqlStates.queryCanceled || error.code === sqlStates.deadlockDetected)

/** Reports of years may take longer than one statement has: what is deleted of them stays deleted, and the next sweep goes on. */
async function deleteUser(db: Kysely<Database>, id: string): Promise<boolean> {
  while (await whileDue(db, id, (tx) => deleteRuns(tx, id)));
  return whileDue(db, id, async (tx) => {
    const gone = await tx.deleteFrom('app_user').where('id', '=', id).returning(['created_at', 'deletion_at']).executeTakeFirstOrThrow()
    await tx.updateTable('login_record').set({ fingerprint: null, session_id: null }).where('user_id', '=', id).execute()
    // The code counts for the limits of its target and its network for some days more, without its user.
    await tx.updateTable('code_send').set({ user_id: null }).where('user_id', '=', id).execute()
    await audit(tx, { actor: 'system', action: 'user.erase', userId: id, before: gone })
    return true
  })
}

/** @returns whether there were any */
async function deleteRuns(tx: Transaction<Database>, id: string): Promise<boolean> {
  const some = tx.selectFrom('backtest_run').select('id').where('user_id', '=', id).orderBy('created_at').orderBy('id').limit(runsAtOnce)
  const { numDeletedRows } = await tx.deleteFrom('backtest_run').where('id', 'in', some).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * One step in a transaction of its own, under the user's lock: a user who came back at the last moment is left alone. @returns false then
 */
const whileDue = (db: Kysely<Database>, id: string, step: (tx: Transaction<Database>) => Promise<boolean>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '10min'`.execute(tx)
    const due = await tx
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', id)
      .where('deletion_at', '<=', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst()
    return due !== undefined && step(tx)
  })
