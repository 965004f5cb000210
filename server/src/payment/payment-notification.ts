import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { deleteOld } from '../db/delete-old.ts'
import type { Database } from '../db/tables.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { applyRefundStatus } from './refunds.ts'
import { settle } from './settle.ts'
import { type Signed, unsealed } from './signature.ts'
import { RefundStatusNotice, receiptOf, Trade } from './trade.ts'

const Notice = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string().min(1).max(64),
  resource: z.object({
    ciphertext: z.string().max(64 * 1024),
    nonce: z.string().min(8).max(32),
    associated_data: z.string().max(64).default(''),
  }),
})

/** Answer to WeChat: 204, the notification is stored; 401, it is not from WeChat. */
export type NotificationStatus = 204 | 401

/**
 * Accepts a payment notification. 1 it is signed by WeChat and of now, 2 it opens with our key, 3 what it says takes effect, 4 it is stored.
 * A genuine one that cannot be read is acknowledged too: sending it again would not help.
 * @throws what the database throws: WeChat sends it again then
 */
export async function acceptNotification(deps: PaymentDeps, signed: Signed): Promise<NotificationStatus> {
  if (!(await deps.pay.isGenuine(signed))) return 401
  const notice = Notice.safeParse(jsonOf(signed.body))
  if (!notice.success) return 401
  const { id, event_type, resource } = notice.data
  const opened = unsealed(deps.pay.settings.v3Key, resource)
  // Signed by WeChat but not encrypted with our key: it is for another merchant.
  if (opened === null) return 401
  const outcome = await effectOf(deps, event_type, jsonOf(opened))
  const body_sha256 = createHash('sha256').update(signed.body).digest()
  await deps.db
    .insertInto('payment_notice')
    .values({ event_id: id, event_type, body_sha256, outcome })
    .onConflict((conflict) => conflict.column('event_id').doUpdateSet({ times: sql<number>`payment_notice.times + 1`, outcome }))
    .execute()
  return 204
}

async function effectOf({ db, pay, log }: PaymentDeps, type: string, content: unknown): Promise<string> {
  if (type === 'TRANSACTION.SUCCESS') {
    const trade = Trade.safeParse(content)
    const money = trade.success ? receiptOf(trade.data) : null
    if (!money) return 'not read'
    const settled = await settle(db, pay.settings, money, 'notice')
    if (settled === 'anomaly') log('money that does not fit', { source: 'notice' })
    return settled
  }
  if (type.startsWith('REFUND.')) {
    const refund = RefundStatusNotice.safeParse(content)
    if (!refund.success) return 'not read'
    return (await applyRefundStatus(db, refund.data)) ? 'refund' : 'unknown refund'
  }
  return 'ignored'
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A notice is not sent again after days; a year is for disputes. @returns how many rows went */
export const sweepNotices = (db: Kysely<Database>): Promise<number> =>
  deleteOld((atOnce) =>
    sql`delete from payment_notice where ctid = any(array(
      select ctid from payment_notice where received_at < now() - interval '1 year' limit ${atOnce}))`.execute(db),
  )
