import { type HeartbeatAnswer, mostHeld, type OrderQuestion, type Questions } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { addDays, tradingDays } from '../market/calendar.ts'
import { othersOf } from './account-others.ts'
import { isBookAsked } from './asked-books.ts'
import { type ConfigRow, configOf, configsOf } from './configs.ts'
import { openStatuses } from './journals.ts'
import { namesOf } from './names.ts'

type QmtDeps = Pick<AppContext, 'db' | 'now'>

/** Trading days in which an end by positions or by a word may be corrected. */
const correctable = 10

/** From when on an order of a day cannot be filled any more, HH:MM of Shanghai. */
const overAt = 'T15:05'

/** The first day whose orders may still be corrected. */
const firstCorrectable = (now: Date): string => {
  const today = shanghaiTime(now).slice(0, 10)
  return tradingDays(addDays(today, -40), today).slice(-correctable - 1)[0] ?? addDays(today, -14)
}

const isOverBy = (tradeDate: string, now: Date): boolean => shanghaiTime(now).slice(0, 16) >= `${tradeDate}${overAt}`

/** What the user is asked of all configs: orders without an end, books that differ, journals that do not fit; and what changed books lately. */
export async function questionsOf({ db, now }: QmtDeps, userId: string): Promise<Questions> {
  const at = now()
  const configs = await configsOf(db, userId)
  const made = await Promise.all(configs.map((config) => questionsOfConfig(db, config, at)))
  return {
    orders: made.flatMap(({ orders }) => orders),
    books: made.flatMap(({ books }) => books),
    journals: made.flatMap(({ journals }) => journals),
    changes: made.flatMap(({ changes }) => changes).sort((a, b) => (a.date < b.date ? 1 : -1)),
  }
}

async function questionsOfConfig(db: Kysely<Database>, config: ConfigRow, now: Date): Promise<Questions> {
  const today = shanghaiTime(now).slice(0, 10)
  const from = firstCorrectable(now)
  const [rows, words, others] = await Promise.all([
    db
      .selectFrom('qmt_fill')
      .selectAll()
      .where('config_id', '=', config.id)
      .where('user_id', '=', config.user_id)
      .where('dry_run', '=', false)
      .where(({ or, and, eb }) =>
        or([eb('status', 'in', openStatuses), and([eb('proof', 'in', ['positions', 'user']), eb('trade_date', '>=', from)])]),
      )
      .orderBy('ordered_at', 'desc')
      .orderBy('order_id')
      .execute(),
    db
      .selectFrom('qmt_book_word')
      .select(['code', 'volume'])
      .where('config_id', '=', config.id)
      .where('user_id', '=', config.user_id)
      .execute(),
    othersOf(db, config),
  ])
  const askedRows = rows.filter(({ status, trade_date }) => status !== 'open' || trade_date < today || isOverBy(trade_date, now))
  const resting = (config.holdings_real ? (config.resting ?? []) : []).filter((one) => isBookAsked(one, now))
  const changes = (config.book_changes ?? []).filter(({ date }) => date >= from)
  const codes = [...askedRows, ...resting, ...changes].map(({ code }) => code)
  const names = await namesOf(db, config, [...new Set(codes)])
  const bookVolumes = new Map((config.holdings ?? []).map(({ code, volume }) => [code, volume]))
  const of = (code: string) => ({ code, name: names.get(code) ?? '', config_id: config.id, config_name: config.name })
  const journal = config.journal_told
  return {
    orders: askedRows.map(
      (row): OrderQuestion => ({
        ...of(row.code),
        ...{ order_id: row.order_id, trade_date: row.trade_date, side: row.side, volume: row.volume, filled: row.filled },
        ordered_at: shanghaiTime(row.ordered_at),
        price: row.order_price ?? row.price,
        status: row.status as OrderQuestion['status'],
        account: config.resting?.find(({ order_id }) => order_id === row.order_id)?.account ?? null,
        book: bookVolumes.get(row.code) ?? 0,
        others: others.get(row.code) ?? 0,
        is_over: isOverBy(row.trade_date, now),
        settled_filled: isClientReport(row) ? null : row.settled_filled,
        is_correction: !openStatuses.includes(row.status),
      }),
    ),
    books: resting.map(({ code, why, since, account }) => ({
      ...of(code),
      why: why as Exclude<typeof why, 'order'>,
      since,
      account: account ?? null,
      book: bookVolumes.get(code) ?? 0,
      others: others.get(code) ?? 0,
      settled_volume: words.find((word) => word.code === code)?.volume ?? null,
    })),
    journals: journal
      ? [
          {
            ...{ config_id: config.id, config_name: config.name, state: journal.state, at: journal.at },
            site: config.holdings_real ? (config.holdings ?? []) : [],
            client: journal.holdings,
            use: config.journal_word?.use ?? null,
          },
        ]
      : [],
    changes: changes.map((one) => ({ ...of(one.code), ...one })),
  }
}

