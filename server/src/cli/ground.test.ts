import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { csv, stockRows } from '../../test/market-file.ts'
import { importMarket } from '../market/import.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { onGround } from './ground.ts'
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
  vi.stubEnv('DATA_DIR', join(folder, 'data'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const interrupt = () => process.emit('SIGHUP')
const importing = (atLast: (stay: () => void) => void) =>
  onGround('database', ({ db, config: { dataDir }, stay }) =>
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

it('a change of one moment that has begun: it is done, and says so', async () => {
  await create('li@example.cn', {})
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const { db } = database
  const isHeldUp = async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }
  const disabling = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('app_user').select('id').forUpdate().execute()
    const begun = disable('li@example.cn')
    await expect.poll(isHeldUp, { timeout: 20_000 }).toBe(true)
    interrupt()
    return { begun }
  })
  await disabling.begun
  expect(told).toHaveBeenCalledExactlyOnceWith('改动已经开始，完成后即结束')
  const { disabled_at } = await db.selectFrom('app_user').select('disabled_at').executeTakeFirstOrThrow()
  expect(disabled_at).not.toBeNull()
})
