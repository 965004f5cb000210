import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { announce } from '../db/process-registry.ts'
import { queueCapacity, waitSeconds } from './queue-capacity.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

const limits = { least: 20, perSlot: 20 }
const worker = (slots: number) =>
  announce(database.session, { role: 'worker', address: 'http://127.0.0.1:1', secret: 'x', slots, engine: '1' })

test('without a ready worker the least holds', async () => {
  // A worker is not ready before it says so.
  const one = await worker(4)
  expect((await queueCapacity(database.db, limits)).most).toBe(20)
  await one.close()
})

test('slots of the living, ready workers count; dead and frozen ones do not', async () => {
  const [two, four, dead, frozen] = [await worker(2), await worker(4), await worker(8), await worker(16)]
  for (const each of [two, four, dead, frozen]) each.tell({ ready: true, reason: null })
  const ready = () => database.db.selectFrom('process').select('id').where('ready', '=', true).execute()
  await expect.poll(async () => (await ready()).length).toBe(4)
  await dead.close()
  await frozen.close()
  await database.db
    .updateTable('process')
    .set({ seen_at: new Date(Date.now() - 60_000) })
    .where('id', '=', frozen.processId)
    .execute()
  expect((await queueCapacity(database.db, limits)).most).toBe(120)
  expect((await queueCapacity(database.db, { least: 500, perSlot: 20 })).most).toBe(500)
  await two.close()
  await four.close()
})

test.each([
  [20, 0, 120],
  [20, 60, 20],
  [20, 600, 5],
  [400, 60, 120],
  [1, 7, 9],
])('%i waiting, %i done in a minute: %i seconds', (waiting, finished, seconds) => {
  expect(waitSeconds(waiting, finished)).toBe(seconds)
})

test('a refusal says the seconds, in its sentence and for the header', async () => {
  expect((await queueCapacity(database.db, limits)).full(20)).toMatchObject({
    code: 23003,
    message: '当前回测任务较多，请约 120 秒后重试',
    retryAfterSeconds: 120,
  })
})
