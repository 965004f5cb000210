import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Database } from '../db/tables.ts'
import { addressOf, maskedAddress } from './addresses.ts'
import { forgetAttempts } from './attempts.ts'
import { bindAddress, contactsOf, userOf } from './contacts.ts'
import { askDeletion, restore } from './deletion.ts'
import { nameOf } from './names.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'
import { grantDays } from './subscription.ts'
import { vipNow } from './vip.ts'

/** Dependencies of the operator's commands. */
export interface UserDeps {
  readonly db: Kysely<Database>
  readonly config: Config
}

const states = ['active', 'disabled', 'leaving'] as const
export type State = (typeof states)[number]

/** A user as operators see them: addresses masked, nothing to log in with. */
export interface Listed {
  readonly user_id: string
  readonly account: string
  readonly nickname: string
  readonly state: State
  readonly vip_level: number
  readonly vip_until: Date | null
  readonly deletion_at: Date | null
  readonly created_at: Date
  readonly last_login_at: Date | null
}

export const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** By mobile, e-mail, an installation's own account name, or id; null for nobody. */
export async function findUser(deps: UserDeps, name: string): Promise<string | null> {
  if (!idShape.test(name)) return (await userOf(deps, name).executeTakeFirst())?.id ?? null
  const found = await deps.db.selectFrom('app_user').select('id').where('id', '=', name).executeTakeFirst()
  return found?.id ?? null
}

const stateNow = sql<State>`case when disabled_at is not null then 'disabled' when deletion_at is not null then 'leaving' else 'active' end`

/** Newest first. */
export async function listUsers(
  deps: UserDeps,
  { offset, limit, state }: { offset: number; limit: number; state?: State | undefined },
): Promise<{ total: number; users: Listed[] }> {
  let all = deps.db.selectFrom('app_user')
  if (state) all = all.where(stateNow, '=', state)
  const [{ total }, rows] = await Promise.all([
    all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    all.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute(),
  ])
  const users: Listed[] = []
  for (const { id } of rows) {
    const user = await readUser(deps, id)
    if (user) users.push(user)
  }
  return { total: Number(total), users }
}

export async function readUser(deps: UserDeps, id: string): Promise<Listed | null> {
  const row = await deps.db
    .selectFrom('app_user')
    .select(['id', 'account', 'nickname', 'vip_until', 'deletion_at', 'created_at'])
    .select([vipNow('app_user').as('vip_level'), stateNow.as('state')])
    .select((from) =>
      from
        .selectFrom('login_record')
        .whereRef('login_record.user_id', '=', 'app_user.id')
        .where('success', '=', true)
        .select(({ fn }) => fn.max('login_at').as('at'))
        .as('last_login_at'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { mobile, email, pendingEmail } = await contactsOf(deps, id)
  const contacts = [mobile, email ?? pendingEmail].filter((one) => one !== null).map(maskedAddress)
  const { id: user_id, account, ...rest } = row
  return { user_id, ...rest, account: account ?? contacts.join(' ') }
}

/** A user that can log in at once. @returns null: the address leads to somebody already, or is none */
export async function createUser(
  { db, config }: UserDeps,
  { address, nickname, password }: { address: string; nickname?: string | undefined; password: string },
): Promise<string | null> {
  const wanted = addressOf(address)
  if (!wanted) return null
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    const id = uuid()
    const name = nameOf(nickname ?? wanted.text.slice(0, wanted.kind === 'mobile' ? 3 : 2))
    await tx.insertInto('app_user').values({ id, account: null, nickname: name, password_hash }).execute()
    if (!(await bindAddress(tx, config, id, wanted))) {
      await tx.deleteFrom('app_user').where('id', '=', id).execute()
      return null
    }
    await audit(tx, { actor: 'operator', action: 'user.create', userId: id, after: { contact: wanted.kind } })
    return id
  })
}

/** @returns how many devices were logged out */
export const setPassword = async ({ db }: UserDeps, id: string, password: string): Promise<number> => {
  const password_hash = await hashPassword(password)
  return change(db, id, 'user.set-password', async (tx) => {
    await tx.updateTable('app_user').set({ password_hash }).where('id', '=', id).execute()
    await forgetAttempts(tx, id)
    const ended = await endSessions(tx, id, 'password')
    return { answer: ended, before: {}, after: { sessions_ended: ended } }
  })
}

/** Logged out at once, and refused from now on. */
export const disableUser = ({ db }: UserDeps, id: string): Promise<number> =>
  change(db, id, 'user.disable', async (tx, { disabled_at }) => {
    const row = await tx
      .updateTable('app_user')
      .set({ disabled_at: sql<Date>`coalesce(disabled_at, now())` })
      .where('id', '=', id)
      .returning('disabled_at')
      .executeTakeFirstOrThrow()
    const ended = await endSessions(tx, id, 'disabled')
    return { answer: ended, before: { disabled_at }, after: { ...row, sessions_ended: ended } }
  })

export const enableUser = ({ db }: UserDeps, id: string): Promise<void> =>
  change(db, id, 'user.enable', async (tx, { disabled_at }) => {
    await tx.updateTable('app_user').set({ disabled_at: null }).where('id', '=', id).execute()
    return { answer: undefined, before: { disabled_at }, after: { disabled_at: null } }
  })

/** Days are added to what is left. @returns the new end; null: this VIP has no end that days could move */
export const grantVip = ({ db }: UserDeps, id: string, days: number): Promise<Date | null> =>
  change(db, id, 'user.grant-vip', async (tx, { vip_level, vip_until }) => {
    if (vip_level > 0 && vip_until === null) return { answer: null, before: { vip_level, vip_until }, after: { vip_level, vip_until } }
    const until = await grantDays(tx, id, { days, orderId: null })
    return { answer: until, before: { vip_level, vip_until }, after: { vip_level: 1, vip_until: until, days } }
  })

export const revokeSessions = ({ db }: UserDeps, id: string): Promise<number> =>
  change(db, id, 'user.revoke-sessions', async (tx) => {
    const ended = await endSessions(tx, id, 'operator')
    return { answer: ended, before: {}, after: { sessions_ended: ended } }
  })

/** At the user's wish, told to an operator: the same grace as when they ask themselves. */
export const deleteUser = ({ db }: UserDeps, id: string): Promise<Date> => askDeletion(db, id, 'operator')

export const restoreUser = ({ db }: UserDeps, id: string): Promise<void> => restore(db, id, 'operator')

export interface Audited {
  readonly id: number
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly user_id: string | null
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}

/** The newest acts, of everybody or upon one user. */
export async function readAudit({ db }: UserDeps, limit: number, userId?: string): Promise<Audited[]> {
  let rows = db.selectFrom('audit').selectAll()
  if (userId) rows = rows.where('user_id', '=', userId)
  return rows.orderBy('id', 'desc').limit(limit).execute()
}

type Row = { vip_level: number; vip_until: Date | null; disabled_at: Date | null }

/** One act upon one user and its line in the audit, together. */
async function change<T>(
  db: Kysely<Database>,
  id: string,
  action: string,
  act: (tx: Transaction<Database>, row: Row) => Promise<{ answer: T; before: Record<string, unknown>; after: Record<string, unknown> }>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('app_user')
      .select(['vip_level', 'vip_until', 'disabled_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { answer, before, after } = await act(tx, row)
    await audit(tx, { actor: 'operator', action, userId: id, before, after })
    return answer
  })
}
