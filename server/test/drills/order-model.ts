import type { VipOrderStatus } from '@convexa/contract'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../../src/base/api-error.ts'
import type { Database } from '../../src/db/tables.ts'
import { refundOrder } from '../../src/payment/administration.ts'
import { payOrder } from '../../src/payment/pay-order.ts'
import type { Buyer, Shop } from '../fixtures/shop.ts'
import type { PayNotice, PayStandIn, PayTrouble } from '../stand-ins/pay-stand-in.ts'

// What a user, an operator, WeChat, the clock, the network and our own death may do to orders, as steps of a sequence.

export type Step =
  /** The user: orders the plan, opens a code or WeChat's sheet, leaves both, cancels, waits before the code. */
  | { do: 'order' | 'scan' | 'sheet' | 'leave' | 'cancel' | 'ask' }
  /** The operator changes the price; gives money back. */
  | { do: 'reprice' }
  | { do: 'give back'; whole: boolean; keepDays: boolean }
  /** What is due is done; time passes, beyond the order's life as well. */
  | { do: 'work' | 'expire' }
  | { do: 'wait'; seconds: number }
  /** WeChat's own time for the order is over. */
  | { do: 'lapse' }
  /** The payer pays by one of the order's codes; `late`: WeChat takes it although it had said that it is closed. */
  | { do: 'pay'; which: number; late: boolean }
  /** A notice is heard, again, or by several at once. */
  | { do: 'hear'; which: number; times: number }
  /** What the next call of WeChat gets. A `done, then …` is our own death between asking and hearing. */
  | { do: 'trouble'; trouble: PayTrouble }
  /** The connection that changes the n-th row from now dies in the middle of its transaction. */
  | { do: 'crash'; at: number }

const just = (weight: number, what: Step['do']) => ({ weight, arbitrary: fc.constant({ do: what } as Step) })
const troubles: PayTrouble[] = ['busy', 'hang up', 'done, then hang up', 'unsigned', 'limited', { status: 403, code: 'NO_AUTH' }]

export const step: fc.Arbitrary<Step> = fc.oneof(
  ...[just(3, 'order'), just(7, 'scan'), just(2, 'sheet'), just(2, 'leave'), just(2, 'cancel'), just(2, 'ask')],
  ...[just(1, 'reprice'), just(2, 'work'), just(1, 'expire'), just(1, 'lapse')],
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give back' as const), whole: fc.boolean(), keepDays: fc.boolean() }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('pay' as const), which: fc.nat(5), late: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('hear' as const), which: fc.nat(5), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(3, 12, 61, 300) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('trouble' as const), trouble: fc.constantFrom(...troubles) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('crash' as const), at: fc.integer({ min: 1, max: 9 }) }) },
)

/** State of the model after a sequence: what was wanted, and what was acknowledged. Never what our rows say. */
export interface Known {
  readonly buyer: Buyer
  order: string | null
  readonly orders: Set<string>
  /** Orders that their user wanted to end; to pay in another way. */
  readonly cancelled: Set<string>
  readonly left: Set<string>
  /** Orders whose time may be over, or that had to make room. */
  readonly over: Set<string>
  /** Orders that WeChat closed by itself. */
  readonly lapsed: Set<string>
  /** Orders whose user got a final status in an answer. */
  readonly ended: Map<string, VipOrderStatus>
  /** Numbers whose notice was answered 204. */
  readonly heard: Set<string>
  readonly given: Set<string>
}

export const knowing = (buyer: Buyer): Known => ({
  ...{ buyer, order: null, orders: new Set(), cancelled: new Set(), left: new Set(), over: new Set(), lapsed: new Set() },
  ...{ ended: new Map(), heard: new Set(), given: new Set() },
})

/** Connections die where a sequence of the database says so: a sequence is the one thing that a rollback does not take back. */
export async function prepareCrashes(db: Kysely<Database>): Promise<void> {
  await sql`create sequence crash_at`.execute(db)
  await sql`create function crash_here() returns trigger language plpgsql as $$
    begin
      if nextval('crash_at') = 1000000 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$`.execute(db)
  for (const table of [
    'vip_order',
    'order_event',
    'payment_attempt',
    'payment',
    'payment_notice',
    'subscription_grant',
    'refund',
    'app_user',
  ])
    await sql`create trigger crash_here after insert or update on ${sql.table(table)} for each row execute function crash_here()`.execute(
      db,
    )
}
const crashIn = (db: Kysely<Database>, rows: number) => sql`select setval('crash_at', ${1_000_000 - rows})`.execute(db)
/** Nothing dies any more. */
export const noCrash = (db: Kysely<Database>) => sql`select setval('crash_at', 2000000)`.execute(db)

