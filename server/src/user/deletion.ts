import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { isDatabaseAway } from '../http/fail.ts'
import { audit } from './audit.ts'
import { endSessions } from './sessions.ts'

/** Days in which a user may come back (api.md 0.2). */
export const graceDays = 7
/** Logins are kept for six months by law; then of an address only its network, and after a year nothing. */
const addressDays = 190
const recordDays = 365

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

/** Takes the mark back. */
export async function restore(db: Kysely<Database>, userId: string, actor: 'user' | 'operator'): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const marked = await tx.selectFrom('app_user').select('deletion_at').where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!marked?.deletion_at) return
    await tx.updateTable('app_user').set({ deletion_at: null }).where('id', '=', userId).execute()
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
 * @param log hears of a user who cannot be deleted; the others are
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
      if (isDatabaseAway(error) && !wasTooLong(error)) throw error
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

/** Of the statement's own limit, which another user's may well keep. */
const wasTooLong = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '57014'

const deleteUser = (db: Kysely<Database>, id: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    // Reports of years go with the user.
    await sql`set local statement_timeout = '10min'`.execute(tx)
    const gone = await tx
      .deleteFrom('app_user')
      .where('id', '=', id)
      // Looked at again under its lock: the user may have come back.
      .where('deletion_at', '<=', sql<Date>`now()`)
      .returning(['created_at', 'deletion_at'])
      .executeTakeFirst()
    if (!gone) return false
    await tx.updateTable('login_record').set({ fingerprint: null, session_id: null }).where('user_id', '=', id).execute()
    // It counts for the limits of its target and its network for some days more, whoever it was.
    await tx.updateTable('code_send').set({ user_id: null }).where('user_id', '=', id).execute()
    await audit(tx, { actor: 'system', action: 'user.erase', userId: id, before: gone })
    return true
  })
