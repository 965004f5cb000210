/**
 * `npm run chaos -- --kills 200`: the whole product as `npm start` runs it, users who backtest, an operator who imports; and kill -9
 * of api, worker, compute child and import, one after the other. Prints figures beside their goals; status 1 when anything was lost:
 *
 *   half-written snapshots, runs without an end, streams without a word, processes without a parent: 0 of each.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Report } from '@convexa/contract'
import type { Kysely } from 'kysely'
import { freePort } from '../../../scripts/free-port.mjs'
import { entryFile } from '../../src/base/program-files.ts'
import { connect } from '../../src/db/connect.ts'
import { runningEmbedded } from '../../src/db/embedded.ts'
import type { Database } from '../../src/db/tables.ts'
import { tradingDays } from '../../src/market/calendar.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { marketFolder } from '../../src/market/snapshot.ts'
import { start as convexa } from '../fixtures/command-line.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { generator } from '../fixtures/generator.ts'
import { call, childrenOf, isAlive, newUser, openStream, type Stream, type Told, until } from '../fixtures/processes.ts'
import { request, slowRequest } from '../fixtures/requests.ts'
import { readDrillOptions } from './drill-options.ts'

const { kills, seed } = readDrillOptions({ kills: { whole: 200, quick: 9 }, seed: { whole: 1, quick: 1 } })
const victims = ['worker', 'compute child', 'api'] as const
const range = { start: '2019-01-02', end: '2021-12-31' }
const path = '/v1/quant/convertible-bond/advanced-backtest'

const random = generator(seed)
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-chaos-'))
const env = { DATA_DIR: dataDir, PORT: String(await freePort()), HOST: '127.0.0.1', LOG_LEVEL: 'silent' }
const api = { address: `http://127.0.0.1:${env.PORT}` }
const processes = new Set<number>()
const seen = {
  kills: { worker: 0, 'compute child': 0, api: 0, import: 0 },
  errorMs: [] as number[],
  readyMs: [] as number[],
  streams: { result: 0, error: 0, cut: 0 },
  imports: { published: 0, killed: 0 },
  snapshots: 0,
  lost: [] as string[],
}

const launcher = await launch()
const store = connect((await runningEmbedded(dataDir)) ?? '', { max: 3 })
const { db } = store
let slowCount = 0
try {
  await importMarket(0).ended
  const expected = await navOf()
  for (let round = 0; round < kills; round++) await oneRound(round, victims[round % victims.length]!, expected)
} finally {
  await checkSnapshots(db)
  await store.close()
  launcher.kill('SIGTERM')
  await once(launcher, 'exit')
}
await sleep(500)
const orphans = [...processes].filter(isAlive)
for (const pid of orphans) lost(`process ${pid} is still there`)
const figures = openFigures()
figures.fact(
  'kills',
  Object.entries(seen.kills)
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
)
figures.fact('error line', `${spread(seen.errorMs)} after the kill`)
figures.fact('ready again', spread(seen.readyMs))
figures.fact('streams', `${seen.streams.result} results, ${seen.streams.error} error lines, ${seen.streams.cut} broken off with their api`)
figures.fact('imports', `${seen.imports.published} published, ${seen.imports.killed} killed; ${seen.snapshots} snapshots read whole`)
figures.fact('folders aside for the next sweep', readdirSync(marketFolder(dataDir)).filter((name) => name.startsWith('.aside')).length)
figures.goal('kills done', String(seen.readyMs.length), String(kills), seen.readyMs.length === kills)
figures.none('half-written snapshots, runs without an end, streams without a word, processes without a parent', seen.lost)
rmSync(dataDir, { recursive: true, force: true })
process.exit(figures.end())

/** Streams and an import are under way; the victim dies at a random moment; everything must be as if it had not, or say so. */
async function oneRound(round: number, victim: (typeof victims)[number], expected: string): Promise<void> {
  const users = await Promise.all([1, 2].map(() => newUser(db)))
  const streams = users.map((user) => openStream(api, user, path, slowRequest('cb', { ...range, weight: 1 + ++slowCount / 1_000 })))
  await Promise.all(streams.map((stream) => stream.first('stage')))
  const importing = importMarket(round + 1)
  const importKill = random() < 0.5 ? sleep(random() * 2_500).then(() => importing.child.kill('SIGKILL')) : null
  await sleep(random() * 800)

  const pid = pidOf(victim)
  const children = childrenOf(pid)
  for (const one of [pid, ...children]) processes.add(one)
  const killedAt = performance.now()
  process.kill(pid, 'SIGKILL')
  seen.kills[victim]++
  await checkStreams(streams, victim, killedAt)
  await until(async () => (await fetch(`${api.address}/readyz`).catch(() => null))?.status === 200, 'ready again', 30_000)
  seen.readyMs.push(performance.now() - killedAt)
  await until(async () => !children.some(isAlive), 'children of the dead have ended', 2_000).catch(() => lost(`round ${round}: an orphan`))

  if (importKill && (await importKill)) seen.kills.import++
  const { exit } = await importing.ended
  if (exit === 0) seen.imports.published++
  else seen.imports.killed++

  for (const stream of streams) stream.close()
  await until(async () => (await openRuns(db)).length === 0, 'every run has ended', 10_000).catch(async () =>
    lost(`round ${round}: runs without an end: ${(await openRuns(db)).join()}`),
  )
  if ((await navOf()) !== expected) lost(`round ${round}: another result than before`)
  await checkSnapshots(db)
  process.stderr.write(`round ${round + 1}/${kills}: ${victim} killed, ready after ${Math.round(seen.readyMs.at(-1)!)} ms\n`)
}

