import type { TokenData } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { Visitor } from '../http/visitor.ts'
import { sourceHash } from './addresses.ts'
import { countGuest } from './attempts.ts'
import { passHumanCheck } from './human-check.ts'
import { openSession } from './sessions.ts'
import { profileOf } from './users.ts'

/** Login of the demo, public in `GET /v1/website` where DEMO_LOGIN is on. It opens no account: each login with it makes a guest. */
export const demoAccount = { account: 'demo@convexa.example', password: 'convexa-demo' }

export const isDemoAccount = (account: string, password: string): boolean =>
  account === demoAccount.account && password === demoAccount.password

/** Guests that an installation keeps at once: a day's visitors. */
const mostGuests = 5_000
/** Guests are erased so many at a time, each lot in a transaction of its own: nobody waits for the whole. */
const sweptAtOnce = 100
const guestHours = 24

/**
 * A guest: a user of their own without a name or a password, whose login and data last a day. The demo account's password is public, so no
 * hash is looked at.
 * @throws ApiError 40030 the address has had many guests within the hour; 40029 beyond ten times that; 50302 the installation is full
 */
export async function enterAsGuest(context: AppContext, visitor: Visitor, humanCheck: string | undefined): Promise<TokenData> {
  const { db, config } = context
  if (config.limitRequests) await countGuest(db, visitor.ip, () => passHumanCheck(db, config, humanCheck))
  const id = uuid()
  const { rows } = await sql`
    insert into app_user (id, nickname, is_demo, guest_source)
    select ${id}, '体验用户', true, ${sourceHash(config, visitor.ip).subarray(0, 16).toString('hex')}::uuid where (select count(*) from app_user where is_demo) < ${mostGuests}
    returning 1`.execute(db)
  if (rows.length === 0) throwApiError(errorCodes.tooManyLogins)
  const tokens = await openSession(db, { id, is_demo: true }, { method: 'password', visitor })
  return { ...tokens, user: await profileOf(context, id) }
}

/**
 * Erases the guests whose day is over, with all that hangs on them. Safe at any time, by any number of processes: a row that another process
 * has in hand is left to it.
 * @returns how many
 */
export async function sweepGuests(db: Kysely<Database>): Promise<number> {
  for (let erased = 0; ; ) {
    const lot = await db.transaction().execute(async (tx) => {
      const due = await tx
        .selectFrom('app_user')
        .select('id')
        .where('is_demo', '=', true)
        .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${guestHours})`)
        .orderBy('created_at')
        .limit(sweptAtOnce)
        .forUpdate()
        .skipLocked()
        .execute()
      const ids = due.map(({ id }) => id)
      if (ids.length === 0) return null
      // Reports are large: a lot of guests may have more of them than one statement has time for, so they go first, some at a time.
      const some = tx.selectFrom('backtest_run').select('id').where('user_id', 'in', ids).limit(sweptAtOnce)
      const runs = await tx.deleteFrom('backtest_run').where('id', 'in', some).executeTakeFirst()
      if (runs.numDeletedRows === BigInt(sweptAtOnce)) return 0
      await tx.updateTable('login_record').set({ fingerprint: null, session_id: null }).where('user_id', 'in', ids).execute()
      await tx.deleteFrom('app_user').where('id', 'in', ids).execute()
      return ids.length
    })
    if (lot === null) return erased
    erased += lot
  }
}
