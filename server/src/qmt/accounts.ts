import type { Account, AccountBody, AccountChange } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { sealFor, unsealFor } from '../base/secret.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { changing, type Refusals } from '../strategy/strategies.ts'
import { nameOf } from '../user/names.ts'
import { accountIndexes, secretUses } from '../user/sealed-columns.ts'
import { outdated } from './stored.ts'

// A broker's account number is a label in exported files and nothing more: it is sealed, found again by an index, shown masked. We never
// ask for a password.

export const mostAccounts = 10
const accountUse = secretUses.qmtAccount

type QmtDeps = Pick<AppContext, 'db' | 'config'>

const refusals: Refusals = {
  qmt_account_number: () => throwApiError(errorCodes.accountExists),
  qmt_config_account: () => throwApiError(errorCodes.accountInUse),
}

/** A user's accounts in the order they were added. */
export async function listAccounts({ db, config }: QmtDeps, userId: string): Promise<Account[]> {
  const rows = await db
    .selectFrom('qmt_account as a')
    .selectAll('a')
    .select((account) =>
      account
        .selectFrom('qmt_config as c')
        .select(({ fn }) => fn.max('c.heartbeat_at').as('at'))
        .whereRef('c.account_id', '=', 'a.id')
        .whereRef('c.user_id', '=', 'a.user_id')
        .as('heartbeat_at'),
    )
    .where('a.user_id', '=', userId)
    .orderBy('a.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    alias: row.alias,
    broker: row.broker,
    account_masked: maskedNumber(config, row.sealed),
    account_type: row.account_type,
    client_type: row.client_type,
    initial_capital: row.initial_capital,
    report_status: row.report_status,
    reported_at: row.reported_at,
    is_enabled: row.is_enabled,
    remark: row.remark,
    last_heartbeat: row.heartbeat_at && shanghaiTime(row.heartbeat_at),
  }))
}

/** `****1234`; of a row that another secret sealed `****`. */
export const maskedNumber = (config: QmtDeps['config'], sealed: Buffer): string =>
  `****${(unsealFor(config, accountUse, sealed) ?? '').slice(-4)}`

/** @throws ApiError 24001 too many, 24002 the number is there already, 21004 the alias */
export async function addAccount({ db, config }: QmtDeps, userId: string, body: AccountBody): Promise<{ id: string }> {
  const { account_no, ...rest } = body
  return changing(
    db,
    userId,
    async (transaction) => {
      const { count } = await transaction
        .selectFrom('qmt_account')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostAccounts) throw new ApiError(errorCodes.tooManyAccounts, `QMT账户数量已达上限（${mostAccounts} 个）`)
      await refuseKnown(transaction, config, userId, account_no)
      const id = uuid()
      await transaction
        .insertInto('qmt_account')
        .values({ id, user_id: userId, ...columnsOf(rest), ...sealedNumber(config, userId, account_no) })
        .execute()
      return { id }
    },
    refusals,
  )
}

/** With another number, type or client, whatever trades for it has to be looked at anew. @throws ApiError 40004, 24002, 21004 */
export async function changeAccount({ db, config }: QmtDeps, userId: string, id: string, body: AccountChange): Promise<void> {
  const { account_no, ...rest } = body
  const number = account_no === undefined ? null : sealedNumber(config, userId, account_no)
  await changing(
    db,
    userId,
    async (transaction) => {
      const before = await transaction
        .selectFrom('qmt_account')
        .select(['account_type', 'client_type', 'number_index'])
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst()
      if (!before) throwApiError(errorCodes.notFound)
      if (account_no !== undefined) await refuseKnown(transaction, config, userId, account_no, id)
      await transaction
        .updateTable('qmt_account')
        .set({ ...columnsOf(rest), ...number })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .execute()
      const same =
        before.account_type === rest.account_type &&
        before.client_type === rest.client_type &&
        (account_no === undefined || accountIndexes(config, userId, account_no).some((index) => index.equals(before.number_index)))
      if (same) return
      await transaction.updateTable('qmt_config').set(outdated).where('account_id', '=', id).where('user_id', '=', userId).execute()
    },
    refusals,
  )
}

/** @throws ApiError 40004, 24004 a config uses it */
export async function removeAccount(db: Kysely<Database>, userId: string, id: string): Promise<void> {
  await changing(
    db,
    userId,
    async (transaction) => {
      const gone = await transaction
        .deleteFrom('qmt_account')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throwApiError(errorCodes.notFound)
    },
    refusals,
  )
}

const columnsOf = (body: Omit<AccountBody, 'account_no'>) => ({
  alias: nameOf(body.alias),
  broker: body.broker.trim(),
  account_type: body.account_type,
  client_type: body.client_type,
  initial_capital: body.initial_capital,
  report_status: body.report_status,
  reported_at: body.report_status === 1 ? (body.reported_at ?? null) : null,
  is_enabled: body.is_enabled,
  remark: body.remark ?? '',
})

/** While the key is changed an account may be under the other key, where the unique index does not see it. @throws ApiError 24002 */
async function refuseKnown(
  transaction: Transaction<Database>,
  config: QmtDeps['config'],
  userId: string,
  number: string,
  own: string | null = null,
): Promise<void> {
  const known = await transaction
    .selectFrom('qmt_account')
    .select('id')
    .where('user_id', '=', userId)
    .where('number_index', 'in', [...accountIndexes(config, userId, number)])
    .execute()
  if (known.some(({ id }) => id !== own)) throwApiError(errorCodes.accountExists)
}

const sealedNumber = (config: QmtDeps['config'], userId: string, number: string) => ({
  sealed: sealFor(config, accountUse, number),
  number_index: accountIndexes(config, userId, number)[0],
})
