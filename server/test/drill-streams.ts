/**
 * `npm run drill:streams -- --kills 200 --streams 1000 --seconds 60`: streams on a PostgreSQL that flushes, an api and workers as processes
 * of their own. Prints what was seen; exit 1 when anything is lost, or a stream costs more than it may:
 *
 *   G3   compute children killed: each stream ends with one error line; nothing stuck, orphaned or counted
 *   G6   how long a mixed load of 300 requests a second waits while two runs are computed and told
 *   G9   idle streams, readers that take nothing, all gone at once: memory, and when the last handler has returned
 *   G23  how late the api's event loop comes while it answers a mixed load and two runs are computed and told
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { claimDataDir } from '../src/data-dir.ts'
import { connect } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { clusterOf, connectionStringOf, ensureCluster, startPostgres, stopPostgres } from '../src/db/postgres.ts'
import { call, newUser, openStream, startApiProcess, startWorkerProcess, type TestUser, type WorkerProcess } from './processes.ts'
import { parameters, slowRequest } from './requests.ts'
import { publishSmallMarket } from './small-market.ts'
import { at, idleStreams, killChildren, progressLatency, slowReaders, startHost } from './stream-drills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    streams: { type: 'string', default: '1000' },
    slow: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '300' },
    workers: { type: 'string', default: '3' },
  },
})
const range = { start: '2019-01-02', end: '2021-12-31' }
const cb = '/v1/quant/convertible-bond'
/** Milliseconds that one answer of a thousand may take longer than (G6). */
const mostLate = 500

const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-'))
claimDataDir(dataDir)
const probe = join(dataDir, 'loop.json')
const cluster = clusterOf(dataDir)
await ensureCluster(cluster)
const running = await startPostgres(cluster)
if (!running) throw new Error('the drill could not start its PostgreSQL')
const wrong: string[] = []
try {
  const url = connectionStringOf(running, 'postgres')
  const store = connect(url, { max: 5 })
  const { db } = store
  await migrate(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: range.start, to: range.end, securities: 120 })

  const host = await startHost(url)
  const idle = await idleStreams(host, db, Number(values.streams))
  say(
    'idle streams',
    `${idle.count} open: +${idle.grownMb.toFixed(1)} MB (goal 50 a thousand); after all had gone the last handler returned in ${Math.round(idle.settledMs)} ms`,
  )
  if (idle.grownMb > 50) wrong.push('idle streams cost too much')
  if (idle.settledMs > 1_000) wrong.push('streams whose reader had gone were served on')
  const slow = await slowReaders(host, db, Number(values.slow), 15, 200)
  say(
    'slow readers',
    `${slow.count} that take nothing of ${Math.round(slow.offeredMb)} MB in 15 s: +${slow.grownMb.toFixed(1)} MB (goal 16 a hundred)`,
  )
  if (slow.grownMb > 16) wrong.push('slow readers cost too much')
  host.close()

  const env = { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', CHECK_ANSWERS: '0' }
  const probed = `--import ${fileURLToPath(new URL('./loop-probe.ts', import.meta.url))}`
  const api = await startApiProcess({ ...env, LOOP_PROBE: probe, NODE_OPTIONS: probed })
  const workers: WorkerProcess[] = [await startWorkerProcess({ ...env, WORKER_THREADS: '2' }, db)]

  const latency = await progressLatency({ db, api, range }, 2)
  say(
    'progress',
    `${latency.events} events on ${latency.streams} streams of 2 runs: from row to reader p50 ${ms(latency.ms, 0.5)}, p99 ${ms(latency.ms, 0.99)}, most ${ms(latency.ms, 1)}`,
  )

  process.kill(api.pid, 'SIGUSR2')
  const load = await mixedLoad(Number(values.rate), Number(values.seconds))
  await sleep(300)
  const loop = JSON.parse(readFileSync(probe, 'utf8')) as Record<'p50' | 'p99' | 'most', number>
  say(
    'load',
    `${load.answered} answers at ${values.rate}/s offered with 2 runs under way: p50 ${ms(load.ms, 0.5)}, p99 ${ms(load.ms, 0.99)} (goal 200), p99.9 ${ms(load.ms, 0.999)} (goal 500); ${load.failed} failed`,
  )
  // Which they were tells what they waited for.
  for (const one of load.late.slice(0, 30)) say('late', one)
  say(
    'event loop',
    `of the api meanwhile: p50 ${loop.p50.toFixed(1)} ms, p99 ${loop.p99.toFixed(1)} ms late (goal 50), most ${loop.most.toFixed(0)} ms`,
  )
  if (loop.p99 > 50) wrong.push('the event loop of the api came late')
  if (load.failed > 0) wrong.push('answers that failed under load')
  if (at(load.ms, 0.99) > 200 || at(load.ms, 0.999) > mostLate) wrong.push('answers that came late under load')

  while (workers.length < Number(values.workers)) workers.push(await startWorkerProcess({ ...env, WORKER_THREADS: '1' }, db))
  const kills = await killChildren({ db, api, workers, range }, Number(values.kills), (done) => {
    if (done % 10 === 0) process.stderr.write(`${done} kills\n`)
  })
  const inTime = kills.errorMs.filter((each) => each <= 2_000).length
  say(
    'kills',
    `${kills.kills} of a compute child: first event p50 ${ms(kills.firstMs, 0.5)}, p99 ${ms(kills.firstMs, 0.99)} (goal 300), error line p50 ${ms(kills.errorMs, 0.5)}, most ${ms(kills.errorMs, 1)}, ${inTime} within 2 s; codes ${[...kills.codes].join(', ')}`,
  )
  if (inTime < kills.kills) wrong.push('error lines that came after more than 2 s')
  if (at(kills.firstMs, 0.99) > 300) wrong.push('streams that said nothing for long')
  wrong.push(...kills.wrong)

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
  await stopPostgres(running)
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(wrong.length === 0 ? 'wrong          nothing' : `WRONG          ${wrong.length}: ${wrong.slice(0, 10).join('; ')}`)
process.exit(wrong.length === 0 ? 0 : 1)

function say(what: string, text: string): void {
  console.log(`${what.padEnd(15)}${text}`)
}

function ms(values: readonly number[], share: number): string {
  return `${Math.round(at(values, share))} ms`
}
