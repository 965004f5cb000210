import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { messagesTo } from '../../test/fixtures/messages.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import type { AppContext } from '../context/app-context.ts'
import { type Message, queueMessage } from './queue.ts'

let database: TestDatabase
let context: AppContext

beforeAll(async () => {
  database = await testDatabase()
  context = testWorld(database).context
})

afterAll(() => database.drop())

const message = (to: string): Message => ({ to, channel: 'sms', purpose: 'register', code: '482913', seconds: 300 })
const jobsOf = async (id: string) => (await database.pool.query('select data from pgboss.job where id = $1', [id])).rows

test('a message and its job appear together', async () => {
  const id = await context.db.transaction().execute((transaction) => queueMessage(context, transaction, message('13800000001')))
  expect(await messagesTo(context, '13800000001')).toEqual([message('13800000001')])
  expect(await jobsOf(id)).toEqual([{ data: { v: 1, message_id: id } }])
})

test('what is undone sends nothing', async () => {
  let id = ''
  const undone = context.db.transaction().execute(async (transaction) => {
    id = await queueMessage(context, transaction, message('13800000002'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await messagesTo(context, '13800000002')).toEqual([])
  expect(await jobsOf(id)).toEqual([])
})

test('fifty transactions at once, as the first thing that a process does', async () => {
  const fresh = testWorld(database).context
  await Promise.all(
    Array.from({ length: 50 }, () =>
      fresh.db.transaction().execute((transaction) => queueMessage(fresh, transaction, message('13800000003'))),
    ),
  )
  expect(await messagesTo(fresh, '13800000003')).toHaveLength(50)
})

test('a dump of the database tells neither the code nor who gets it', async () => {
  await context.db.transaction().execute((transaction) => queueMessage(context, transaction, message('13800000004')))
  const { rows } = await database.pool.query<{ text: string }>(
    "select (select string_agg(m::text, ' ') from message m) || (select string_agg(j::text, ' ') from pgboss.job j) as text",
  )
  for (const secret of ['482913', '13800000004'])
    for (const shape of [secret, Buffer.from(secret).toString('hex')]) expect(rows[0]?.text).not.toContain(shape)
})
