import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { connect } from '../../../src/db/connect.ts'
import type { Recorded } from '../../../src/db/record.ts'
import { upgradeDatabase } from '../../../src/system/upgrade.ts'
import { testSecret } from '../../fixtures/code.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import { call, newUser, openStream, type Process, startApiProcess, startWorkerProcess } from '../../fixtures/processes.ts'
import { request } from '../../fixtures/requests.ts'
import { keepsState } from '../../fixtures/statements.ts'
import { type TransactionPooler, transactionPooler } from '../../stand-ins/transaction-pooler.ts'

// A site whose DATABASE_URL leads through a pooler by transaction, with one api and one worker as real processes.

let database: TestDatabase
let pooler: TransactionPooler
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'convexa-pooled-'))
  database = await testDatabase()
  pooler = await transactionPooler(database.url)
})
afterAll(async () => {
  pooler.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('migrate writes what sessions need to the role; before it a start is refused in a sentence', async () => {
  const asked = () => {
    const { pool, close } = connect(pooler.url, { directUrl: database.url, max: 1 })
    return pool.query('show bytea_output').finally(close)
  }
  const name = sql.id(new URL(database.url).pathname.slice(1))
  await sql`alter database ${name} set bytea_output = 'escape'`.execute(database.db)
  await expect(asked()).rejects.toThrow(/^经连接池的数据库会话的设置 bytea_output 应为 hex，实际为 escape：请先运行 \.\/convexa migrate/)
  const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, SECRET_KEY: testSecret, DATA_DIR: folder }
  const reading = readConfig(env, 'migrate')
  if (!reading.ok) throw new Error(reading.problems.join())
  await upgradeDatabase(reading.config, pooler.url)
  // What the pooler has opened before keeps what it had: an operator has it connect anew.
  pooler.close()
  pooler = await transactionPooler(database.url)
  expect((await asked()).rows).toEqual([{ bytea_output: 'hex' }])
})

test('a whole run goes through; what goes through the pooler keeps nothing in a session; few sessions go past it', async () => {
  const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, DATA_DIR: folder, RECORD_STATEMENTS: folder }
  const span = { from: '2021-01-04', to: '2022-12-30' }
  await publishSmallMarket(database.db, folder, { kind: 'cb', ...span, securities: 60 })
  await publishSmallMarket(database.db, folder, { kind: 'stk', ...span, securities: 20 })
  const running: Process[] = []
  try {
    const api = await startApiProcess(env)
    running.push(api)
    running.push(await startWorkerProcess(env, database.db))
    const user = await newUser(database.db)
    const body = request('cb', { factor: 'dblow', start: span.from, end: span.to })
    const ended = await openStream(api, user, '/v1/quant/convertible-bond/advanced-backtest', body).ended
    expect(ended, JSON.stringify(ended)).toMatchObject({ kind: 'event', event: { type: 'result' } })
    const list = await call<Page<unknown>>(api, user, 'GET', '/v1/quant/backtest/list')
    expect(list).toMatchObject({ status: 200, code: 0 })

    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    const sent = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    const pooled = sent.map((line) => JSON.parse(line) as Recorded).filter(({ stateless }) => stateless)
    expect(pooled.length).toBeGreaterThan(30)
    expect(pooled.filter(keepsState)).toEqual([])

    // Sessions that stay: of an api one; of a worker one, the sweeper's where it works, the queue's pool and its LISTEN.
    const { rows } = await sql<{ name: string; count: number }>`
      select application_name as name, count(*) as count from pg_stat_activity where datname = current_database() group by 1`.execute(
      database.db,
    )
    const sessions = new Map(rows.map(({ name, count }) => [name, Number(count)]))
    expect(sessions.get('convexa-api-session')).toBe(1)
    expect(sessions.get('convexa-worker-session')).toBe(1)
    expect(sessions.get('convexa-queue') ?? 0).toBeLessThanOrEqual(4)
    expect([...sessions.keys()].filter((name) => /presence|listen/.test(name))).toEqual([])
  } finally {
    for (const one of running) await one.stop()
  }
})
