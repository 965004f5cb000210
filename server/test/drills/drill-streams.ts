/**
 * `npm run drill:streams -- --kills 200 --streams 1000 --seconds 60`: streams on a PostgreSQL that flushes, an api and workers as processes
 * of their own. Prints figures beside their goals: what is lost, what a stream costs, how late answers come:
 *
 *   G3   compute children killed: each stream ends with one error line; nothing stuck, orphaned or counted
 *   G6   how long a mixed load of 300 requests a second waits while two runs are computed and told
 *   G9   idle streams, readers that take nothing, all gone at once: memory, and when the last handler has returned
 *   G23  how late the api's event loop comes while it answers a mixed load and two runs are computed and told
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/db/connect.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { ownPostgres } from '../fixtures/postgres.ts'
import { call, newUser, openStream, startApiProcess, startWorkerProcess, type TestUser, type WorkerProcess } from '../fixtures/processes.ts'
import { parameters, slowRequest } from '../fixtures/requests.ts'
import { readDrillOptions } from './drill-options.ts'
import { idleStreams, killChildren, progressLatency, slowReaders, startHost } from './stream-drills.ts'

const given = readDrillOptions({
  kills: { whole: 200, quick: 12 },
  streams: { whole: 1_000, quick: 1_000 },
  slow: { whole: 100, quick: 100 },
  seconds: { whole: 60, quick: 10 },
  rate: { whole: 300, quick: 100 },
  workers: { whole: 3, quick: 2 },
})
/** The goals of time are those of a quiet machine; `--quick` is run beside other things and has five times as long. */
const patience = given.quick ? 5 : 1
const figures = openFigures()
const range = { start: '2019-01-02', end: '2021-12-31' }
const cb = '/v1/quant/convertible-bond'
/** Milliseconds that one answer of a thousand may take longer than (G6). */
const mostLate = 500 * patience

