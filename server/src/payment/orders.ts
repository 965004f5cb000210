import type { Order, Page, VipOrderStatus } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Database } from '../db/tables.ts'
import { move } from '../order/move.ts'
import { literals, liveStates, openStatuses } from '../order/states.ts'

/** An order is to be paid within this time; what is given again has at least `leastLeft` of it. */
const lifeMinutes = 15
const leastLeftMinutes = 5
const mostOpen = 5
const mostADay = 20

/** Expired orders are no longer worth a banner, even before the worker has ended them. */
const notOver = sql<boolean>`(o.status in (${literals([orderStatus.paying, orderStatus.payFinished])}) or o.expires_at > now())`

/**
 * The user's open order of this plan at its price of now, or a new one. An open order at another price or with too little time left makes
 * room for it; while WeChat may still take money for that one, `makeRoom` is asked to close it.
 * @throws ApiError 31001 plan, 31002 too many, 31006 an order of the plan is being closed, 31008 no merchant
 */
export async function subscribe(
  db: Kysely<Database>,
  userId: string,
  planId: string,
  { canPay, makeRoom }: { canPay: boolean; makeRoom: (orderId: string) => Promise<VipOrderStatus> },
): Promise<{ order_id: string; amount_fen: number; expire_at: string; status: VipOrderStatus }> {
  for (let again = false; ; again = true) {
    // Users are locked before orders here, but after them where a payment is settled: the two may deadlock, so it is tried again.
    const made = await inTransaction(db, (tx) => findOrMake(tx, userId, planId, canPay))
    if ('order_id' in made) return made
    if (again || (await makeRoom(made.blocking)) !== orderStatus.quit) throwApiError(errorCodes.attemptClosing)
  }
}

