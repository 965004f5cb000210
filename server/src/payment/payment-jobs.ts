import { setTimeout as sleep } from 'node:timers/promises'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../db/in-transaction.ts'
import type { Database } from '../db/tables.ts'
import { move } from '../order/move.ts'
import { literals, openStatuses } from '../order/states.ts'
import { beginClosing } from './attempts.ts'
import { look } from './look.ts'
import { liveAttempt } from './orders.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { reconcileDue } from './reconcile.ts'
import { driveRefund } from './refunds.ts'

export interface PaymentJobs {
  close(): Promise<void>
}

const everyMs = 1_000
const billsEveryMs = 60_000
const atOnce = 8
/** A worker holds a row that it took for so long; then any worker may take it again. */
const leaseSeconds = 30

/**
 * Starts the payment jobs of a worker: query attempts at WeChat, expire orders, drive refunds, reconcile bills. The rows themselves say what is due
 * and when, so nothing is lost with a worker; several workers share the rows.
 */
export function startPaymentJobs(db: Kysely<Database>, deps: PaymentDeps | null, log: PaymentDeps['log']): PaymentJobs {
  const stop = new AbortController()
  let billsAt = 0
  const done = (async () => {
    while (!stop.signal.aborted) {
      try {
        await expireOrders(db)
        if (deps) {
          const queried = await doDue(deps)
          if (performance.now() >= billsAt) {
            billsAt = performance.now() + billsEveryMs
            await reconcileDue(deps)
          }
          // There may be more; however much it is, orders end and bills are compared meanwhile.
          if (queried > 0) continue
        }
      } catch (error) {
        log('cashier waits', { err: error })
      }
      await sleep(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}

/** One round of what is due. @returns how much there was */
export async function doDue(deps: PaymentDeps): Promise<number> {
  const { db, log } = deps
  const { rows: attempts } = await sql<{ otn: string }>`
    update payment_attempt set next_query_at = now() + make_interval(secs => ${leaseSeconds}), query_count = query_count + 1
    where otn in (
      select otn from payment_attempt where next_query_at <= now() order by next_query_at limit ${atOnce} for update skip locked)
    returning otn`.execute(db)
  const { rows: refunds } = await sql<{ no: string }>`
    update refund set next_try_at = now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where out_refund_no in (
      select out_refund_no from refund where next_try_at <= now() order by next_try_at limit ${atOnce} for update skip locked)
    returning out_refund_no as no`.execute(db)
  const works = [...attempts.map(({ otn }) => look(deps, otn)), ...refunds.map(({ no }) => driveRefund(deps, no))]
  // One that fails is due again when its lease is over.
  for (const one of await Promise.allSettled(works)) if (one.status === 'rejected') log('not asked', { err: one.reason })
  return works.length
}

/** Without a live attempt. */
const unpaidStatuses = [orderStatus.waitPaying, orderStatus.payFailed, orderStatus.payQuit]

/** Ends what nobody can pay any more, and has closed what somebody still might. */
export async function expireOrders(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select o.id from vip_order o
    where o.expires_at <= now() and (o.status in (${literals(unpaidStatuses)}) or (o.status = ${sql.lit(orderStatus.paying)} and exists (
      select from payment_attempt a where a.order_id = o.id
        and a.state in ('INIT', 'OPEN', 'CLOSING', 'UNKNOWN') and (a.closing is null or a.closing in ('quit', 'switch')))))
    order by o.expires_at limit 100`.execute(db)
  for (const { id } of rows) await inTransaction(db, (tx) => expire(tx, id))
}

async function expire(tx: Parameters<typeof liveAttempt>[0], id: string): Promise<void> {
  const order = await tx
    .selectFrom('vip_order')
    .select(['id', 'status'])
    .where('id', '=', id)
    .where('expires_at', '<=', sql<Date>`now()`)
    .where('status', 'in', openStatuses)
    .forUpdate()
    .executeTakeFirst()
  if (!order) return
  const live = await liveAttempt(tx, id)
  if (!live) return move(tx, order, orderStatus.quit, 'timeout', { closed_by: 'timeout' })
  await beginClosing(tx, live, 'expire')
}
