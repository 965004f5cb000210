import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hopelessExit } from '../../src/base/supervise.ts'
import { announce } from '../../src/db/process-registry.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { startProcess } from '../fixtures/processes.ts'
import { type FakeS3, fakeKeys, fakeS3 } from '../stand-ins/fake-s3.ts'

let database: TestDatabase
let fake: FakeS3
let root: string

beforeAll(async () => {
  database = await testDatabase()
  await makeTables(database.db)
  fake = await fakeS3()
  root = mkdtempSync(join(tmpdir(), 'convexa-claimed-'))
})
afterAll(async () => {
  await fake.close()
  await database.drop()
  rmSync(root, { recursive: true, force: true })
})

test('a worker whose cache another living process has ends with a sentence, and was never announced', async () => {
  const cache = join(root, 'cache')
  mkdirSync(cache)
  const other = await announce(database.session, { role: 'api' })
  writeFileSync(join(cache, 'owner'), `${other.processId}\n`)
  const errors = join(root, 'errors')
  const worker = startProcess(
    'worker',
    {
      ...{ DATABASE_URL: database.url, DATA_DIR: join(root, 'data'), CACHE_DIR: cache, STORE_URL: fake.url },
      ...{ STORE_ACCESS_KEY_ID: fakeKeys.accessKeyId, STORE_SECRET_ACCESS_KEY: fakeKeys.secretAccessKey },
    },
    openSync(errors, 'a'),
  )
  await worker.exited
  expect([worker.end().code, readFileSync(errors, 'utf8')]).toEqual([hopelessExit, `启动失败：缓存目录 ${cache} 正被另一个进程使用\n`])
  expect(await database.db.selectFrom('process').select('id').where('role', '=', 'worker').execute()).toEqual([])
  expect(readFileSync(join(cache, 'owner'), 'utf8')).toBe(`${other.processId}\n`)
  await other.close()
})
