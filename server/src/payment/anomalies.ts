import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'

/** Kinds of payment anomalies that an operator must look at; `server/src/cli/money.ts` has their texts. */
export type PaymentAnomaly =
  | 'unknown order'
  | 'mismatch'
  | 'transaction of another order'
  | 'payment not on the bill'
  | 'refund unknown to us'
  | 'refund closed'
  | 'refund stuck'
  | 'given back elsewhere'

/** Records an anomaly once for each payment, however often it occurs. */
export async function noteAnomaly(
  db: Kysely<Database>,
  what: PaymentAnomaly,
  { otn, transactionId }: { readonly otn: string; readonly transactionId: string },
  detail: object,
): Promise<void> {
  await db
    .insertInto('payment_anomaly')
    .values({ what, otn, transaction_id: transactionId, detail: JSON.stringify(detail) })
    .onConflict((conflict) => conflict.columns(['what', 'otn', 'transaction_id']).doNothing())
    .execute()
}
