import { isDeepStrictEqual } from 'node:util'
import type { TradingConfig, TradingConfigBody } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import { changing, type Refusals } from '../strategy/strategies.ts'
import { nameOf } from '../user/names.ts'
import { needReAuth } from '../user/sessions.ts'
import { checkTrading } from './checked-trading.ts'
import { outdated } from './stored.ts'

const mostTradingConfigs = 20

const refusals: Refusals = {
  qmt_trading_config_name: () => throwApiError(errorCodes.nameTaken),
  qmt_config_trading_config: () => throwApiError(errorCodes.tradingConfigInUse),
}

const own = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('qmt_trading_config').select(['id', 'name', 'settings', 'updated_at']).where('user_id', '=', userId)

type Row = Awaited<ReturnType<ReturnType<typeof own>['execute']>>[number]

const toWire = ({ id, name, settings, updated_at }: Row): TradingConfig => ({
  id,
  name,
  ...settings,
  updated_at: shanghaiTime(updated_at),
})

/** A user's trading configs, the one that was changed last first. */
export async function listTradingConfigs(db: Kysely<Database>, userId: string): Promise<TradingConfig[]> {
  return (await own(db, userId).orderBy('updated_at', 'desc').orderBy('id', 'desc').execute()).map(toWire)
}

/** null: not there, or somebody else's. */
export async function tradingConfigOf(db: Kysely<Database>, userId: string, id: string): Promise<TradingConfig | null> {
  const row = await own(db, userId).where('id', '=', id).executeTakeFirst()
  return row ? toWire(row) : null
}

/** @throws ApiError 24003, 21003, 21004, 21005 too many, 11013 it would trade for real and the password was not shown */
export async function addTradingConfig(db: Kysely<Database>, caller: Caller, body: TradingConfigBody): Promise<{ id: string }> {
  const columns = columnsOf(body)
  if (!body.dry_run) needReAuth(caller)
  return changing(
    db,
    caller.id,
    async (transaction) => {
      const { count } = await transaction
        .selectFrom('qmt_trading_config')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', caller.id)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostTradingConfigs)
        throw new ApiError(errorCodes.tooManyStrategies, `交易配置数量已达上限（${mostTradingConfigs} 个）`)
      const id = uuid()
      await transaction
        .insertInto('qmt_trading_config')
        .values({ id, user_id: caller.id, ...columns })
        .execute()
      return { id }
    },
    refusals,
  )
}

/** What is traded by it has to be looked at anew; a new name changes nothing of that. @throws as `addTradingConfig`, 40004 */
export async function changeTradingConfig(db: Kysely<Database>, caller: Caller, id: string, body: TradingConfigBody): Promise<void> {
  const columns = columnsOf(body)
  await changing(
    db,
    caller.id,
    async (transaction) => {
      const before = await own(transaction, caller.id).where('id', '=', id).forUpdate().executeTakeFirst()
      if (!before) throwApiError(errorCodes.notFound)
      if (before.settings.dry_run && !body.dry_run) needReAuth(caller)
      await transaction
        .updateTable('qmt_trading_config')
        .set({ ...columns, updated_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('user_id', '=', caller.id)
        .execute()
      const { name: _name, ...settings } = body
      if (isDeepStrictEqual(before.settings, settings)) return
      await transaction
        .updateTable('qmt_config')
        .set(outdated)
        .where('trading_config_id', '=', id)
        .where('user_id', '=', caller.id)
        .execute()
    },
    refusals,
  )
}

/** @throws ApiError 40004, 24010 a config uses it */
export async function removeTradingConfig(db: Kysely<Database>, userId: string, id: string): Promise<void> {
  await changing(
    db,
    userId,
    async (transaction) => {
      const gone = await transaction
        .deleteFrom('qmt_trading_config')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throwApiError(errorCodes.notFound)
    },
    refusals,
  )
}

function columnsOf(body: TradingConfigBody) {
  const { name, ...settings } = body
  checkTrading(body)
  return { name: nameOf(name), settings: JSON.stringify(settings) }
}
