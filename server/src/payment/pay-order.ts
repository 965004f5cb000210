import type { JsapiParameters, PayType, VipOrderStatus } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { sql, type Transaction } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Database } from '../db/tables.ts'
import { move } from '../order/move.ts'
import { beginClosing, failed, opened, unclear } from './attempts.ts'
import { closeAt, look } from './look.ts'
import { newOtn } from './numbers.ts'
import { liveAttempt, lockOrder } from './orders.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { jsapiParameters } from './signature.ts'
import type { Answer, Purchase } from './wechat-pay.ts'

/** All calls of one request together stay below its deadline of 4 s. */
const createMs = 2_200
const closeMs = 1_200
/** WeChat wants a minute at least between an order and its expiry. */
const leastSeconds = 60

/** By what an order is paid now: the code to scan, or what opens WeChat's own sheet. */
export type Way = { readonly codeUrl: string; readonly expireAt: string } | { readonly prepayId: string }

type Step =
  | { readonly do: 'show'; readonly way: Way }
  | { readonly do: 'close'; readonly otn: string }
  | { readonly do: 'ask'; readonly otn: string; readonly purchase: Purchase }

/**
 * Opens a way to pay an order, or shows the one that is open. The attempt is written before WeChat is asked, so that whatever happens then
 * there is a row that says so. Another way that is open is closed first: an order has one at most.
 * @param openid whom a payment inside WeChat is made out to; null for Native
 * @throws ApiError 40004, 31003–31009
 */
export async function payOrder(deps: PaymentDeps, userId: string, orderId: string, type: PayType, openid: string | null): Promise<Way> {
  for (let round = 0; round < 2; round++) {
    const step = await inTransaction(deps.db, (tx) => nextStep(deps, tx, { userId, orderId, type }))
    if (step.do === 'show') return step.way
    if (step.do === 'ask') return ask(deps, type, step.otn, step.purchase, openid)
    await closeAt(deps, step.otn, closeMs)
  }
  return throwApiError(errorCodes.attemptClosing)
}

