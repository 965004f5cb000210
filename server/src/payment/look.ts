import { type Kysely, sql } from 'kysely'
import type { MoneySource } from '../db/tables/orders.ts'
import type { Database } from '../db/tables.ts'
import { noteAnomaly } from './anomalies.ts'
import { askLater, closed, failed } from './attempts.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { settle } from './settle.ts'
import { receiptOf, type Trade } from './trade.ts'
import type { Answer } from './wechat-pay.ts'

/** An attempt that WeChat does not know after this long was never placed: whatever we sent has arrived or will not. */
const lostAfterSeconds = 10

/**
 * Asks WeChat what became of an attempt and does what follows from it; one that is to be closed is closed. Safe at any time and by
 * any number of processes: every effect is guarded by the rows that it changes.
 */
export async function look(deps: PaymentDeps, otn: string, ms = 5_000): Promise<void> {
  const { db, pay } = deps
  const attempt = await db
    .selectFrom('payment_attempt')
    .select(['state', sql<number>`extract(epoch from now() - created_at)::float`.as('age')])
    .where('otn', '=', otn)
    .executeTakeFirstOrThrow()
  const answer = await pay.query(otn, ms)
  if (answer.is === 'done') {
    switch (answer.value.trade_state) {
      case 'SUCCESS':
        return take(deps, otn, answer.value, 'query')
      case 'REFUND':
        return givenBack(deps, otn, answer.value)
      case 'CLOSED':
        return attempt.state === 'CLOSED' || attempt.state === 'FAILED' ? askLater(db, otn) : end(db, otn)
      case 'REVOKED':
      case 'PAYERROR':
        return attempt.state === 'CLOSED' || attempt.state === 'FAILED' ? askLater(db, otn) : failed(db, otn)
      default:
        return attempt.state === 'CLOSING' ? closeAt(deps, otn, ms) : askLater(db, otn)
    }
  }
  if (isUnknownThere(answer)) {
    if (attempt.state === 'CLOSING') return end(db, otn)
    if ((attempt.state === 'INIT' || attempt.state === 'UNKNOWN') && attempt.age >= lostAfterSeconds) return failed(db, otn)
  }
  return askLater(db, otn)
}

/** Has WeChat close an attempt that is marked so, without asking first: it refuses where it has the money. */
export async function closeAt(deps: PaymentDeps, otn: string, ms = 5_000): Promise<void> {
  const { db, pay } = deps
  const answer = await pay.close(otn, ms)
  if (answer.is === 'done' || isUnknownThere(answer)) return end(db, otn)
  if (answer.is === 'refused' && answer.code === 'ORDER_CLOSED') return end(db, otn)
  if (answer.is === 'refused' && answer.code === 'ORDERPAID') {
    const answer = await pay.query(otn, ms)
    if (answer.is === 'done' && answer.value.trade_state === 'REFUND') return givenBack(deps, otn, answer.value)
    if (answer.is === 'done') return take(deps, otn, answer.value, 'close')
  }
  return askLater(db, otn)
}

const end = async (db: Kysely<Database>, otn: string): Promise<void> => void (await closed(db, otn))

/**
 * Money came and went back again. By our own refund we know of it; else somebody gave it back at WeChat before we had heard of it: there is
 * nothing left to settle, nobody can pay by that number any more, and an operator should know.
 */
async function givenBack({ db, log }: PaymentDeps, otn: string, { transaction_id = '', amount }: Trade): Promise<void> {
  if (!(await closed(db, otn))) return askLater(db, otn)
  log('money was given back elsewhere', {})
  await noteAnomaly(db, 'given back elsewhere', { otn, transactionId: transaction_id }, { amount })
}

async function take({ db, pay, log }: PaymentDeps, otn: string, trade: Trade, source: MoneySource): Promise<void> {
  const money = receiptOf(trade)
  // WeChat answers what it is asked: another number would be another order's money.
  const settled = money && money.otn === otn ? await settle(db, pay.settings, money, source) : 'anomaly'
  if (settled === 'anomaly') {
    log('money that does not fit', { source })
    await askLater(db, otn)
  }
}

const isUnknownThere = (answer: Answer<unknown>): boolean =>
  answer.is === 'refused' && (answer.status === 404 || /^ORDER_?NOT_?EXIST$/.test(answer.code))
