import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { silentNetwork } from '../../test/stand-ins/silent-network.ts'
import { type DirectSession, directSession } from './direct-session.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const open: DirectSession[] = []
afterEach(async () => {
  for (const session of open.splice(0)) await session.close()
})
const session = (url = database.url, name = 'one', answerMs = 40_000) => {
  const made = directSession(url, name, answerMs)
  open.push(made)
  return made
}
const endIt = (name = 'one') =>
  database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [name],
  )
const count = async (name = 'one') =>
  Number(
    (
      await database.pool.query(
        'select count(*) as count from pg_stat_activity where application_name = $1 and datname = current_database()',
        [name],
      )
    ).rows[0].count,
  )

test('channels, locks and a presence are on one session, which is opened at the first need', async () => {
  const one = session()
  expect(await count()).toBe(0)
  const heard: string[] = []
  const [news, other] = await Promise.all([
    one.listen('news', (text) => heard.push(text)),
    one.listen('other', (text) => heard.push(text)),
    one.hold(
      async (client) => void (await client.query('select 1')),
      async () => {},
    ),
    one.tryLock(1, async () => {}),
  ])
  expect(await count()).toBe(1)
  await database.pool.query(`select pg_notify('news', 'a'), pg_notify('other', 'b')`)
  await expect.poll(() => heard).toEqual(['a', 'b'])
  await news.close()
  await database.pool.query(`select pg_notify('news', 'c'), pg_notify('other', 'd')`)
  await expect.poll(() => heard).toEqual(['a', 'b', 'd'])
  await other.close()
})

test('a lock is held once, within a process and over all; it is free after the work, also after one that fails', async () => {
  const [one, two] = [session(), session(database.url, 'two')]
  const at = (who: DirectSession, of = 0) => who.tryLock(7, async () => {}, of)
  const within = await one.tryLock(7, async () => {
    expect([await at(one), await at(two), await at(one, 1)]).toEqual([false, false, true])
  })
  expect(within).toBe(true)
  expect(await at(two)).toBe(true)
  await expect(one.tryLock(7, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await at(two)).toBe(true)
})

test('where the session breaks, what works under its lock is told, and another may take the lock', async () => {
  const [one, two] = [session(), session(database.url, 'two')]
  let taken: boolean | null = null
  const done = one.tryLock(7, async (lost) => {
    await endIt()
    await expect.poll(() => lost.aborted).toBe(true)
    taken = await two.tryLock(7, async () => {})
    // Its own lock it takes again only when the work that lost it is over.
    expect(await one.tryLock(7, async () => {})).toBe(false)
  })
  expect(await done).toBe(true)
  expect(taken).toBe(true)
  await expect.poll(() => one.tryLock(7, async () => {}).catch(() => false)).toBe(true)
})

test('after it broke it listens again and says so, and enters again before that', async () => {
  const one = session()
  const told: string[] = []
  await one.hold(
    async () => void told.push('entered'),
    async () => {},
  )
  await one.listen(
    'news',
    (text) => told.push(text),
    () => told.push('again'),
  )
  await endIt()
  await expect.poll(() => told).toEqual(['entered', 'entered', 'again'])
  await database.pool.query(`select pg_notify('news', 'b')`)
  await expect.poll(() => told.at(-1)).toBe('b')
})

test('a closed session is not opened again', async () => {
  const one = session()
  await one.listen('news', () => {})
  await one.close()
  await sleep(500)
  expect(await count()).toBe(0)
})

test('where the network swallows what is sent the session is given up, and a lock that cannot be asked for is an error', async () => {
  const network = await silentNetwork(database.url)
  const one = session(network.url, 'one', 1_000)
  await one.listen('news', () => {})
  network.swallows = true
  await expect(one.tryLock(9, async () => {})).rejects.toThrow('Query read timeout')
  network.swallows = false
  await expect.poll(() => one.tryLock(9, async () => {}).catch(() => false), { timeout: 60_000 }).toBe(true)
  network.close()
})
