/**
 * `node server/test/bench/bench-requests.ts`: what one request of each kind costs an api, a worker with its compute child, and PostgreSQL, in
 * processor time of /proc (Linux), and what a stored run takes in bytes. Prints a line a kind; with `--json` one line for the bench's page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect } from '../../src/db/connect.ts'
import { createUser } from '../../src/user/administration.ts'
import { testSecret } from '../fixtures/code.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { newUser, openStream, type Process, rawCall, startApiProcess, startWorkerProcess, type TestUser } from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'
import { cpuSeconds } from './cpu-seconds.ts'

const range = { start: '2019-01-02', end: '2024-12-31' }
const cb = '/v1/quant/convertible-bond'
const atOnce = 4
const password = 'a password of the bench'
const need = ['list', 'reserve', 'excluded', 'funnel']

/** What was measured of one kind of request. */
interface Measured {
  readonly name: string
  readonly requests: number
  /** Milliseconds of processor time for each. */
  readonly api: number
  readonly worker: number
  readonly database: number
  /** Of the last answer, as it travels. */
  readonly bytes: number
}

const postgres = await ownPostgres('bench')
const { dataDir } = postgres
const started: Process[] = []
const measured: Measured[] = []
let stored = { core: Number.NaN, row: Number.NaN, wal: Number.NaN }
try {
  const url = postgres.url()
  const { db, close } = connect(url, { max: 5 })
  await makeTables(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 500 })
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0' }
  const api = await startApiProcess(env)
  started.push(api)
  const worker = await startWorkerProcess(env, db)
  started.push(worker)
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const spent = () => [api.pid, worker.pid, postmaster].map(cpuSeconds) as [number, number, number]

  const users = await Promise.all(Array.from({ length: atOnce }, () => newUser(db, 1)))

  /** The first of each kind are nobody's: code is compiled, columns are loaded. @returns the last answer's bytes */
  const measure = async (name: string, warming: number, requests: number, ask: (n: number, user: TestUser) => Promise<number>) => {
    let bytes = 0
    const askAll = async (from: number, to: number) => {
      let next = from
      // One after the other for each user: a newer quick run ends the one before.
      const one = async (user: TestUser) => {
        while (next < to) bytes = await ask(next++, user)
      }
      await Promise.all(users.map(one))
    }
    await askAll(0, warming)
    const before = spent()
    await askAll(warming, warming + requests)
    const [ofApi, ofWorker, ofDatabase] = spent().map((seconds, k) => (1_000 * (seconds - before[k]!)) / requests) as [
      number,
      number,
      number,
    ]
    measured.push({ name, requests, api: ofApi, worker: ofWorker, database: ofDatabase, bytes })
  }
  const call = async (user: TestUser, path: string, body?: object): Promise<number> => {
    const { status, bytes, text } = await rawCall(api, user, path, {
      'accept-encoding': 'gzip, deflate, br, zstd',
      ...(body && { body: JSON.stringify(body) }),
    })
    if (status !== 200) throw new Error(`${path} answers ${status}: ${text.slice(0, 200)}`)
    return bytes.length
  }
  const ruleOf = (n: number) => {
    const rules = parameters('cb', 'dblow', 20, 5)
    const [row] = rules.rank_factors
    return { ...rules, rank_factors: [{ ...row! }, { ...row!, factor_key: 'conv_prem', weight: 1 + n / 1_000_000 }] }
  }
  const { settings } = request('cb', range)

  await measure('screen', 40, 300, (n, user) => call(user, `${cb}/realtime-screen`, { parameters: ruleOf(n), need }))
  // Each rule comes back later than the three seconds for which an answer is shared.
  await measure('live refresh', 400, 400, (n, user) =>
    call(user, `${cb}/realtime-screen`, { parameters: ruleOf(10_000 + (n % 400)), need }),
  )
  await measure('quick run', 20, 200, (n, user) => call(user, `${cb}/quick-backtest`, { parameters: ruleOf(20_000 + n), settings }))
  const runs: { readonly id: string; readonly user: TestUser }[] = []
  const stream = async (n: number, user: TestUser): Promise<number> => {
    const body = { ...request('cb', range), parameters: ruleOf(30_000 + n) }
    const { backtest_id: id } = await openStream(api, user, `${cb}/advanced-backtest`, body).first('result')
    runs.push({ id: String(id), user })
    return 0
  }
  const walAt = async () => (await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db)).rows[0]!.at
  await measure('stored run', 8, 0, stream)
  measured.pop()
  const walBefore = await walAt()
  await measure('stored run', 0, 40, (n, user) => stream(100 + n, user))
  const { rows } = await sql<{ core: number; row: number; wal: number }>`
    select (select avg(bytes) from run_core)::float8 as core,
      (select avg(pg_column_size(r.*)) from backtest_run r)::float8 as row,
      (pg_wal_lsn_diff(pg_current_wal_lsn(), ${walBefore}) / 40)::float8 as wal`.execute(db)
  stored = rows[0]!
  const ran = (n: number) => runs[n % runs.length]!
  await measure('report opened', 20, 200, (n) => call(ran(n).user, `${cb}/backtest/${ran(n).id}/detail/report?parts=core`))
  const days = ['2020-03-02', '2021-06-01', '2022-09-01', '2023-12-01']
  await measure('day page', 20, 200, (n) => call(ran(n >> 1).user, `${cb}/backtest/${ran(n >> 1).id}/detail/${days[n % 4]}`))
  await measure('page or list', 20, 400, (n, user) => call(user, n % 2 ? `${cb}/strategy/list` : '/v1/quant/backtest/list?limit=20'))
  const addresses = Array.from({ length: 40 }, (_, i) => `user${i}@bench.example`)
  const config = { secretKey: testSecret, oldSecretKey: null, dataDir }
  for (const address of addresses) await createUser({ db, config } as Parameters<typeof createUser>[0], { address, password })
  await measure('login', 8, 32, (n, user) => call(user, '/v1/authorize/access-token/by-password', { account: addresses[n], password }))
  await close()
} finally {
  for (const one of started) await one.stop()
  await postgres.stop()
}
if (process.argv.includes('--json')) console.log(JSON.stringify({ measured, stored }))
else {
  for (const { name, requests, api, worker, database, bytes } of measured)
    console.log(
      `${name}: api ${api.toFixed(2)}, worker ${worker.toFixed(2)}, PostgreSQL ${database.toFixed(2)} ms; ${bytes} bytes; ${requests}`,
    )
  console.log(`stored run: core ${stored.core.toFixed(0)}, row ${stored.row.toFixed(0)}, WAL ${stored.wal.toFixed(0)} bytes`)
}
