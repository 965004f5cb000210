import type { Heartbeat, HeartbeatAnswer, Holding } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { JournalTold } from '../db/tables/qmt-json.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import { needReAuth } from '../user/sessions.ts'
import { isOldClient } from './client-files.ts'
import { type ConfigRow, configOf } from './configs.ts'

// A client that trades for real knows its holdings by its journal alone. A client that lost the journal, or works by an old copy, would buy
// everything a second time: the site, which has the state last reported, halts it until the user says which of the two counts.

export const oldClient = '旧版客户端在断电或终端延迟后可能重复买入，请重新导出（解压到原目录）'

/** What the site knows of a config that traded for real. */
export interface RealRecord {
  readonly holdings: readonly Holding[]
  readonly orders: NonNullable<HeartbeatAnswer['opening']>['orders']
  /** The largest count of a journal's line that tells of these orders. */
  readonly seq: number
}

/** States of an order that has no end. */
export const openStatuses: readonly string[] = ['open', 'unsure']

/** Orders without an end of a config that traded for real. */
export const openOrders = (db: Kysely<Database>, { id, user_id }: Pick<ConfigRow, 'id' | 'user_id'>) =>
  db
    .selectFrom('qmt_fill')
    .select(['order_id', 'trade_date', 'code', 'side', 'volume', 'filled', 'price', 'order_price', 'seq', 'status', 'settled_filled'])
    .where('config_id', '=', id)
    .where('user_id', '=', user_id)
    .where('dry_run', '=', false)
    .where('status', 'in', openStatuses)
    .orderBy('order_id')
    .execute()

export async function realRecord(db: Kysely<Database>, config: ConfigRow): Promise<RealRecord> {
  const { holdings, holdings_real } = config
  const orders = await openOrders(db, config)
  return {
    holdings: holdings_real ? (holdings ?? []).filter(({ volume }) => volume > 0) : [],
    orders: orders.map(({ order_price, price, seq, status, settled_filled, ...order }) => ({ ...order, price: order_price ?? price ?? 0 })),
    seq: Math.max(0, ...orders.map(({ seq }) => Number(seq ?? 0))),
  }
}

export interface JournalVerdict {
  /** '' = the client may trade by its journal. */
  readonly halt: string
  /** A journal that does not fit, to be kept for the user. */
  readonly misfit: JournalTold | null
  readonly opening: HeartbeatAnswer['opening']
}

/** Whether a client that trades for real works by the journal that counts. */
export function judgeJournal(config: ConfigRow, heartbeat: Heartbeat, siteRecord: RealRecord, at: Date): JournalVerdict {
  const { journal } = heartbeat
  const lost = forgotten(heartbeat, siteRecord)
  if (!journal || isOldClient(heartbeat.client_version))
    return { halt: heartbeat.fresh === true && lost > 0 ? lostJournal(lost) : oldClient, misfit: null, opening: null }
  const state = stateOf(config, heartbeat, siteRecord, lost, at)
  if (state === null) return { halt: '', misfit: null, opening: null }
  const word = config.journal_word
  const opening =
    word?.use === 'site' && word.id === journal.id
      ? { token: word.token, seq: siteRecord.seq, book: [...siteRecord.holdings], orders: [...siteRecord.orders] }
      : null
  return {
    halt: opening ? '正在按网站记录重建委托记录' : sentences[state](lost),
    misfit: { state, id: journal.id, n: journal.n, at: shanghaiTime(at), holdings: heartbeat.holdings },
    opening,
  }
}

function stateOf(config: ConfigRow, heartbeat: Heartbeat, siteRecord: RealRecord, lost: number, at: Date): JournalTold['state'] | null {
  const { journal_id: id, journal_n: n, journal_word: word } = config
  const journal = heartbeat.journal!
  if (journal.id === 'damaged') return 'damaged'
  if (journal.id === id && journal.n >= Number(n) && isSameOrLater(journal, config)) return null
  if (word?.use === 'site' && journal.opening === word.token) return null
  if (word?.use === 'client' && word.id === journal.id) return null
  // An old copy, or a second computer: orders may be known to the other alone, whatever the site holds of the config.
  if (journal.id === id) return 'other'
  const isKnown = siteRecord.holdings.length > 0 || siteRecord.orders.length > 0
  // The first client of 2.0.0 on a config that traded before: its journal is the old one, read on.
  if (id === null) return heartbeat.fresh === true && (lost > 0 || siteRecord.orders.length > 0) ? 'lost' : null
  if (heartbeat.fresh !== true) return 'other'
  if (isKnown) return 'lost'
  // Another client has a plan of today, whose orders have ids that are used once, or had one and did not tell its end: it may have died before
  // it told of what it ordered.
  const { planned, may_order = false } = config.client ?? {}
  return may_order || planned === shanghaiTime(at).slice(0, 10) ? 'other' : null
}

/**
 * Whether a process has read all lines that were reported: it reported them itself, or began after them in the journal that has its start.
 * Others work by a copy, which may count further by starts of its own.
 */
const isSameOrLater = ({ start, starts }: NonNullable<Heartbeat['journal']>, { client, journal_n }: ConfigRow): boolean =>
  start === undefined ||
  client?.start === undefined ||
  start.token === client.start ||
  (start.n > Number(journal_n) && (starts === undefined || starts.includes(client.start)))

/** Securities of which the site knows more than the client. */
function forgotten({ holdings }: Heartbeat, siteRecord: RealRecord): number {
  const reportedVolumes = new Map(holdings.map(({ code, volume }) => [code, volume]))
  return siteRecord.holdings.filter(({ code, volume }) => volume > (reportedVolumes.get(code) ?? 0)).length
}

const ways = '或在运行配置页“待核对”里选择以哪一方的记录为准；确要从空仓开始，请新建一个运行配置'
const lostJournal = (securities: number): string =>
  `这个目录里没有本配置以前的委托记录，而网站记得它持有的 ${securities} 只证券不在其中，继续会重复买入。请把原目录里的 journal-live.jsonl 复制过来再启动，${ways}`
const sentences: Record<JournalTold['state'], (securities: number) => string> = {
  lost: lostJournal,
  damaged: () => `委托记录 journal-live.jsonl 已损坏。请把备份复制过来再启动，${ways}`,
  other: () => `委托记录与网站最后见到的不同：可能是旧的副本，或另一台电脑也在运行本配置、定了计划而没有报告结束。请停掉那一台，${ways}`,
}

/** The user says which record counts. @throws ApiError 11013, 40004, 40009 nothing is in question */
export async function useJournal(db: Kysely<Database>, caller: Caller, configId: string, use: 'client' | 'site'): Promise<void> {
  needReAuth(caller)
  const config = (await configOf(db, caller.id, configId)) ?? throwApiError(errorCodes.notFound)
  if (!config.journal_told) throwApiError(errorCodes.staleVersion)
  await db
    .updateTable('qmt_config')
    .set({ journal_word: JSON.stringify({ use, id: config.journal_told.id, token: uuid() }) })
    .where('id', '=', config.id)
    .where('user_id', '=', caller.id)
    .where(sql<boolean>`journal_told ->> 'id' = ${config.journal_told.id}`)
    .execute()
}
