import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request as http, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { type Api, childrenOf, isAlive, newUser, openStream, type TestUser, until, type WorkerProcess } from '../fixtures/processes.ts'
import { slowRequest } from '../fixtures/requests.ts'
import { statusOf } from '../fixtures/run-rows.ts'
import type { HostFigures } from './stream-host.ts'

// What streams cost and how they end (reliability.md 5, G3 and G9): small in `npm test`, whole by `npm run drill:streams`.

/** Of one user at once. */
const perUser = 10

export interface Host {
  readonly address: string
  /** After a garbage collection. */
  figures(): Promise<HostFigures>
  /** Handlers that have not returned. */
  live(): Promise<number>
  close(): void
}

/** An api process of its own whose memory is measured (stream-host.ts). */
export async function startHost(databaseUrl: string): Promise<Host> {
  const child = fork(fileURLToPath(new URL('./stream-host.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [first] = (await once(child, 'message')) as [{ address: string }]
  const ask = async (what: 'figures' | 'live') => {
    const answered = once(child, 'message') as Promise<[{ figures: HostFigures }]>
    child.send(what)
    return (await answered)[0].figures
  }
  return {
    address: first.address,
    figures: () => ask('figures'),
    live: async () => (await ask('live')).live,
    close: () => child.disconnect(),
  }
}

/** Opens a stream and resolves with its first bytes; `read` false: nothing after them is ever taken. */
function open(address: string, path: string, user: TestUser, every: number, read: boolean): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const asked = http(`${address}${path}`, {
      method: 'POST',
      agent: false,
      headers: { 'access-token': user.token, 'content-type': 'application/json', accept: 'text/event-stream' },
    })
    asked.on('error', reject)
    asked.on('response', (response: IncomingMessage) => {
      response.on('error', () => {})
      response.once('data', () => {
        if (!read) response.pause()
        resolve({ destroy: () => response.destroy() })
      })
    })
    asked.end(JSON.stringify({ every }))
  })
}

async function openMany(host: Host, db: Kysely<Database>, path: string, count: number, every: number, read: boolean) {
  const users: TestUser[] = []
  while (users.length * perUser < count) users.push(await newUser(db))
  const opened: { destroy(): void }[] = []
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, k) => users[Math.floor((from + k) / perUser)]!)
    opened.push(...(await Promise.all(some.map((user) => open(host.address, path, user, every, read)))))
  }
  return opened
}

/** So many streams that say nothing, then all of them gone at random moments of half a second. */
export async function idleStreams(host: Host, db: Kysely<Database>, count: number) {
  // A first few: what the first of its kind costs is no stream's.
  for (const one of await openMany(host, db, '/v1/t/idle', 20, 1, true)) one.destroy()
  await until(async () => (await host.live()) === 0, 'the first are gone')
  const before = await host.figures()
  const streams = await openMany(host, db, '/v1/t/idle', count, 1, true)
  const during = await host.figures()
  await Promise.all(streams.map((one) => sleep(Math.random() * 500).then(() => one.destroy())))
  const since = performance.now()
  await until(async () => (await host.live()) === 0, 'every handler has returned')
  return { count: during.live, grownMb: during.rssMb - before.rssMb, settledMs: performance.now() - since }
}

/** Readers that take nothing, offered 60 KB each every so many milliseconds. */
export async function slowReaders(host: Host, db: Kysely<Database>, count: number, seconds: number, every: number) {
  const before = await host.figures()
  const streams = await openMany(host, db, '/v1/t/flood', count, every, false)
  let mostMb = 0
  for (let second = 0; second < seconds * 2; second++) {
    await sleep(500)
    mostMb = Math.max(mostMb, (await host.figures()).rssMb)
  }
  for (const one of streams) one.destroy()
  await until(async () => (await host.live()) === 0, 'every handler has returned')
  return { count, offeredMb: (count * seconds * 60) / every, grownMb: mostMb - before.rssMb }
}

/** How a compute child dies. */
const deaths = ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT'] as const

export interface KillFigures {
  kills: number
  /** From the request to its first event. */
  firstMs: number[]
  errorMs: number[]
  codes: Set<number>
  /** Streams without their one error line, runs without an end, uses not given back, processes without a parent. */
  wrong: string[]
}