async function nextStep(
  { siteName, pay }: PaymentDeps,
  tx: Transaction<Database>,
  { userId, orderId, type }: { userId: string; orderId: string; type: PayType },
): Promise<Step> {
  const order = await lockOrder(tx, userId, orderId)
  const { status } = order
  if (status === orderStatus.finished || status === orderStatus.payFinished) throwApiError(errorCodes.orderPaid)
  if (status === orderStatus.quit) throwApiError(order.closed_by === 'timeout' ? errorCodes.orderExpired : errorCodes.orderClosed)
  const live = await liveAttempt(tx, orderId)
  if (live?.state === 'CLOSING') throwApiError(errorCodes.attemptClosing)
  if (order.secondsLeft < leastSeconds) throwApiError(errorCodes.orderExpired)
  if (live && live.type !== type) {
    await beginClosing(tx, live, 'switch')
    return { do: 'close', otn: live.otn }
  }
  const way = live && wayOf(live, order.expires_at)
  if (way) return { do: 'show', way }
  if (!pay.mayOpen()) throwApiError(errorCodes.paymentAway)
  const purchase = {
    description: `${siteName}-${order.plan_name}`.slice(0, 40),
    amountFen: order.amount_fen,
    expiresAt: order.expires_at,
  }
  // Asked again with the number that WeChat may know already: it answers as it did.
  if (live) return { do: 'ask', otn: live.otn, purchase: { ...purchase, otn: live.otn } }
  const { seq } = await tx
    .selectFrom('payment_attempt')
    .select(sql<number>`coalesce(max(seq), 0) + 1`.as('seq'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const otn = newOtn(seq)
  await tx
    .insertInto('payment_attempt')
    .values({ otn, order_id: orderId, seq, type, next_query_at: sql<Date>`now() + interval '5 seconds'` })
    .execute()
  await move(tx, order, orderStatus.paying, 'user')
  return { do: 'ask', otn, purchase: { ...purchase, otn } }
}

function wayOf(live: { state: string; code_url: string | null; prepay_id: string | null }, expiresAt: Date): Way | null {
  if (live.state !== 'OPEN') return null
  if (live.code_url !== null) return { codeUrl: live.code_url, expireAt: shanghaiTime(expiresAt) }
  return live.prepay_id === null ? null : { prepayId: live.prepay_id }
}

async function ask(deps: PaymentDeps, type: PayType, otn: string, purchase: Purchase, openid: string | null): Promise<Way> {
  const { db, pay } = deps
  const answer: Answer<{ codeUrl: string } | { prepayId: string }> =
    type === 'NATIVE' ? await pay.native(purchase, createMs) : await pay.jsapi(purchase, openid ?? '', createMs)
  if (answer.is === 'done') {
    const { value } = answer
    const by = 'codeUrl' in value ? { code_url: value.codeUrl } : { prepay_id: value.prepayId }
    // The attempt was closed while WeChat was asked: nobody may pay by this code.
    if (!(await opened(db, otn, by))) throwApiError(errorCodes.attemptClosing)
    return 'codeUrl' in value ? { codeUrl: value.codeUrl, expireAt: shanghaiTime(purchase.expiresAt) } : value
  }
  if (answer.is === 'refused' && answer.code === 'ORDERPAID') {
    await look(deps, otn, closeMs)
    throwApiError(errorCodes.orderPaid)
  }
  // The number is taken, so WeChat knows it: what it knows, the query tells.
  if (answer.is !== 'refused' || answer.code === 'OUT_TRADE_NO_USED') {
    await unclear(db, otn)
    throwApiError(answer.is === 'away' ? errorCodes.paymentAway : errorCodes.paymentPending)
  }
  await failed(db, otn)
  return throwApiError(errorCodes.paymentFailed)
}

export const sheetOf = ({ pay }: PaymentDeps, prepayId: string, now: Date): JsapiParameters =>
  jsapiParameters(pay.settings, prepayId, Math.floor(now.getTime() / 1_000))

/** The user has left this way to pay; the order may be paid by another. @returns the order's status: 3, or 1 while WeChat has not said so */
export async function leave(deps: PaymentDeps, userId: string, orderId: string, type: PayType): Promise<VipOrderStatus> {
  const { db } = deps
  const otn = await inTransaction(db, async (tx) => {
    await lockOrder(tx, userId, orderId)
    const live = await liveAttempt(tx, orderId)
    if (!live || live.type !== type) return null
    await beginClosing(tx, live, 'quit')
    return live.otn
  })
  if (otn !== null) await closeAt(deps, otn, closeMs)
  return statusNow(deps, orderId)
}

/** Ends an order; one that WeChat may still take money for is asked about first. @returns 5, or 1 while WeChat has not said so @throws ApiError 31011 */
export async function cancel(deps: PaymentDeps, userId: string, orderId: string): Promise<VipOrderStatus> {
  const otn = await inTransaction(deps.db, async (tx) => {
    const live = await endOrMark(tx, userId, orderId)
    return live
  })
  if (otn !== null) await look(deps, otn, closeMs)
  const status = await statusNow(deps, orderId)
  if (status === orderStatus.finished) throwApiError(errorCodes.paidOrderDeletion)
  return status
}

/** The order ended at once where nobody can pay it any more; else its attempt is marked to be closed. @returns otn of that */
export async function endOrMark(tx: Transaction<Database>, userId: string, orderId: string): Promise<string | null> {
  const order = await lockOrder(tx, userId, orderId)
  if (order.status === orderStatus.payFinished || order.status === orderStatus.finished) throwApiError(errorCodes.paidOrderDeletion)
  const live = await liveAttempt(tx, orderId)
  if (live) {
    await beginClosing(tx, live, 'cancel')
    return live.otn
  }
  if (order.status !== orderStatus.quit) await move(tx, order, orderStatus.quit, 'user', { closed_by: 'user' })
  return null
}

/**
 * Asks WeChat about an order that is being paid, for a client that waits: once in two seconds per order, however many wait. An answer that
 * comes too late is found by the next call.
 */
export async function askNow(deps: PaymentDeps, orderId: string): Promise<void> {
  const { rows } = await sql<{ otn: string }>`
    update payment_attempt set queried_at = now()
    where order_id = ${orderId} and state in ('OPEN', 'UNKNOWN', 'CLOSING')
      and (queried_at is null or queried_at < now() - interval '2 seconds')
    returning otn`.execute(deps.db)
  if (rows[0]) await look(deps, rows[0].otn, closeMs)
}

const statusNow = async ({ db }: PaymentDeps, orderId: string): Promise<VipOrderStatus> =>
  (await db.selectFrom('vip_order').select('status').where('id', '=', orderId).executeTakeFirstOrThrow()).status