const postgres = await ownPostgres()
const { dataDir } = postgres
const probe = join(dataDir, 'loop.json')
try {
  const url = postgres.url()
  const store = connect(url, { max: 5 })
  const { db } = store
  await makeTables(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 120 })

  const host = await startHost(url)
  const idle = await idleStreams(host, db, given.streams)
  figures.atMost(`${idle.count} idle streams, memory`, idle.grownMb, 50, 'MB')
  figures.atMost('  after all had gone the last handler returned in', idle.settledMs, 1_000 * patience, 'ms')
  const slow = await slowReaders(host, db, given.slow, 15, 200)
  figures.atMost(`${slow.count} readers that take nothing of ${Math.round(slow.offeredMb)} MB in 15 s, memory`, slow.grownMb, 16, 'MB')
  host.close()

  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0', CALL_PATIENCE: '1' }
  const probed = `--import ${fileURLToPath(new URL('../fixtures/loop-probe.ts', import.meta.url))}`
  const api = await startApiProcess({ ...env, LOOP_PROBE: probe, NODE_OPTIONS: probed })
  const workers: WorkerProcess[] = [await startWorkerProcess({ ...env, WORKER_THREADS: '2' }, db)]

  const latency = await progressLatency({ db, api, range }, 2)
  figures.fact(
    `${latency.events} events of progress on ${latency.streams} streams of 2 runs`,
    `from row to reader p50 ${ms(latency.ms, 0.5)}, p99 ${ms(latency.ms, 0.99)}, at most ${ms(latency.ms, 1)}`,
  )

  process.kill(api.pid, 'SIGUSR2')
  const load = await mixedLoad(given.rate, given.seconds)
  await sleep(300)
  const loop = JSON.parse(readFileSync(probe, 'utf8')) as Record<'p50' | 'p99' | 'most', number>
  figures.fact(`${load.answered} answers, ${given.rate} a second offered with 2 runs under way`, `p50 ${ms(load.ms, 0.5)}`)
  figures.atMost('  p99', quantile(load.ms, 0.99), 200 * patience, 'ms')
  figures.atMost('  p99.9', quantile(load.ms, 0.999), mostLate, 'ms')
  figures.none('  failed', load.failed)
  // Which they were tells what they waited for.
  for (const one of load.late.slice(0, 30)) figures.fact('  late', one)
  figures.atMost('event loop of the api meanwhile, p99 late', loop.p99, 50 * patience, 'ms')

  while (workers.length < given.workers) workers.push(await startWorkerProcess({ ...env, WORKER_THREADS: '1' }, db))
  const kills = await killChildren({ db, api, workers, range }, given.kills, (done) => {
    if (done % 10 === 0) process.stderr.write(`${done} kills\n`)
  })
  const late = kills.errorMs.filter((each) => each > 2_000 * patience).length
  figures.fact(
    `${kills.kills} compute children killed`,
    `error line p50 ${ms(kills.errorMs, 0.5)}, at most ${ms(kills.errorMs, 1)}; codes ${[...kills.codes].join(', ')}`,
  )
  figures.none(`  without an error line within ${2 * patience} s`, late + kills.kills - kills.errorMs.length)
  figures.atMost('  first event, p99', quantile(kills.firstMs, 0.99), 300 * patience, 'ms')
  figures.none('  streams, runs, uses and processes that did not end as they must', kills.wrong)

  await Promise.all([api, ...workers].map((one) => one.stop()))
  await store.close()

  async function mixedLoad(rate: number, seconds: number) {
    const users: TestUser[] = []
    const saved: string[] = []
    for (let k = 0; k < 50; k++) {
      const user = await newUser(db)
      users.push(user)
      const body = { strategy_name: `策略${k}`, detail: parameters('cb', 'dblow', 5, 5) }
      saved.push((await call<{ id: string }>(api, user, 'POST', `${cb}/strategy`, body)).data.id)
    }
    const screen = { parameters: parameters('cb', 'dblow', 5, 5), need: ['list'] }
    /** 70 % read, 20 % write, 10 % screen, the same ones again and again. */
    const nameOf = (n: number) => (n % 10 === 0 ? 'screen' : n % 10 < 3 ? 'write' : 'read')
    const ask = (user: TestUser, n: number) => {
      if (nameOf(n) === 'screen') return call(api, user, 'POST', `${cb}/realtime-screen`, screen)
      if (nameOf(n) === 'write') return call(api, user, 'PUT', `${cb}/strategy/${saved[n % users.length]}/remark`, { remark: `${n}` })
      const reads = ['/v1/quant/backtest/list', `${cb}/strategy/list`, '/v1/user/info', '/v1/website'] as const
      return call(api, user, 'GET', reads[n % reads.length]!)
    }
    const told: number[] = []
    const late: string[] = []
    let failed = 0
    const runners = [0, 1].map(async (k) => {
      const until = performance.now() + seconds * 1_000
      for (let n = 0; performance.now() < until; n++) {
        const stream = openStream(
          api,
          await newUser(db),
          `${cb}/advanced-backtest`,
          slowRequest('cb', { ...range, weight: 40 + 20 * k + n / 10 }),
        )
        await Promise.race([stream.ended, sleep(Math.max(0, until - performance.now()))])
        stream.close()
      }
    })
    const pending = new Set<Promise<void>>()
    const began = performance.now()
    for (let n = 0; n < rate * seconds; n++) {
      const due = began + (n * 1_000) / rate
      if (due > performance.now()) await sleep(Math.max(0, due - performance.now()))
      const since = performance.now()
      const asked = ask(users[n % users.length]!, n)
        .then(({ code }) => {
          const took = performance.now() - since
          told.push(took)
          if (took > mostLate) late.push(`${nameOf(n)} asked at ${((since - began) / 1_000).toFixed(1)} s: ${Math.round(took)} ms`)
          if (code !== 0) failed++
        })
        .catch(() => {
          failed++
        })
        .finally(() => pending.delete(asked))
      pending.add(asked)
    }
    await Promise.all([...pending, ...runners])
    return { answered: told.length, failed, ms: told, late }
  }
} finally {
  await postgres.stop()
}
process.exit(figures.end())

function ms(values: readonly number[], share: number): string {
  return `${Math.round(quantile(values, share))} ms`
}
