import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/free-port.mjs'
import { entryFile } from '../../../src/base/program-files.ts'
import { type TestDatabase, testDatabase } from '../../fixtures/database.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import { type Api, call, newUser, openStream, type Process, startApiProcess, startWorkerProcess, until } from '../../fixtures/processes.ts'
import { request } from '../../fixtures/requests.ts'

// One api of two processes on one port, and a worker, as real processes.
describe.skipIf(process.platform !== 'linux')('an api of two processes (skipped: the kernel shares a port on Linux alone)', () => {
  const span = { from: '2021-01-04', to: '2022-12-30' }
  const path = '/v1/quant/convertible-bond/advanced-backtest'
  let database: TestDatabase
  let dataDir: string
  let api: Api
  let worker: Process
  let metricsPort: number
  beforeAll(async () => {
    database = await testDatabase()
    dataDir = mkdtempSync(join(tmpdir(), 'convexa-group-'))
    metricsPort = await freePort()
    await publishSmallMarket(database.db, dataDir, { kind: 'cb', ...span, securities: 60 })
    await publishSmallMarket(database.db, dataDir, { kind: 'stk', ...span, securities: 20 })
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
    worker = await startWorkerProcess(env, database.db)
    api = await startApiProcess({ ...env, API_PROCESSES: '2', METRICS_PORT: String(metricsPort) })
    await until(async () => (await living()).length === 2, 'both are announced')
  })
  afterAll(async () => {
    await Promise.all([api?.stop(), worker?.stop()])
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const living = async () => {
    const { rows } = await sql<{ id: string }>`select p.id from process p where p.role = 'api' and exists (
      select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and l.objid::bigint = p.lock_key and l.granted)`.execute(database.db)
    return rows.map(({ id }) => id)
  }
  const children = () =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(api.pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0 && commandOf(pid).includes(entryFile('main')))
  const commandOf = (pid: number): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      // The one that lists them is among them, and has ended.
      return ''
    }
  }
  /** One new connection. What the kernel has given to a listener that closes is reset (decisions/0204): a browser and a proxy try again, once. */
  const ask = () => fetch(`${api.address}/healthz`, { headers: { connection: 'close' } })
  const asked = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask().catch(() => ask().catch(() => null))))
    return answers.filter((answer) => answer?.status === 200).length
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

  test('a run is followed to its end, whichever process is asked', async () => {
    const user = await newUser(database.db)
    for (let time = 0; time < 2; time++) {
      const body = request('cb', { factor: 'dblow', start: span.from, end: span.to })
      const ended = await openStream(api, user, path, body).ended
      expect(ended, JSON.stringify(ended)).toMatchObject({ kind: 'event', event: { type: 'result' } })
    }
    const lists = await Promise.all(Array.from({ length: 8 }, () => call(api, user, 'GET', '/v1/quant/backtest/list')))
    expect(new Set(lists.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  })

  test('metrics count the answers of both, and what the database knows once; readiness is that of all', async () => {
    const counted = async () => {
      const lines = (await metrics()).split('\n').filter((line) => /^convexa_http_requests_total\{.*route="\/healthz"/.test(line))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    }
    const before = await counted()
    expect(await asked(40)).toBe(40)
    expect((await counted()) - before).toBe(40)
    const text = await metrics()
    expect(text).toMatch(/^convexa_workers 1$/m)
    expect(text).toMatch(/^convexa_pool_waiting 0$/m)
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${metricsPort}/status`)).status).toBe(200)
  })

  test('a killed process is started again, and the other answers meanwhile', async () => {
    const [first] = children()
    const before = await living()
    process.kill(first!, 'SIGKILL')
    await until(async () => (await living()).length === 1 || (await living()).some((id) => !before.includes(id)), 'it is seen to be dead')
    expect(await asked(10)).toBe(10)
    await until(async () => (await living()).length === 2, 'it is back')
    expect(children()).not.toContain(first)
  })

  test('on SIGUSR2 each is started anew, one after the other, and nobody is refused', async () => {
    const before = new Set(children())
    expect(before.size).toBe(2)
    process.kill(api.pid, 'SIGUSR2')
    let refused = 0
    await until(async () => {
      refused += 5 - (await asked(5))
      const now = children()
      return now.length === 2 && now.every((pid) => !before.has(pid)) && (await living()).length === 2
    }, 'both are others')
    expect(refused).toBe(0)
  })

  test('after a stop none is left', async () => {
    const pids = children()
    await api.stop()
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
    expect(await living()).toEqual([])
  })
})
