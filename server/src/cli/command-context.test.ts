import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { testSecret } from '../../test/fixtures/code.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { csv, stockRows } from '../../test/fixtures/market/market-file.ts'
import { locks } from '../db/locks.ts'
import { importMarket } from '../market/import.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { withCommandContext } from './command-context.ts'
import { feedRun } from './feed.ts'
import { create, disable } from './user.ts'

// What is interrupted as it changes something says what became of it.

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'convexa-ground-'))
  await writeFile(join(folder, 'market.csv'), csv(stockRows()))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('SECRET_KEY', testSecret)
  vi.stubEnv('DATA_DIR', join(folder, 'data'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const interrupt = () => process.emit('SIGHUP')
const importing = (atLast: (stay: () => void) => void) =>
  withCommandContext('database', ({ db, config: { dataDir }, stay }) =>
    importMarket({ kind: 'stk', paths: [join(folder, 'market.csv')], dataDir, db, beforePublishing: () => atLast(stay) }),
  )

it('an import before its last moment: it is undone', async () => {
  const interrupted = importing((stay) => {
    interrupt()
    stay()
  })
  await expect(interrupted).rejects.toThrow('已中断')
  expect(await newestSnapshot(database.db, 'stk')).toBeNull()
})

it('an import in its last moment: it is done, and says so', async () => {
  const report = await importing((stay) => {
    stay()
    interrupt()
  })
  expect(report.text).toMatch(/已导入/)
  expect((await newestSnapshot(database.db, 'stk'))?.dataVersion).toBe(report.snapshot?.dataVersion)
})

/** Starts it while `lock` is held, interrupts it as it waits, and lets it go on. */
async function interruptedAt(lock: RawBuilder<unknown>, command: () => Promise<void>): Promise<{ readonly ends: Promise<void> }> {
  const { db } = database
  const isHeldUp = async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }
  return db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    const ends = command()
    await expect.poll(isHeldUp, { timeout: 60_000 }).toBe(true)
    interrupt()
    return { ends }
  })
}

it('a change of one moment that has begun: it is done, and says so', async () => {
  await create('li@example.cn', {})
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const { ends } = await interruptedAt(sql`select from app_user for update`, () => disable('li@example.cn'))
  await ends
  expect(told).toHaveBeenCalledExactlyOnceWith('正在收尾，随后结束')
  const { disabled_at } = await database.db.selectFrom('app_user').select('disabled_at').executeTakeFirstOrThrow()
  expect(disabled_at).not.toBeNull()
})

it('a day of the sources that is being published: it is told before the end', async () => {
  const rows = stockRows()
  const day = rows.at(-1)!['trade_date'] as string
  await writeFile(join(folder, 'market.csv'), csv(rows.filter(({ trade_date }) => trade_date !== day)))
  await mkdir(join(folder, 'own', 'stk'), { recursive: true })
  await writeFile(join(folder, 'own', 'stk', 'day.csv'), csv(rows))
  await importing((stay) => stay())
  vi.stubEnv('FEEDS', 'file')
  vi.stubEnv('FEED_FOLDER', join(folder, 'own'))
  const told = vi.spyOn(console, 'log').mockReturnValue()
  const { ends } = await interruptedAt(sql`select pg_advisory_xact_lock(${locks.publish}, 0)`, () => feedRun({ market: 'stk', day }))
  await expect(ends).rejects.toThrow('已中断')
  expect(told).toHaveBeenCalledWith(expect.stringContaining(`股票 ${day}`))
  expect((await newestSnapshot(database.db, 'stk'))?.lastDate).toBe(day)
})
