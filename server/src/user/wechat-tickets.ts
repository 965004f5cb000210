import { createHash, randomBytes } from 'node:crypto'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { sealFor, unsealFor } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { consumeOnce } from './consume-once.ts'
import type { WechatIdentity } from './wechat-api.ts'

const ticketSeconds = 600
const use = 'wechat bind ticket'

/** What the browser carries from the scan to the binding: sealed, so that nobody can bind a WeChat that is not theirs (D13). */
export interface Tickets {
  wx_openid: string
  wx_unionid: string
  expire_in: number
}

type Half = { half: 'openid' | 'unionid'; pair: string; until: number; value: string | null; nickname?: string; avatarUrl?: string | null }

export async function issueTickets(
  db: Kysely<Database>,
  config: Config,
  identity: WechatIdentity,
  seconds = ticketSeconds,
): Promise<Tickets> {
  const common = { pair: randomBytes(16).toString('base64url'), until: (await clock(db)) + seconds }
  const { openid, unionid, nickname, avatarUrl } = identity
  const sealed = (half: Half) => sealFor(config, use, JSON.stringify(half)).toString('base64url')
  return {
    wx_openid: sealed({ half: 'openid', ...common, value: openid, nickname, avatarUrl }),
    wx_unionid: sealed({ half: 'unionid', ...common, value: unionid }),
    expire_in: seconds,
  }
}

export interface OpenedTickets {
  readonly identity: WechatIdentity
  readonly pair: string
}

/** @throws ApiError 11023: not sealed by us, out of time, or two that do not belong together */
export async function openTickets(
  db: Kysely<Database>,
  config: Config,
  { wx_openid, wx_unionid }: Pick<Tickets, 'wx_openid' | 'wx_unionid'>,
): Promise<OpenedTickets> {
  const first = opened(config, wx_openid, 'openid')
  const second = opened(config, wx_unionid, 'unionid')
  if (!first?.value || !second || first.pair !== second.pair || first.until <= (await clock(db))) throwApiError(errorCodes.bindingLost)
  return {
    identity: { openid: first.value, unionid: second.value, nickname: first.nickname ?? '', avatarUrl: first.avatarUrl ?? null },
    pair: first.pair,
  }
}

/** In the transaction of the binding. @throws ApiError 11023 when they were used before */
export async function spendTickets(db: Kysely<Database>, { pair }: OpenedTickets): Promise<void> {
  const key = createHash('sha256').update(`${use} ${pair}`).digest()
  if (!(await consumeOnce(db, key, ticketSeconds))) throwApiError(errorCodes.bindingLost)
}

function opened(config: Config, ticket: string, half: Half['half']): Half | null {
  const text = /^[\w-]+$/.test(ticket) ? unsealFor(config, use, Buffer.from(ticket, 'base64url')) : null
  const found = text === null ? null : (JSON.parse(text) as Half)
  return found?.half === half ? found : null
}

/** The database's seconds since 1970 (D15). */
async function clock(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select extract(epoch from now())::float8 as now`.execute(db)
  return rows[0]?.now ?? Number.POSITIVE_INFINITY
}
