import { type Kysely, sql } from 'kysely'
import { isDatabaseAway } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import { noteAnomaly, type PaymentAnomaly } from './anomalies.ts'
import { type BillLine, readBill } from './bill.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { settle } from './settle.ts'

/** WeChat publishes the bill of the day before between nine and ten. */
const readyHour = 10
/** The first day whose bill is not published yet. */
const unready = sql`((now() at time zone 'Asia/Shanghai') - make_interval(hours => ${readyHour}))::date`
/** A day that could not be compared is tried again for so long. */
const daysBack = 7

/** Result of the payment reconciliation of a day: WeChat's bill compared with our rows. */
export interface Compared {
  readonly day: string
  readonly payments: number
  readonly refunds: number
  /** Payments that we had not heard of: they take effect now. */
  readonly found: number
  /** Differences in either direction; each is a row of `payment_anomaly`. */
  readonly unexplained: number
}

/** Whether the bill of a day is whole by now: an earlier one lacks what is still to be paid, and a day that was compared is not compared again. */
export async function isBillWhole(db: Kysely<Database>, day: string): Promise<boolean> {
  const { rows } = await sql<{ whole: boolean }>`
    select ${day}::date < ${unready} as whole`.execute(db)
  return rows[0]?.whole === true
}

/** Days since the first order whose bills are due and were not compared yet, ascending. */
export async function dueDays(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select d::date::text as day
    from generate_series(${unready} - ${daysBack}::integer, ${unready} - 1, interval '1 day') d
    where not exists (select from payment_bill b where b.day = d::date)
      and exists (select from payment_attempt a where (a.created_at at time zone 'Asia/Shanghai')::date <= d::date)
    order by 1`.execute(db)
  return rows.map(({ day }) => day)
}

/** Compares the bills that are due; told to stop it ends between two days. */
export async function reconcileDue(deps: PaymentDeps, signal?: AbortSignal): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const day of await dueDays(deps.db)) {
    if (signal?.aborted) break
    // A day that cannot be read is tried again like one that cannot be had, and keeps back no other.
    const one = await reconcile(deps, day).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error
      deps.log('a bill that is not read', { day, err: error })
      return null
    })
    if (one) compared.push(one)
  }
  return compared
}

/**
 * Compares the bill of a day with our rows, both ways: 1 what WeChat has and we have not takes effect, 2 what we have and WeChat has not,
 * and what differs, is written down for an operator. @returns null: the bill could not be had
 */
export async function reconcile(deps: PaymentDeps, day: string): Promise<Compared | null> {
  const { db, pay, log } = deps
  const answer = await pay.bill(day)
  const isEmpty = answer.is === 'refused' && answer.code === 'NO_STATEMENT_EXIST'
  if (answer.is !== 'done' && !isEmpty) {
    log('no bill', { day, is: answer.is })
    return null
  }
  const lines = answer.is === 'done' ? readBill(answer.value) : []
  const payments = lines.filter(({ state }) => state === 'SUCCESS')
  const refunds = lines.filter(({ state }) => state === 'REFUND')
  let found = 0
  let unexplained = 0
  for (const line of payments) {
    const settled = await settle(db, pay.settings, moneyOf(line), 'bill')
    if (settled === 'granted' || settled === 'refunded') found++
    if (settled === 'anomaly') unexplained++
  }
  for (const line of refunds) if (!(await isOurs(db, line))) unexplained += await note(db, 'refund unknown to us', line)
  for (const line of await notOnBill(db, day, payments)) unexplained += await note(db, 'payment not on the bill', line)
  const compared: Compared = { day, payments: payments.length, refunds: refunds.length, found, unexplained }
  await db
    .insertInto('payment_bill')
    .values(compared)
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ ...compared, compared_at: sql<Date>`now()` }))
    .execute()
  if (unexplained > 0) log('a bill that does not fit', { ...compared })
  return compared
}

const moneyOf = (line: BillLine) => ({
  appId: line.appId,
  mchId: line.mchId,
  otn: line.otn,
  transactionId: line.transactionId,
  totalFen: line.fen,
  payerTotalFen: line.fen,
  currency: line.currency,
  paidAt: new Date(`${line.at.replace(' ', 'T')}+08:00`),
})

async function isOurs(db: Kysely<Database>, { refund, fen, transactionId }: BillLine): Promise<boolean> {
  const own = await db
    .selectFrom('refund')
    .select('out_refund_no')
    .where('out_refund_no', '=', refund?.outRefundNo ?? '')
    .where('transaction_id', '=', transactionId)
    .where('amount_fen', '=', fen)
    .executeTakeFirst()
  return own !== undefined
}

/** Payments of ours of that day that the bill does not have. */
async function notOnBill(db: Kysely<Database>, day: string, payments: readonly BillLine[]) {
  const knownIds = new Set(payments.map(({ transactionId }) => transactionId))
  const rows = await db
    .selectFrom('payment')
    .select(['transaction_id as transactionId', 'otn', 'total_fen as fen'])
    .where(sql<boolean>`(paid_at at time zone 'Asia/Shanghai')::date = ${day}::date`)
    .execute()
  return rows.filter(({ transactionId }) => !knownIds.has(transactionId))
}

async function note(db: Kysely<Database>, what: PaymentAnomaly, line: Pick<BillLine, 'otn' | 'transactionId' | 'fen'>): Promise<1> {
  await noteAnomaly(db, what, line, line)
  return 1
}
