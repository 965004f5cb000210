/**
 * `npm run drill:load [-- --quick --seconds 30 --processes 2]`: how one api, one worker and their PostgreSQL stand offered load, from twenty users at twenty
 * addresses of this machine. The users' own rate limit is off. Status 0 only where every goal holds, which were set for two cores and nothing else on them.
 * Every request has its moment, whether or not those before it were answered, and is timed from that moment to its last byte.
 *
 *   1. new screens of bonds, 100 a second and 200 a second: each another rule, so that each is computed
 *   2. 500 screens a second of one rule, which is computed once in three seconds
 *   3. 200 stored reports a second (`?parts=core`), each read from the database; then whole ones, each computed again, as many as four users get
 *
 * With `--processes` all of it is offered to an api of one process, then to one of so many on one port, whose answers may cost a tenth more.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { connect } from '../../src/db/connect.ts'
import { cpuSeconds } from '../bench/cpu-seconds.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { type Api, newUser, openStream, type Process, startApiProcess, startWorkerProcess, type TestUser } from '../fixtures/processes.ts'
import { parameters, request as runRequest } from '../fixtures/requests.ts'
import { readDrillOptions } from './drill-options.ts'

const options = readDrillOptions({
  seconds: { whole: 30, quick: 10 },
  users: { whole: 20, quick: 20 },
  securities: { whole: 500, quick: 500 },
  processes: { whole: 1, quick: 1 },
})
const range = { start: '2019-01-02', end: '2024-12-31' }
const cb = '/v1/quant/convertible-bond'
/** An answer that comes later was not refused in time. */
const lateMs = 1_000
/** As the page of a screen asks. */
const need = ['list', 'reserve', 'excluded', 'funnel'] as const
/** As browsers say it. */
const encodings = 'gzip, deflate, br, zstd'

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}
interface Answered {
  readonly status: number
  readonly ms: number
  readonly bytes: number
  readonly waitSaid: boolean
}

