import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { insertRun, insertUser } from '../../test/fixtures/run-rows.ts'
import { silentNetwork } from '../../test/stand-ins/silent-network.ts'
import { openQueue, openWorkingQueue } from './queue.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

test('a network that swallows what is sent keeps a worker from its runs for no longer than its patience', async () => {
  const network = await silentNetwork(database.url)
  const troubles: string[] = []
  const working = await openWorkingQueue(network.url, ({ message }) => troubles.push(message), { patienceMs: 2_000 })
  const asking = await openQueue(database.url, database.db, () => {})
  const taken: string[] = []
  await working.takeRuns(2, async (id) => void taken.push(id))
  const add = async () => {
    const userId = await insertUser(database.db)
    const id = await insertRun(database.db, userId, userId)
    await database.db.transaction().execute((tx) => asking.addRun(tx, { id, group: userId, tier: 'free', priority: 0 }))
    return id
  }
  const first = await add()
  await expect.poll(() => taken, { timeout: 60_000 }).toEqual([first])
  network.swallows = true
  const second = await add()
  await expect.poll(() => troubles, { timeout: 60_000 }).toContainEqual(expect.stringContaining('Query read timeout'))
  // A connection that is opened meanwhile has no answer either, and is given up as soon.
  await expect.poll(() => troubles, { timeout: 60_000 }).toContainEqual(expect.stringMatching(/connection timeout|timeout exceeded/i))
  network.swallows = false
  await expect.poll(() => taken, { timeout: 60_000 }).toEqual([first, second])
  await working.close()
  await asking.close()
  network.close()
})

test('what one word of the queue tells of is taken job after job', async () => {
  const working = await openWorkingQueue(database.url, () => {})
  const asking = await openQueue(database.url, database.db, () => {})
  const taken: string[] = []
  await working.takeMessages(1, async (id) => void taken.push(id))
  const ids = Array.from({ length: 6 }, () => uuid())
  await database.db.transaction().execute(async (tx) => {
    for (const id of ids) await asking.addMessage(tx, id)
  })
  // By asking every ten seconds alone it would be a minute.
  await expect.poll(() => taken.toSorted(), { timeout: 60_000 }).toEqual(ids.toSorted())
  await working.close()
  await asking.close()
})

test('a run whose place is freed by another process is taken when it is looked for', async () => {
  const [busy, idle] = [await openWorkingQueue(database.url, () => {}), await openWorkingQueue(database.url, () => {})]
  const asking = await openQueue(database.url, database.db, () => {})
  const userId = await insertUser(database.db)
  const add = async () => {
    const id = await insertRun(database.db, userId, userId)
    await database.db.transaction().execute((tx) => asking.addRun(tx, { id, group: userId, tier: 'free', priority: 0 }))
    return id
  }
  const begun: string[] = []
  const taken: string[] = []
  // It never comes to an end, as that of a process that died.
  await busy.takeRuns(1, (id) => new Promise(() => void begun.push(id)))
  const first = await add()
  await expect.poll(() => begun, { timeout: 60_000 }).toEqual([first])
  await idle.takeRuns(1, async (id) => void taken.push(id))
  const second = await add()
  await asking.dropRun(database.db, first)
  idle.lookForRuns()
  await expect.poll(() => taken, { timeout: 60_000 }).toEqual([second])
  for (const queue of [busy, idle, asking]) await queue.close()
})