/** Runs that are computed, and the child that computes each of them killed; `workers` take turns so that starting again costs less. */
export async function killChildren(
  deps: { db: Kysely<Database>; api: Api; workers: readonly WorkerProcess[]; range: { start: string; end: string } },
  kills: number,
  onKill: (done: number) => void = () => {},
): Promise<KillFigures> {
  const { db, api, workers, range } = deps
  const figures: KillFigures = { kills: 0, firstMs: [], errorMs: [], codes: new Set(), wrong: [] }
  const dead = new Set<number>()
  for (let tries = 0; figures.kills < kills; tries++) {
    if (tries === 5 * kills + 5) throw new Error(`only ${figures.kills} of ${tries} kills met a run that was still computed`)
    const kill = figures.kills
    const user = await newUser(db)
    const askedAt = performance.now()
    const stream = openStream(
      api,
      user,
      '/v1/quant/convertible-bond/advanced-backtest',
      slowRequest('cb', { ...range, weight: (kill + 1) / 10 }),
    )
    await stream.first('queued')
    figures.firstMs.push(stream.told[0]!.at - askedAt)
    const { run_id: id } = await stream.first('stage')
    const runId = String(id)
    const row = await db.selectFrom('backtest_run').select('worker_id').where('id', '=', runId).executeTakeFirstOrThrow()
    const worker = workers.find(({ processId }) => processId === row.worker_id)
    const [child] = worker ? childrenOf(worker.pid) : []
    if (!child) throw new Error('a run that nobody computes')
    await sleep(Math.random() * 150)
    const killedAt = performance.now()
    process.kill(child, deaths[kill % deaths.length])
    dead.add(child)
    const last = await stream.ended
    // The run was done before its child died: another one is killed instead.
    if (last.kind === 'event' && last.event.type === 'result') continue
    figures.kills++
    if (last.kind === 'error') {
      figures.errorMs.push(last.at - killedAt)
      figures.codes.add(last.code)
    } else figures.wrong.push(`kill ${kill}: a stream that ends with ${JSON.stringify(last)}`)
    if (stream.told.filter((one) => one.kind === 'error').length > 1) figures.wrong.push(`kill ${kill}: two ends`)
    await until(async () => (await statusOf(db, runId)) > 1, 'the run has ended', 5_000).catch(() =>
      figures.wrong.push(`kill ${kill}: a run without an end`),
    )
    const used = await db
      .selectFrom('quota_use')
      .select('used')
      .where('user_id', '=', user.id)
      .where('item', '=', 'backtest')
      .executeTakeFirst()
    if (used?.used !== 0) figures.wrong.push(`kill ${kill}: a use that was not given back`)
    onKill(kill + 1)
  }
  for (const pid of dead) if (isAlive(pid)) figures.wrong.push(`process ${pid} is still there`)
  return figures
}

/** Progress of runs on many streams at once: milliseconds from its row to its reader. */
export async function progressLatency(
  deps: { db: Kysely<Database>; api: Api; range: { start: string; end: string } },
  runs: number,
): Promise<{ streams: number; events: number; ms: number[] }> {
  const { db, api, range } = deps
  const path = '/v1/quant/convertible-bond/advanced-backtest'
  // Of one click all streams of its user show the same run.
  const groups = await Promise.all(
    Array.from({ length: runs }, async (_, k) => {
      const user = await newUser(db)
      const body = { ...slowRequest('cb', { ...range, weight: 30 + k }), client_run_id: `drill-${k}` }
      return Array.from({ length: perUser }, () => openStream(api, user, path, body))
    }),
  )
  const streams = groups.flat()
  // The clocks of this machine and of its database are one.
  const offset = Date.now() - performance.now()
  const ids = await Promise.all(groups.map(async ([first]) => String((await first!.first('queued'))['run_id'])))
  await Promise.race([
    Promise.all(
      groups
        .slice(0, 1)
        .flat()
        .map((one) => one.ended),
    ),
    sleep(60_000),
  ])
  for (const one of streams) one.close()
  await Promise.all(streams.map((one) => one.ended))
  const rows = await db.selectFrom('run_event').select(['run_id', 'payload', 'created_at']).where('run_id', 'in', ids).execute()
  const writtenAt = new Map<string, number>()
  for (const { run_id, payload, created_at } of rows) {
    const event = payload as Record<string, unknown>
    if (event['type'] === 'progress') writtenAt.set(`${run_id} ${event['date']}`, created_at.getTime())
  }
  const ms = streams.flatMap(({ told }) =>
    told.flatMap((one) => {
      if (one.kind !== 'event' || one.event.type !== 'progress') return []
      const written = writtenAt.get(`${one.event['run_id']} ${one.event['date']}`)
      return written === undefined ? [] : [Math.max(0, one.at + offset - written)]
    }),
  )
  return { streams: streams.length, events: ms.length, ms }
}
