import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { testSecret } from '../../../test/fixtures/code.ts'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { withCommandContext } from '../../cli/command-context.ts'
import { startDemoMarket } from './demo-market.ts'

// A machine that has no room for one more process says so as one whose program is missing does: by an error that no exit follows.

let database: TestDatabase
let dataDir: string
const { execPath } = process
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-no-room-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})
beforeEach(() => {
  process.execPath = join(dataDir, 'no such program')
})
afterEach(() => {
  process.execPath = execPath
  vi.unstubAllEnvs()
})

it('a demo market that nobody can make is told to be none', async () => {
  const making = startDemoMarket(dataDir, database.url, ['cb'], () => {})
  await expect(making.made).rejects.toThrow('演示行情没有生成（spawn')
  await making.stop()
})

it('a command whose worker cannot be started ends with a sentence, and puts away what it began', async () => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('SECRET_KEY', testSecret)
  vi.stubEnv('DATA_DIR', dataDir)
  await expect(withCommandContext('worker', async () => {})).rejects.toThrow('计算进程没有启动')
})