interface Settled {
  readonly status: string
  readonly filled: number
  readonly proof: string | null
  readonly settled_filled: number | null
}

/** Whether the client has told the word back, or its list knows better. */
const isClientReport = ({ status, filled, proof, settled_filled: word }: Settled): boolean =>
  word === null || proof === 'list' || (proof === 'user' && filled === word && !openStatuses.includes(status))

/** Words that the client has not told back yet. */
export async function openWords(db: Kysely<Database>, { id, user_id }: ConfigRow): Promise<Pick<HeartbeatAnswer, 'settled' | 'books'>> {
  const [orders, books] = await Promise.all([
    db
      .selectFrom('qmt_fill')
      .select(['order_id', 'status', 'filled', 'proof', 'settled_filled', 'settled_at'])
      .where('config_id', '=', id)
      .where('user_id', '=', user_id)
      .where('settled_filled', 'is not', null)
      .where('dry_run', '=', false)
      .orderBy('order_id')
      .execute(),
    db.selectFrom('qmt_book_word').select(['code', 'volume', 'word']).where('config_id', '=', id).where('user_id', '=', user_id).execute(),
  ])
  const settled = orders
    .filter((one) => !isClientReport(one))
    .map(({ order_id, settled_filled, settled_at }) => ({ order_id, filled: settled_filled!, word: settled_at!.toISOString() }))
  return { settled, books }
}

/** The client has taken these words. */
export async function dropWords(db: Kysely<Database>, { id, user_id }: ConfigRow, words: readonly string[]): Promise<void> {
  const uuids = words.filter((word) => /^[0-9a-f-]{36}$/.test(word))
  if (uuids.length === 0) return
  await db.deleteFrom('qmt_book_word').where('config_id', '=', id).where('user_id', '=', user_id).where('word', 'in', uuids).execute()
}

/** The user says how much of an order was filled. @throws ApiError 40004, 24021 its end is known, 24022 */
export async function settleOrder({ db, now }: QmtDeps, userId: string, configId: string, orderId: string, filled: number): Promise<void> {
  const config = (await configOf(db, userId, configId)) ?? throwApiError(errorCodes.notFound)
  const row = await db
    .selectFrom('qmt_fill')
    .select(['volume', 'status', 'proof', 'trade_date'])
    .where('config_id', '=', config.id)
    .where('user_id', '=', userId)
    .where('order_id', '=', orderId)
    .where('dry_run', '=', false)
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.notFound)
  if (filled > row.volume) throwApiError(errorCodes.invalidFilledVolume)
  const isOpen = openStatuses.includes(row.status)
  const isCorrectable = (row.proof === 'positions' || row.proof === 'user') && row.trade_date >= firstCorrectable(now())
  if (!isOpen && !isCorrectable) throwApiError(errorCodes.orderHasResult)
  const { numUpdatedRows } = await db
    .updateTable('qmt_fill')
    .set({ settled_filled: filled, settled_at: sql<Date>`now()` })
    .where('config_id', '=', config.id)
    .where('user_id', '=', userId)
    .where('order_id', '=', orderId)
    // What the terminal's list told meanwhile is known better.
    .where(({ or, eb }) => or([eb('status', 'in', openStatuses), eb('proof', 'in', ['positions', 'user'])]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throwApiError(errorCodes.orderHasResult)
}

/** The user says how much of a security a config holds. @throws ApiError 40004 it is in no question, 40000 more than there may be */
export async function settleBook(db: Kysely<Database>, userId: string, configId: string, code: string, volume: number): Promise<void> {
  const config = (await configOf(db, userId, configId)) ?? throwApiError(errorCodes.notFound)
  const question = config.resting?.find((one) => one.code === code && one.why !== 'order') ?? throwApiError(errorCodes.notFound)
  const most = mostHeld(question.why, question.account ?? null, question.book ?? 0)
  if (most !== null && volume > most)
    throwApiError(errorCodes.invalidRequest, `持有数量须在 0 与${most === question.account ? '账户' : '账本'}的 ${most} 之间`)
  const word = { volume, word: uuid(), said_at: sql<Date>`now()` }
  await db
    .insertInto('qmt_book_word')
    .values({ config_id: config.id, user_id: userId, code, ...word })
    .onConflict((conflict) => conflict.columns(['config_id', 'code']).doUpdateSet(word))
    .execute()
}
