import { type RawBuilder, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepNotices } from '../../src/payment/payment-notification.ts'
import { sweepTrading } from '../../src/qmt/old-rows.ts'
import { sweepGridTrials } from '../../src/quant/trials.ts'
import { sweepUses } from '../../src/usage/quota.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { insertUser } from '../fixtures/run-rows.ts'

// Each table's end, by rows a day on either side of it.

let database: TestDatabase
let user: string

beforeAll(async () => {
  database = await testDatabase()
  user = await insertUser(database.db)
})
afterAll(() => database.drop())

const ago = (days: number): RawBuilder<Date> => sql<Date>`(now() - make_interval(days => ${days}))`
const dayAgo = (days: number) => sql<string>`(now() at time zone 'Asia/Shanghai')::date - ${days}::int`
const left = async (rows: RawBuilder<unknown>) =>
  (await sql<{ what: string }>`select what from (${rows}) rows order by what`.execute(database.db)).rows.map(({ what }) => what)

test('uses of a day: 90 days', async () => {
  for (const [item, days] of [
    ['kept', 90],
    ['gone', 91],
  ] as const)
    await sql`insert into quota_use (user_id, day, item, used) values (${user}, ${dayAgo(days)}, ${item}, 1)`.execute(database.db)
  expect(await sweepUses(database.db)).toBe(1)
  expect(await left(sql`select item as what from quota_use`)).toEqual(['kept'])
})

test('grids that were tried: a year', async () => {
  for (const [cells, days] of [
    [1, 364],
    [2, 367],
  ] as const)
    await sql`insert into grid_trial (id, user_id, kind, factors, cells, tried_at) values (${uuid()}, ${user}, 'cb', '[]', ${cells}, ${ago(days)})`.execute(
      database.db,
    )
  expect(await sweepGridTrials(database.db)).toBe(1)
  expect(await left(sql`select cells::text as what from grid_trial`)).toEqual(['1'])
})

test('notices of payments: a year', async () => {
  for (const [id, days] of [
    ['kept', 364],
    ['gone', 367],
  ] as const)
    await sql`insert into payment_notice (event_id, event_type, body_sha256, outcome, received_at) values (${id}, 'T', 'x', 'ok', ${ago(days)})`.execute(
      database.db,
    )
  expect(await sweepNotices(database.db)).toBe(1)
  expect(await left(sql`select event_id as what from payment_notice`)).toEqual(['kept'])
})

test('targets and told orders: three years; an order without a proven end stays', async () => {
  const config = uuid()
  const [inside, beyond] = [dayAgo(3 * 365 - 2), dayAgo(3 * 366 + 1)]
  await database.db.transaction().execute(async (tx) => {
    // The rows hang on a config that this test does not need.
    await sql`set local session_replication_role = 'replica'`.execute(tx)
    for (const [sum, day] of [
      ['kept', inside],
      ['gone', beyond],
    ] as const)
      await sql`insert into qmt_targets (config_id, user_id, trade_date, body, checksum, data_version)
        values (${config}, ${user}, ${day}, '{}', ${sum}, 'v')`.execute(tx)
    for (const [id, day, status] of [
      ['kept', inside, 'filled'],
      ['gone', beyond, 'filled'],
      ['open', beyond, 'open'],
      ['unsure', beyond, 'unsure'],
    ] as const)
      await sql`insert into qmt_fill (config_id, order_id, user_id, trade_date, code, side, volume, filled, amount, status, note, dry_run, ordered_at)
        values (${config}, ${id}, ${user}, ${day}, '113001.SH', 'buy', 10, 10, 1, ${status}, '', false, now())`.execute(tx)
  })
  expect(await sweepTrading(database.db)).toBe(2)
  expect(await left(sql`select checksum as what from qmt_targets`)).toEqual(['kept'])
  expect(await left(sql`select order_id as what from qmt_fill`)).toEqual(['kept', 'open', 'unsure'])
})