/** The steps as they are done to a shop. `eyes`: a connection of the test's own, which does not die with others. */
export function doing(shop: Shop, eyes: Kysely<Database>, plan: string): (known: Known, step: Step) => Promise<void> {
  const notices = new Map<PayNotice, string>()
  const tell = async (known: Known, asked: Promise<{ code: number; data: { status: VipOrderStatus } | null }>) => {
    const { order } = known
    const { code, data } = await asked
    const told = code === 31011 ? 6 : data?.status
    if (order && (told === 5 || told === 6)) known.ended.set(order, told)
  }
  const later = async (known: Known, seconds: number) => {
    if (seconds >= 300) for (const id of known.orders) known.over.add(id)
    await shop.later(seconds, known.buyer.id)
  }
  const run: { [K in Step['do']]: (known: Known, step: Extract<Step, { do: K }>) => Promise<unknown> } = {
    order: async (known) => {
      const before = known.order
      const { data } = await known.buyer.ask<{ order_id: string } | null>('POST', '/v1/vip/subscription/order', { plan_id: plan })
      // An order with another price or too little time makes room, whether or not the answer says so.
      if (before !== null && data?.order_id !== before) known.over.add(before)
      if (!data) return
      known.order = data.order_id
      known.orders.add(data.order_id)
    },
    scan: ({ buyer, order }) => buyer.ask('POST', '/v1/payment/wechat/native/process', { order_id: order }),
    sheet: async (known) => {
      if (!known.order) return
      known.left.add(known.order)
      await payOrder(shop.deps, known.buyer.id, known.order, 'JSAPI', 'oPayer')
    },
    leave: async (known) => {
      if (!known.order) return
      known.left.add(known.order)
      for (const type of ['native', 'jsapi'])
        await tell(known, known.buyer.ask('POST', `/v1/payment/wechat/${type}/close`, { order_id: known.order }))
    },
    cancel: async (known) => {
      if (!known.order) return
      known.cancelled.add(known.order)
      await tell(known, known.buyer.ask('DELETE', `/v1/order/${known.order}`))
    },
    ask: (known) => tell(known, known.buyer.ask('GET', `/v1/order/${known.order}/status`)),
    reprice: () => sql`update vip_plan set price_fen = price_fen + 1 where id = ${plan}`.execute(eyes),
    'give back': async (known, { whole, keepDays }) => {
      if (!known.order) return
      const refunded = await refundOrder(shop.database.db, known.order, { amountFen: whole ? null : 100, keepDays })
      if (refunded.is === 'begun' && refunded.revokes) known.given.add(known.order)
    },
    work: () => shop.work(),
    expire: async (known) => {
      await later(known, 16 * 60)
      await shop.work()
    },
    wait: (known, { seconds }) => later(known, seconds),
    lapse: async (known) => {
      for (const trade of await tradesOf(eyes, shop.standIn, known)) if (trade.state === 'NOTPAY') trade.state = 'CLOSED'
      for (const id of known.orders) known.lapsed.add(id)
    },
    pay: async (known, { which, late }) => {
      const trades = await tradesOf(eyes, shop.standIn, known)
      const trade = trades[which % trades.length]
      if (!trade) return
      if (late && trade.state === 'CLOSED') trade.state = 'NOTPAY'
      const { length } = shop.standIn.held
      shop.standIn.pay(trade.otn)
      const notice = shop.standIn.held[length]
      if (notice) notices.set(notice, trade.otn)
    },
    hear: async (known, { which, times }) => {
      const { held } = shop.standIn
      const notice = held[which % held.length]
      if (!notice) return
      const heard = await Promise.all(Array.from({ length: times }, () => shop.standIn.deliver(notice)))
      const otn = notices.get(notice)
      if (otn && heard.includes(204)) known.heard.add(otn)
    },
    trouble: async (_known, { trouble }) => shop.standIn.troubles.push(trouble),
    crash: (_known, { at }) => crashIn(eyes, at),
  }
  return async (known, one) => {
    await run[one.do](known, one as never).catch((error: unknown) => {
      // A refusal, or our own death by `crash`: the caller gets no success, and the rows must still agree.
      if (!(error instanceof ApiError) && !isDeath(error)) throw error
    })
  }
}

const isDeath = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code === '57P01' || error.message.startsWith('Connection terminated'))

/** Of the orders of a sequence, what the stand-in's book has. */
export async function tradesOf(db: Kysely<Database>, { book }: PayStandIn, { orders }: Known) {
  if (orders.size === 0) return []
  const rows = await db
    .selectFrom('payment_attempt')
    .select(['otn', 'order_id'])
    .where('order_id', 'in', [...orders])
    .orderBy('otn')
    .execute()
  return rows.flatMap(({ otn }) => book.get(otn) ?? [])
}
