import type { VipOrderStatus } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitions } from '../../src/order/states.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { insertOrder, insertPlan } from '../fixtures/orders.ts'
import { insertUser } from '../fixtures/run-rows.ts'

// Writes that the database itself refuses.

let database: TestDatabase
let plan: string
let user: string

beforeAll(async () => {
  database = await testDatabase()
  plan = await insertPlan(database.db)
  user = await insertUser(database.db)
})
afterAll(() => database.drop())

const statuses = [0, 1, 2, 3, 4, 5, 6] as const
/** A short way to each status by allowed moves. */
const ways: Record<VipOrderStatus, VipOrderStatus[]> = { 0: [], 1: [1], 2: [1, 2], 3: [1, 3], 4: [4], 5: [5], 6: [4, 6] }

async function orderAt(status: VipOrderStatus): Promise<string> {
  const id = await insertOrder(database.db, await insertUser(database.db), plan)
  for (const step of ways[status]) await goTo(id, step)
  return id
}
const goTo = (id: string, status: VipOrderStatus) =>
  database.db
    .updateTable('vip_order')
    .set({ status, closed_by: status === 5 ? 'user' : null })
    .where('id', '=', id)
    .execute()

describe('of the 49 pairs of statuses', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

  test.each(pairs)('%i → %i', async (from, to) => {
    const id = await orderAt(from)
    const isAllowed = from === to || transitions[from].includes(to)
    const moved = await goTo(id, to).then(
      () => true,
      () => false,
    )
    expect(moved).toBe(isAllowed)
  })

  test('14 are transitions, the same in code and table', async () => {
    const rows = await database.db.selectFrom('order_transition').selectAll().orderBy('from_status').orderBy('to_status').execute()
    expect(rows).toHaveLength(14)
    expect(rows.map((row) => [row.from_status, row.to_status])).toEqual(
      statuses.flatMap((from) => transitions[from].map((to) => [from, to])),
    )
  })
})

const attempt = (order: string, otn: string, seq: number, state = 'OPEN') =>
  sql`insert into payment_attempt (otn, order_id, seq, type, state) values (${otn}, ${order}, ${seq}, 'NATIVE', ${state})`.execute(
    database.db,
  )
const paid = (order: string, otn: string, transaction: string, effect = 'GRANT') =>
  sql`insert into payment (transaction_id, otn, order_id, total_fen, payer_total_fen, paid_at, source, effect)
    values (${transaction}, ${otn}, ${order}, 2900, 2900, now(), 'notice', ${effect})`.execute(database.db)
const back = (no: string, transaction: string, fen: number) =>
  sql`insert into refund (out_refund_no, transaction_id, amount_fen, reason) values (${no}, ${transaction}, ${fen}, 'OPERATOR')`.execute(
    database.db,
  )
const given = (order: string) =>
  sql`insert into subscription_grant (id, user_id, order_id, days, granted_at, starts_at, ends_at)
    values (gen_random_uuid(), ${user}, ${order}, 30, now(), now(), now())`.execute(database.db)

describe('constraints of the tables refuse', () => {
  let order: string
  beforeAll(async () => {
    order = await insertOrder(database.db, user, plan)
    await attempt(order, 'VKEYS01', 1, 'CLOSED')
    await attempt(order, 'VKEYS02', 2)
    await paid(order, 'VKEYS01', 'T1')
    await back('R-KEYS-1', 'T1', 2_000)
    await given(order)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a second open order of a plan', () => insertOrder(database.db, user, plan)],
    ['a second live attempt of an order', () => attempt(order, 'VKEYS03', 3)],
    ['the same payment twice', () => paid(order, 'VKEYS01', 'T1')],
    ['a second payment that grants', () => paid(order, 'VKEYS02', 'T2')],
    ['the days of an order twice', () => given(order)],
    ['more money back than came', () => back('R-KEYS-2', 'T1', 901)],
    ['another amount of what was ordered', () => sql`update vip_order set amount_fen = 1 where id = ${order}`.execute(database.db)],
    [
      'another buyer of what was ordered',
      () => sql`update vip_order set user_id = gen_random_uuid() where id = ${order}`.execute(database.db),
    ],
    ['another past', () => sql`update order_event set to_status = 6`.execute(database.db)],
    ['a price of nothing', () => insertPlan(database.db, { price_fen: 0 })],
    ['a price above 100,000 yuan', () => insertPlan(database.db, { price_fen: 10_000_001 })],
  ])('%s', async (_name, act) => {
    await sql`insert into order_event (order_id, to_status, cause) values (${order}, 0, 'user')`.execute(database.db)
    await expect(act()).rejects.toMatchObject({ code: expect.stringMatching(/^23|^P0001$/) })
  })

  test('of two concurrent refunds that exceed the payment together one is made', async () => {
    const both = await Promise.allSettled([back('R-KEYS-3', 'T1', 600), back('R-KEYS-4', 'T1', 600)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
