import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/fixtures/database.ts'
import { insertRun, insertUser } from '../test/fixtures/run-rows.ts'
import { testWorld } from '../test/fixtures/world.ts'
import { locks } from './db/locks.ts'
import { fileStore } from './file/store.ts'
import { objectsOf } from './store/data-objects.ts'
import { startSweeper } from './sweeper.ts'

// The loops of retention as a worker runs them, with rounds that follow one another at once.

let database: TestDatabase
let dataDir: string
let old: string
let logged: string[]

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-sweeper-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  const { db } = database
  logged = []
  await sql`delete from app_user`.execute(db)
  // Since long ago: what a test makes is no run of before.
  await sql`insert into retention (started_at) values (now() - interval '10 years') on conflict do nothing`.execute(db)
  old = await insertRun(db, await insertUser(db), uuid())
  await sql`update backtest_run set status = 2, created_at = now() - interval '100 days', finished_at = now() - interval '100 days' where id = ${old}`.execute(
    db,
  )
  await sql`insert into run_core (run_id, format, bytes, inline) values (${old}, 1, 1, 'x')`.execute(db)
})

const kept = async () => (await database.db.selectFrom('backtest_run').select('kept').where('id', '=', old).executeTakeFirst())?.kept
const isStopped = async () => (await database.db.selectFrom('retention').select('started_at').execute()).length === 0
const sweeperOf = (retention: 'off' | 'plans') => {
  const { context } = testWorld(database, { config: { dataDir, retention } })
  const { db, config } = context
  return startSweeper(
    {
      ...{ db, config, queue: context.queue, store: fileStore(dataDir), keepDays: 30, objects: objectsOf(dataDir) },
      log: (event, details) => void logged.push(`${event} ${JSON.stringify(details['reduced'] ?? details['err'] ?? '')}`),
    },
    { first: 0, sweep: 20, retention: 20 },
  )
}
/** A login so old that a whole round of the sweep removes it; and it is gone. */
const roundOfSweep = async () => {
  const { db } = database
  await sql`insert into quota_use (user_id, item, day, used) select user_id, 'backtest', current_date - 400, 1 from backtest_run where id = ${old}`.execute(
    db,
  )
  await expect.poll(async () => (await db.selectFrom('quota_use').select('used').execute()).length).toBe(0)
}

test('of the embedded database, where runs are kept for good, the rounds reduce none and forget since when they would', async () => {
  const sweeper = sweeperOf('off')
  await expect.poll(isStopped).toBe(true)
  await roundOfSweep()
  await sweeper.close()
  expect(await kept()).toBe(2)
  expect(logged).toEqual([])
})

test('by plans they reduce what is too old, once, whichever of two workers is first', async () => {
  const sweepers = [sweeperOf('plans'), sweeperOf('plans')]
  await expect.poll(kept).toBe(1)
  await roundOfSweep()
  await Promise.all(sweepers.map((sweeper) => sweeper.close()))
  expect(logged).toEqual(['stored runs retained by plan 1'])
})

test('while another process does it they wait, and a round that fails is logged and made up for by the next', async () => {
  const { db } = database
  const held = await database.session.tryLock(locks.retention, async () => {
    const sweeper = sweeperOf('plans')
    await roundOfSweep()
    await roundOfSweep()
    await sweeper.close()
  })
  expect([held, await kept()]).toEqual([true, 2])
  await sql`alter table retention rename to retention_away`.execute(db)
  const sweeper = sweeperOf('plans')
  try {
    await expect.poll(() => logged.some((line) => line.startsWith('retention failed'))).toBe(true)
  } finally {
    await sql`alter table retention_away rename to retention`.execute(db)
  }
  await expect.poll(kept).toBe(1)
  await sweeper.close()
})