const figures = openFigures()
const postgres = await ownPostgres('load')
const { dataDir } = postgres
const started: Process[] = []
try {
  const url = postgres.url()
  const store = connect(url, { max: 5 })
  const { db } = store
  await makeTables(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: options.securities })
  const limits = process.platform === 'linux' ? { CONNECTIONS_PER_ADDRESS: '100' } : {}
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0', CALL_PATIENCE: '1', ...limits }
  const startApi = async (processes: number): Promise<Api> => {
    const one = await startApiProcess({ ...env, API_PROCESSES: String(processes), NODE_OPTIONS: process.env['API_NODE_OPTIONS'] ?? '' })
    started.push(one)
    return one
  }
  let api = await startApi(1)
  const worker = await startWorkerProcess(env, db)
  started.push(worker)
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const processes = () => ({ api: api.pid, worker: worker.pid, database: postmaster })
  const users: { readonly user: TestUser; readonly agent: Agent }[] = []
  for (let k = 0; k < options.users; k++) {
    // Elsewhere only one address is ours.
    const address = process.platform === 'linux' ? { localAddress: `127.0.0.${k + 2}` } : {}
    users.push({ user: await newUser(db, 1), agent: new Agent({ keepAlive: true, maxSockets: 90, ...address }) })
  }

  const ask = ({ user, agent }: (typeof users)[number], asked: Asked, due: number) =>
    new Promise<Answered>((resolve) => {
      const failed = () => resolve({ status: 0, ms: performance.now() - due, bytes: 0, waitSaid: false })
      const sent = request(
        {
          ...{ hostname: '127.0.0.1', port: new URL(api.address).port, agent, method: asked.method, path: asked.path },
          headers: {
            ...{ 'access-token': user.token, 'accept-encoding': encodings },
            ...(asked.body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(asked.body) }),
          },
        },
        (response) => {
          let bytes = 0
          response.on('data', (part: Buffer) => {
            bytes += part.length
          })
          response.on('error', failed)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              ms: performance.now() - due,
              bytes,
              waitSaid: response.headers['retry-after'] !== undefined,
            }),
          )
        },
      )
      sent.on('error', failed)
      sent.end(asked.body)
    })

  /** Offers requests at a rate: an open loop, so that a server that is slow is not asked less. */
  const offer = async (rate: number, seconds: number, asked: (n: number) => Asked): Promise<Answered[]> => {
    const began = performance.now()
    const answers: Promise<Answered>[] = []
    for (let n = 0; n < rate * seconds; n++) {
      const due = began + (n * 1_000) / rate
      const wait = due - performance.now()
      if (wait > 1) await sleep(wait)
      answers.push(ask(users[n % users.length]!, asked(n), due))
    }
    return Promise.all(answers)
  }

  let rule = 0
  const screenOf = (weight: number): Asked => {
    const rules = parameters('cb', 'dblow', 20, 5)
    const [row] = rules.rank_factors
    const rank_factors = [row!, { ...row!, factor_key: 'conv_prem', weight }]
    return { method: 'POST', path: `${cb}/realtime-screen`, body: JSON.stringify({ parameters: { ...rules, rank_factors }, need }) }
  }
  const newScreen = () => screenOf(1 + ++rule / 1_000_000)

  interface Goal {
    readonly p99: number | null
    /** Share answered 503. */
    readonly refused: number | null
  }
  /** Processor time of the api for an answer in ms, by what was asked: of one process. */
  const ofOne = new Map<string, number>()
  let shown = ''
  /** With a goal of null the figure is only printed. */
  const measure = async (what: string, rate: number, asked: (n: number) => Asked, goal: Goal) => {
    const spentBy = (): [string, number][] => {
      const { user, system } = process.cpuUsage()
      return [
        ...Object.entries(processes()).map(([who, pid]): [string, number] => [who, cpuSeconds(pid)]),
        ['this program', (user + system) / 1e6],
      ]
    }
    const before = new Map(spentBy())
    const answers = await offer(rate, options.seconds, asked)
    const each = spentBy().map(([who, seconds]) => [who, (1_000 * (seconds - before.get(who)!)) / answers.length] as const)
    const spent = each.map(([who, ms]) => `${who} ${ms.toFixed(2)}`)
    const ofApi = new Map(each).get('api') ?? Number.NaN
    const served = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 503)
    const share = refused.length / answers.length
    const times = served.map(({ ms }) => ms)
    const question = `${what}, ${rate}/s`
    const name = `${question}${shown}`
    const alone = ofOne.get(question)
    if (alone === undefined) ofOne.set(question, ofApi)
    else figures.atMost(`${name}: processor time of the api for an answer, of that of one process`, ofApi / alone, 1.1, '')
    if (goal.p99 === null) figures.fact(`${name}: p50, p99 ms`, `${Math.round(quantile(times, 0.5))}, ${Math.round(quantile(times, 0.99))}`)
    else figures.atMost(`${name}: p99`, quantile(times, 0.99), goal.p99, 'ms')
    if (goal.refused === null) figures.fact(`${name}: answered 503`, `${(100 * share).toFixed(1)} %`)
    else figures.atMost(`${name}: answered 503`, 100 * share, 100 * goal.refused, '%')
    if (refused.length > 0)
      figures.atMost(
        `${name}: p99 of the 503`,
        quantile(
          refused.map(({ ms }) => ms),
          0.99,
        ),
        200,
        'ms',
      )
    figures.none(`${name}: answered later than ${lateMs} ms`, answers.filter(({ ms }) => ms > lateMs).length)
    figures.none(
      `${name}: answered otherwise, or 503 without Retry-After`,
      answers.filter(({ status, waitSaid }) => status !== 200 && !(status === 503 && waitSaid)).map(({ status }) => `HTTP ${status}`),
    )
    figures.fact(`${name}: served, p50, bytes of one`, `${served.length}, ${Math.round(quantile(times, 0.5))} ms, ${served.at(-1)?.bytes}`)
    figures.fact(`${name}: processor time for each request in ms`, spent.join(', '))
    // What is under way has ended; the next begins calm.
    await sleep(1_000)
  }

  // What the first of its kind costs is nobody's.
  const reports = await storedReports()
  /** One after the other for each of four users: the rate is printed, and judged by nobody. */
  const wholeReports = async () => {
    const began = performance.now()
    const isOver = () => performance.now() - began > 1_000 * options.seconds
    let served = 0
    const askOn = async (user: (typeof users)[number], k: number) => {
      const whole: Asked = { method: 'GET', path: reports[k]!.path.replace('?parts=core', '') }
      while (!isOver()) if ((await ask(user, whole, performance.now())).status === 200) served++
    }
    await Promise.all(users.slice(0, 4).map(askOn))
    figures.fact(`whole reports${shown}: served a second`, ((1_000 * served) / (performance.now() - began)).toFixed(1))
  }
  const series = async () => {
    await offer(20, 2, newScreen)
    await measure('new screens of bonds', 100, newScreen, { p99: null, refused: 0 })
    await measure('new screens of bonds', 200, newScreen, { p99: 400, refused: 0.4 })
    await measure('one screen again', 500, () => screenOf(0.5), { p99: 200, refused: null })
    await offer(20, 1, (n) => reports[n % reports.length]!)
    await measure('reports', 200, (n) => reports[n % reports.length]!, { p99: 500, refused: null })
    await wholeReports()
  }
  await series()
  if (options.processes > 1) {
    await api.stop()
    api = await startApi(options.processes)
    shown = `, ${options.processes} processes`
    await series()
  }
  await store.close()

  /** A finished run, and the same as everybody's own. */
  async function storedReports(): Promise<Asked[]> {
    const [first] = users
    const body = runRequest('cb', { ...range, factor: 'dblow', hold: 20 })
    const stream = openStream(api, first!.user, `${cb}/advanced-backtest`, body)
    const { backtest_id: id } = await stream.first('result')
    await stream.ended
    const ids = [String(id)]
    for (const { user } of users.slice(1)) {
      const copy = uuid()
      const changed = JSON.stringify({ id: copy, user_id: user.id })
      await sql`insert into backtest_run select (jsonb_populate_record(null::backtest_run, to_jsonb(r) || ${changed}::jsonb)).*
        from backtest_run r where id = ${id}`.execute(db)
      await sql`insert into run_core select ${copy}, format, bytes, key, inline from run_core where run_id = ${id}`.execute(db)
      ids.push(copy)
    }
    return ids.map((each) => ({ method: 'GET', path: `${cb}/backtest/${each}/detail/report?parts=core` }))
  }
} finally {
  for (const one of started) await one.stop()
  await postgres.stop()
}
process.exit(figures.end())