/** A dead worker or child ends its streams within 2 s by one error line; a dead api breaks its streams off. */
async function checkStreams(streams: Stream[], victim: string, killedAt: number): Promise<void> {
  const words = await Promise.all(streams.map((stream) => Promise.race([stream.ended, sleep(2_500).then(() => null)])))
  for (const [i, word] of words.entries()) {
    const told = streams[i]!.told
    const terminal = told.filter(isTerminal)
    if (terminal.length > 1) lost('a stream with two ends')
    if (word === null) {
      // It is computed by nobody who died, or it is lost.
      const runId = told.find((one) => one.kind === 'event')?.event['run_id']
      const row = await db
        .selectFrom('backtest_run as r')
        .innerJoin('process as p', 'p.id', 'r.worker_id')
        .select('r.status')
        .where('r.id', '=', String(runId))
        .executeTakeFirst()
      if (row?.status !== 1 || victim !== 'api') lost(`a stream without a word after ${victim} died`)
      continue
    }
    seen.streams[word.kind === 'event' ? 'result' : word.kind]++
    if (word.kind === 'error' && word.at > killedAt) seen.errorMs.push(word.at - killedAt)
    if (word.kind === 'cut' && victim !== 'api') lost(`a stream broke off when ${victim} died`)
  }
}

function isTerminal(one: Told): boolean {
  return one.kind === 'error' || (one.kind === 'event' && one.event.type === 'result')
}

/** Every snapshot that a row names can be read whole, checksums and all. */
async function checkSnapshots(db: Kysely<Database>): Promise<void> {
  const rows = await db.selectFrom('market_snapshot').select(['folder', 'kind']).where('kind', '!=', 'index').execute()
  for (const { folder } of rows) {
    await loadPanel(join(marketFolder(dataDir), folder), null, 'all').catch((error) => lost(`half-written snapshot ${folder}: ${error}`))
  }
  seen.snapshots = rows.length
}

async function openRuns(db: Kysely<Database>): Promise<string[]> {
  return (await db.selectFrom('backtest_run').select('id').where('status', 'in', [0, 1]).execute()).map(({ id }) => id)
}

/** The net values of one rule on whatever is loaded: all imports hold the same numbers. */
async function navOf(): Promise<string> {
  const user = await newUser(db)
  const last = await openStream(api, user, path, request('cb', { factor: 'conv_prem', ...range })).ended
  if (last.kind !== 'event') return JSON.stringify(last)
  const { data } = await call<Report>(api, user, 'GET', `/v1/quant/convertible-bond/backtest/${last.event['backtest_id']}/detail/report`)
  return JSON.stringify(data.curves.nav)
}

/** A file of a made-up market; `extra` days at its end make each import a snapshot of its own. */
function importMarket(extra: number) {
  const file = join(dataDir, `bonds-${extra}.csv`)
  const mapping = join(dataDir, 'mapping.json')
  const walk = generator(7)
  const dates = [...tradingDays(range.start, range.end), ...tradingDays('2022-01-01', '2022-12-31').slice(0, extra)]
  const prices = Array.from({ length: 120 }, () => 100)
  const lines = dates.flatMap((date) =>
    prices.map((price, i) => {
      const close = price * (1 + 0.03 * (walk() - 0.498))
      prices[i] = close
      return `${date},${123_001 + i}.SZ,${price.toFixed(3)},${close.toFixed(3)},${(0.5 * walk()).toFixed(4)}`
    }),
  )
  writeFileSync(file, `${['date,code,open,close,premium', ...lines].join('\n')}\n`)
  writeFileSync(mapping, JSON.stringify({ code: 'code', date: 'date', fields: { open: 'open', close: 'close', conv_prem: 'premium' } }))
  const started = convexa({ DATA_DIR: dataDir }, 'import', 'cb', file, '--mapping', mapping)
  processes.add(started.child.pid!)
  const ended = started.ended.then((ran) => {
    rmSync(file, { force: true })
    if (ran.exit !== 0 && ran.exit !== null) lost(`an import failed: ${ran.err}`)
    return ran
  })
  return { child: started.child, ended }
}

async function launch(): Promise<ChildProcess> {
  const main = entryFile('main')
  const child = fork(main, [], { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  processes.add(child.pid!)
  try {
    await until(async () => (await fetch(`${api.address}/readyz`).catch(() => null))?.status === 200, 'the product is ready', 300_000)
  } catch (error) {
    // What was started with it, a database too, is put away by the launcher alone.
    child.kill('SIGTERM')
    await once(child, 'exit')
    throw error
  }
  for (const pid of childrenOf(child.pid!)) processes.add(pid)
  return child
}

function pidOf(victim: (typeof victims)[number]): number {
  const role = victim === 'compute child' ? 'worker' : victim
  const found = childrenOf(launcher.pid!).find((pid) => {
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout.trim().endsWith(`${basename(entryFile('main'))} ${role}`)
  })
  if (!found) throw new Error(`no ${role}`)
  if (victim !== 'compute child') return found
  const [child] = childrenOf(found)
  if (!child) throw new Error('no compute child')
  return child
}

function lost(what: string): void {
  seen.lost.push(what)
  process.stderr.write(`LOST: ${what}\n`)
}

function spread(all: readonly number[]): string {
  const at = (share: number) => Math.round(quantile(all, share))
  return all.length === 0 ? 'none' : `median ${at(0.5)} ms, at most ${at(1)} ms (${all.length})`
}
