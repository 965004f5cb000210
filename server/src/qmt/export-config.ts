import { errorCodes } from '@convexa/contract/enums/error-code'
import { zipSync } from 'fflate'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import { loadedMarket } from '../quant/loaded-market.ts'
import { needReAuth } from '../user/sessions.ts'
import { maskedNumber } from './accounts.ts'
import { makeApiKey } from './api-keys.ts'
import { fileName } from './basket.ts'
import { type ClientFile, clientFiles, clientVersion } from './client-files.ts'
import { type ConfigRow, configOf } from './configs.ts'
import { needTrading } from './kill-switch.ts'
import { needReal } from './market-day.ts'
import { tradingConfigOf } from './trading-configs.ts'

/**
 * A config and the client as one archive. No secret is in it unless asked for: then it is a new key, since nobody knows the one of now.
 * A name that ends in `_未确认` says that nobody has looked at what would be traded.
 * @throws ApiError 40004, 24005 stopped, 24011 demo data, 11013 a key is asked for and the password was not shown
 */
export async function exportConfig(
  { db, config: site, now }: Pick<AppContext, 'db' | 'config' | 'now'>,
  caller: Caller,
  configId: string,
  withKey: boolean,
): Promise<{ name: string; bytes: Buffer }> {
  const config = (await configOf(db, caller.id, configId)) ?? throwApiError(errorCodes.notFound)
  await needTrading(db, caller.id)
  needReal(await loadedMarket(db, site.dataDir, config.kind))
  if (withKey) needReAuth(caller)
  const trading = (await tradingConfigOf(db, caller.id, config.trading_config_id)) ?? throwApiError(errorCodes.notFound)
  const account = await accountOf(db, config)
  const files = await clientFiles()
  const { id: _id, updated_at: _at, ...rules } = trading
  const text = JSON.stringify(
    {
      format: 1,
      client_version: clientVersion,
      server: site.siteUrl ?? `http://127.0.0.1:${site.port}`,
      api_key: withKey ? (await makeApiKey(db, caller.id)).api_key : '',
      config_id: config.id,
      config_version: config.version,
      name: config.name,
      kind: config.kind,
      account: { label: `${account.alias} ${maskedNumber(site, account.sealed)}`, type: account.account_type, client: account.client_type },
      source: { type: config.source_type, name: config.source_name ?? '' },
      capital: config.capital,
      confirmed_at: config.confirmed_at && shanghaiTime(config.confirmed_at),
      trading: rules,
    },
    null,
    2,
  )
  await db
    .updateTable('qmt_config')
    .set({ exported_at: sql<Date>`now()` })
    .where('id', '=', config.id)
    .where('user_id', '=', caller.id)
    // What was changed meanwhile is not what goes out.
    .where('version', '=', config.version)
    .execute()
  const day = shanghaiTime(now()).slice(0, 10).replaceAll('-', '')
  return {
    name: `${fileName(config.name)}-${day}${config.confirmed_at ? '' : '_未确认'}.zip`,
    bytes: zip([{ name: 'config.json', bytes: Buffer.from(`${text}\n`, 'utf8') }, ...files]),
  }
}

/** Dated with the first day that the format knows: equal files make equal archives. */
const zip = (files: readonly ClientFile[]): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), { level: 9, mtime: new Date(1980, 0, 1) }))

const accountOf = (db: Kysely<Database>, { account_id, user_id }: ConfigRow) =>
  db
    .selectFrom('qmt_account')
    .select(['alias', 'sealed', 'account_type', 'client_type'])
    .where('id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