async function findOrMake(tx: Transaction<Database>, userId: string, planId: string, canPay: boolean) {
  // One at a time per user: the counts below hold, and of two clicks the second finds the order of the first.
  const user = await tx.selectFrom('app_user').select(['vip_level', 'vip_until']).where('id', '=', userId).forUpdate().executeTakeFirst()
  if (!user) throwApiError(errorCodes.notFound)
  const plan = await tx.selectFrom('vip_plan').selectAll().where('id', '=', planId).where('on_sale', '=', true).executeTakeFirst()
  if (!plan) throwApiError(errorCodes.planUnavailable)
  if (!canPay) throw new ApiError(errorCodes.paymentAway, '本站未开通微信支付')
  if (user.vip_level > 0 && user.vip_until === null) throw new ApiError(errorCodes.planUnavailable, '您的会员没有到期日，无需购买')
  const open = await tx
    .selectFrom('vip_order')
    .selectAll()
    .select(sql<boolean>`expires_at >= now() + make_interval(mins => ${leastLeftMinutes})`.as('fresh'))
    .where('user_id', '=', userId)
    .where('plan_id', '=', planId)
    .where('status', 'in', openStatuses)
    .forUpdate()
    .executeTakeFirst()
  if (open) {
    const same = open.amount_fen === plan.price_fen && open.days === plan.days && open.plan_name === plan.name
    if (same && open.fresh) return answerOf(open)
    if (open.status === orderStatus.paying) return { blocking: open.id }
    await move(tx, open, orderStatus.quit, 'timeout', { closed_by: 'timeout' })
  }
  const { openNow, today } = await tx
    .selectFrom('vip_order as o')
    .select([
      sql<number>`count(*) filter (where o.status in (${literals(openStatuses)}) and ${notOver})`.as('openNow'),
      sql<number>`count(*) filter (where o.created_at > now() - interval '24 hours')`.as('today'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (openNow >= mostOpen) throwApiError(errorCodes.tooManyOpenOrders)
  if (today >= mostADay) throw new ApiError(errorCodes.tooManyOpenOrders, '24 小时内下单次数过多，请稍后再试')
  const made = await tx
    .insertInto('vip_order')
    .values({
      id: uuid(),
      user_id: userId,
      plan_id: planId,
      plan_name: plan.name,
      days: plan.days,
      amount_fen: plan.price_fen,
      expires_at: sql<Date>`now() + make_interval(mins => ${lifeMinutes})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.insertInto('order_event').values({ order_id: made.id, from_status: null, to_status: made.status, cause: 'user' }).execute()
  return answerOf(made)
}

const answerOf = (row: { id: string; amount_fen: number; expires_at: Date; status: VipOrderStatus }) => ({
  order_id: row.id,
  amount_fen: row.amount_fen,
  expire_at: shanghaiTime(row.expires_at),
  status: row.status,
})

type Rows = SelectQueryBuilder<Database & { o: Database['vip_order'] }, 'o', object>

/** Newest first. */
export async function listOrders(
  db: Kysely<Database>,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page<Order>> {
  const { total } = await db
    .selectFrom('vip_order')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const list_items = await read(own(db, userId).orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').offset(offset).limit(limit))
  return { total: Number(total), offset, limit, list_items }
}

/** Orders that may still be paid, or whose days are being given. */
export const pendingOrders = (db: Kysely<Database>, userId: string): Promise<Order[]> =>
  read(
    own(db, userId)
      .where('o.status', 'in', [...openStatuses, orderStatus.payFinished])
      .where(notOver)
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc'),
  )

/** @throws ApiError 40004 none of the user's */
export async function orderOf(db: Kysely<Database>, userId: string, id: string): Promise<Order> {
  const [found] = await read(own(db, userId).where('o.id', '=', id))
  return found ?? throwApiError(errorCodes.notFound)
}

/** @throws ApiError 40004 none of the user's */
export async function statusOf(db: Kysely<Database>, userId: string, id: string): Promise<VipOrderStatus> {
  const row = await db.selectFrom('vip_order').select('status').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return (row ?? throwApiError(errorCodes.notFound)).status
}

const own = (db: Kysely<Database>, userId: string): Rows => db.selectFrom('vip_order as o').where('o.user_id', '=', userId)

async function read(orders: Rows): Promise<Order[]> {
  const rows = await orders
    .leftJoin('subscription_grant as g', (join) => join.onRef('g.order_id', '=', 'o.id').on('g.revoked_at', 'is', null))
    .leftJoin('payment as p', (join) => join.onRef('p.order_id', '=', 'o.id').on('p.effect', '=', 'GRANT'))
    .selectAll('o')
    .select([
      'g.starts_at',
      'g.ends_at',
      'p.transaction_id',
      sql<number>`greatest(0, ceil(extract(epoch from o.expires_at - now())))::integer`.as('left'),
      sql<'JSAPI' | 'NATIVE' | null>`(select a.type from payment_attempt a where a.order_id = o.id order by a.seq desc limit 1)`.as(
        'pay_type',
      ),
      sql<number | null>`(select sum(r.amount_fen)::integer from refund r join payment x using (transaction_id)
        where x.order_id = o.id and r.state <> 'CLOSED')`.as('refund_fen'),
      // Stuck money is said before money on its way, that before money that is back.
      sql<'PROCESSING' | 'SUCCESS' | 'ABNORMAL' | null>`(
        select case r.state when 'ABNORMAL' then 'ABNORMAL' when 'SUCCESS' then 'SUCCESS' else 'PROCESSING' end
        from refund r join payment x using (transaction_id) where x.order_id = o.id and r.state <> 'CLOSED'
        order by array_position(array['ABNORMAL', 'REQUESTED', 'PROCESSING', 'SUCCESS'], r.state) limit 1)`.as('refund_status'),
    ])
    .execute()
  return rows.map((row) => ({
    order_id: row.id,
    plan_id: row.plan_id,
    plan_name: row.plan_name,
    days: row.days,
    amount_fen: row.amount_fen,
    status: row.status,
    created_at: shanghaiTime(row.created_at),
    expire_at: shanghaiTime(row.expires_at),
    expire_in: row.left,
    pay_type: row.pay_type,
    ...(row.paid_at && { paid_at: shanghaiTime(row.paid_at) }),
    ...(row.transaction_id && { transaction_id: row.transaction_id }),
    ...(row.starts_at && { starts_at: shanghaiTime(row.starts_at) }),
    ...(row.ends_at && { ends_at: shanghaiTime(row.ends_at) }),
    ...(row.refund_status && { refund_status: row.refund_status }),
    ...(row.refund_fen && { refund_fen: row.refund_fen }),
    ...(row.closed_by && { closed_by: row.closed_by }),
  }))
}

/** A row of the user's, locked until the transaction ends. @throws ApiError 40004 */
export async function lockOrder(tx: Transaction<Database>, userId: string, id: string) {
  const row = await tx
    .selectFrom('vip_order')
    .selectAll()
    .select(sql<number>`extract(epoch from expires_at - clock_timestamp())::float`.as('secondsLeft'))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? throwApiError(errorCodes.notFound)
}

/** The attempt for which WeChat may still take money; the order is locked. */
export const liveAttempt = (tx: Transaction<Database>, orderId: string) =>
  tx.selectFrom('payment_attempt').selectAll().where('order_id', '=', orderId).where('state', 'in', liveStates).executeTakeFirst()
