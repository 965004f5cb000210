import type { PayType, VipOrderStatus } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '../db/in-transaction.ts'
import type { ClosingFor } from '../db/tables/orders.ts'
import type { Database } from '../db/tables.ts'
import { move } from '../order/move.ts'
import { liveStates } from '../order/states.ts'

// State changes of an attempt, each in a transaction of its own that locks the order first. Calls to WeChat are made outside.

/** Seconds after which WeChat is asked again: after it was opened, and while it is to be closed. The last one stays. */
const openLadder = [5, 30, 60, 180, 300, 600]
const closingLadder = [2, 5, 15, 60, 300]
/** What was closed or has failed is looked at twice more: money that came all the same goes back. */
const afterLadder = [3_600, 86_400]

const later = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`
const rung = (ladder: readonly number[], count: number): number => ladder[Math.min(count, ladder.length - 1)]!

interface Attempt {
  readonly otn: string
  readonly order_id: string
  readonly type: PayType
  readonly state: Database['payment_attempt']['state']['__select__']
}

interface Locked {
  readonly order: { readonly id: string; readonly status: VipOrderStatus; readonly over: boolean }
  readonly attempt: Attempt & { readonly closing: ClosingFor | null; readonly query_count: number; readonly age: number }
}

/** Runs `act` with the order and the attempt locked, in that order. */
function withAttempt<T>(db: Kysely<Database>, otn: string, act: (tx: Transaction<Database>, locked: Locked) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    const { order_id } = await tx.selectFrom('payment_attempt').select('order_id').where('otn', '=', otn).executeTakeFirstOrThrow()
    const order = await tx
      .selectFrom('vip_order')
      .select(['id', 'status', sql<boolean>`expires_at <= now()`.as('over')])
      .where('id', '=', order_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const attempt = await tx
      .selectFrom('payment_attempt')
      .select(['otn', 'order_id', 'type', 'state', 'closing', 'query_count'])
      .select(sql<number>`extract(epoch from now() - created_at)::float`.as('age'))
      .where('otn', '=', otn)
      .forUpdate()
      .executeTakeFirstOrThrow()
    return act(tx, { order, attempt })
  })
}

const isLive = ({ state }: Attempt): boolean => (liveStates as readonly string[]).includes(state)

const set = (tx: Transaction<Database>, otn: string, change: Record<string, unknown>) =>
  tx.updateTable('payment_attempt').set(change).where('otn', '=', otn).execute()

/** WeChat took the attempt. @returns false: meanwhile it was closed or has failed, nobody may pay by it */
export const opened = (db: Kysely<Database>, otn: string, by: { code_url: string } | { prepay_id: string }): Promise<boolean> =>
  withAttempt(db, otn, async (tx, { attempt }) => {
    if (!['INIT', 'UNKNOWN', 'OPEN'].includes(attempt.state)) return false
    await set(tx, otn, { state: 'OPEN', ...by, next_query_at: later(openLadder[0]!), query_count: 0 })
    return true
  })

/** We do not know whether WeChat took it: it is asked soon, and nobody is given a new number until then. */
export const unclear = (db: Kysely<Database>, otn: string): Promise<void> =>
  withAttempt(db, otn, async (tx, { attempt }) => {
    if (attempt.state === 'INIT') await set(tx, otn, { state: 'UNKNOWN', next_query_at: later(openLadder[0]!) })
  })

/** WeChat said no, or never heard of it, or the payer's bank said no: the order may be paid by another attempt. */
export const failed = (db: Kysely<Database>, otn: string): Promise<void> =>
  withAttempt(db, otn, async (tx, { order, attempt }) => {
    if (!isLive(attempt)) return
    if (attempt.closing) return ended(tx, order, attempt)
    await set(tx, otn, { state: 'FAILED', next_query_at: later(afterLadder[0]!), query_count: 0 })
    if (order.status === orderStatus.paying) await move(tx, order, orderStatus.payFailed, 'answer')
  })

/** WeChat takes no more money by it: closed by us, or by its own time. @returns false: it was over already */
export const closed = (db: Kysely<Database>, otn: string): Promise<boolean> =>
  withAttempt(db, otn, async (tx, { order, attempt }) => {
    if (!isLive(attempt)) return false
    await ended(tx, order, attempt)
    return true
  })

async function ended(tx: Transaction<Database>, order: Locked['order'], { otn, closing }: Locked['attempt']): Promise<void> {
  await set(tx, otn, { state: 'CLOSED', next_query_at: later(afterLadder[0]!), query_count: 0 })
  if (order.status !== orderStatus.paying) return
  const why = closing ?? (order.over ? 'expire' : 'quit')
  if (why === 'cancel') return move(tx, order, orderStatus.quit, 'user', { closed_by: 'user' })
  if (why === 'expire') return move(tx, order, orderStatus.quit, 'timeout', { closed_by: 'timeout' })
  return move(tx, order, orderStatus.payQuit, 'user')
}

/** Nothing new: when WeChat is asked again. */
export const askLater = (db: Kysely<Database>, otn: string): Promise<void> =>
  withAttempt(db, otn, async (tx, { attempt: { state, query_count } }) => {
    if (state === 'PAID') return
    if (state === 'CLOSED' || state === 'FAILED') {
      const next = afterLadder[query_count]
      return void (await set(tx, otn, { next_query_at: next === undefined ? null : later(next) }))
    }
    await set(tx, otn, { next_query_at: later(rung(state === 'CLOSING' ? closingLadder : openLadder, query_count)) })
  })

const rank: Record<ClosingFor, number> = { switch: 0, quit: 1, expire: 2, cancel: 3, paid: 4 }

/** The live attempt is to be closed; the order is locked. What ends the order weighs more than what does not. */
export async function beginClosing(
  tx: Transaction<Database>,
  attempt: { readonly otn: string; readonly closing: ClosingFor | null },
  why: ClosingFor,
): Promise<void> {
  const closing = attempt.closing && rank[attempt.closing] > rank[why] ? attempt.closing : why
  // A worker asks in two seconds as well; the caller that began the closing asks now.
  await set(tx, attempt.otn, { state: 'CLOSING', closing, next_query_at: later(closingLadder[0]!), query_count: 0 })
}
