/** Ingestion killed at random points: what readers see is always a whole snapshot, and in the end all days are there as if nobody had died. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { IngestBusy, ingest } from '../../src/feeds/ingest/ingest.ts'
import { Random } from '../../src/market/demo/random.ts'
import { demoTables, simulateDemo } from '../../src/market/demo.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { marketFolder, newestSnapshot, snapshotPath, sweep } from '../../src/market/snapshot.ts'
import type { MarketTable } from '../../src/market/store.ts'
import { testCode } from '../fixtures/code.ts'
import { tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { until } from '../fixtures/processes.ts'
import { marketFeed, scriptedChain } from '../stand-ins/scripted-feed.ts'

export interface Ground {
  readonly db: Kysely<Database>
  readonly url: string
  readonly dataDir: string
}

/** The model's markets, and how many of their days are to be ingested. */
export interface Script {
  readonly stk: MarketTable
  readonly cb: MarketTable
  readonly days: number
}

export interface Figures {
  kills: number
  /** Kills that fell between two publications of one day, or into the writing of one. */
  midway: number
  /** Folders that the dead left behind; all swept in the end. */
  leftovers: number
  snapshots: number
  /** Looks of a reader at the newest snapshots while ingestion ran and died. */
  looks: number
  lost: string[]
}

const kinds = ['stk', 'cb'] as const

/** @param through the model's last day: the sooner, the less history there is to write and to read */
export function makeScript(days: number, through = '2026-11-20'): Script {
  const { dates, stocks, bonds } = simulateDemo({ size: 'small', through })
  const [, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
  return { stk, cb, days }
}

export const chainOf = ({ stk, cb }: Script) => scriptedChain(marketFeed({ stk, cb }, () => stk.dates.at(-1)!))
const scriptFile = (dataDir: string): string => join(dataDir, 'script.bin')
export const readScript = async (dataDir: string): Promise<Script> => deserialize(await readFile(scriptFile(dataDir))) as Script

/** Publishes what is there before the first day that is missing. */
async function begin({ db, dataDir }: Ground, script: Script): Promise<void> {
  for (const table of ['market_snapshot', 'ingest_step', 'known_fact', 'left_out_statement'] as const) await db.deleteFrom(table).execute()
  await sweep(db, dataDir)
  for (const kind of kinds) {
    const table = tableBefore(script[kind], script[kind].dates.length - script.days)
    await publishTable({ db, dataDir }, table)
  }
}

/** Ingests the rest. The lock of a dead process goes with its session, which PostgreSQL may see a moment later. */
async function finish(deps: Ground, script: Script): Promise<void> {
  const request = { through: script.stk.dates.at(-1)!, kinds }
  const run = () => ingest({ ...deps, chain: chainOf(script), signal: new AbortController().signal }, request)
  for (;;) {
    const isDone = await run().then(
      () => true,
      (error: unknown) => {
        if (error instanceof IngestBusy) return false
        throw error
      },
    )
    if (isDone) return
    await sleep(20)
  }
}

export async function killedIngests(
  deps: Ground,
  script: Script,
  kills: number,
  onKill: (done: number) => void = () => {},
): Promise<Figures> {
  const { db, dataDir } = deps
  const random = new Random(11, 'ingest kills')
  const figures: Figures = { kills: 0, midway: 0, leftovers: 0, snapshots: 0, looks: 0, lost: [] }
  // Processes come to life while something else is done: starting takes longer than what is drilled.
  const waiting = Array.from({ length: Math.min(kills, ahead) }, () => childOf(deps))
  await begin(deps, script)
  await finish(deps, script)
  const wanted = await Promise.all(kinds.map(async (kind) => (await newestSnapshot(db, kind))!.dataVersion))
  await writeFile(scriptFile(dataDir), serialize(script))
  await begin(deps, script)
  let before = await stateOf(db)
  while (figures.kills < kills) {
    if ((await missing(deps, script)) === 0) {
      await compare(deps, wanted, figures)
      await begin(deps, script)
    }
    const { child, isReady } = waiting.shift()!
    if (figures.kills + waiting.length + 1 < kills) waiting.push(childOf(deps))
    await isReady
    child.send('go')
    // At a random point, but once at least within an ingestion, however long that takes to begin.
    const hasBegun = async () => (await stateOf(db)) !== before
    const begun = figures.midway > 0 ? null : until(hasBegun, 'something is ingested', 240_000)
    const wait = Promise.all([sleep(random.between(0, 400)), begun])
    while ((await Promise.race([wait.then(() => 'now'), look(deps, script, figures).then(() => sleep(50))])) !== 'now');
    child.kill('SIGKILL')
    await once(child, 'exit')
    figures.kills++
    const state = await stateOf(db)
    if (state !== before) figures.midway++
    before = state
    figures.leftovers += (await readdir(marketFolder(dataDir))).filter((name) => name.startsWith('.aside-')).length
    await look(deps, script, figures)
    onKill(figures.kills)
  }
  await finish(deps, script)
  await compare(deps, wanted, figures)
  const rows = await db.selectFrom('market_snapshot').select('folder').execute()
  for (const { folder } of rows) await whole(join(marketFolder(dataDir), folder), folder, figures)
  figures.snapshots = rows.length
  await sweep(db, dataDir)
  const left = (await readdir(marketFolder(dataDir))).length - rows.length
  if (left !== 0) figures.lost.push(`${left} folders that nobody names`)
  return figures
}

/** Processes that are started before they are needed. */
const ahead = 4

/** A process that waits for a word before it ingests. */
function childOf({ url, dataDir }: Ground): { child: ChildProcess; isReady: Promise<void> } {
  const child = fork(new URL('./ingest-forever.ts', import.meta.url), [url, dataDir], { env: { ...process.env, ...testCode } })
  const isReady = Promise.race([once(child, 'message'), once(child, 'exit')]).then(([said]) => {
    if (said !== 'ready') throw new Error(`the ingesting process ended: ${said}`)
  })
  // A failure is thrown where it is awaited.
  isReady.catch(() => {})
  return { child, isReady }
}

const stateOf = async (db: Ground['db']): Promise<string> =>
  JSON.stringify(
    await db
      .selectFrom('ingest_step')
      .select(['market', 'day', 'step', 'state'])
      .orderBy('market')
      .orderBy('day')
      .orderBy('step')
      .execute(),
  )

async function missing({ db }: Ground, { stk }: Script): Promise<number> {
  const last = await Promise.all(kinds.map((kind) => newestSnapshot(db, kind)))
  return last.filter((snapshot) => snapshot!.lastDate < stk.dates.at(-1)!).length
}

/** A reader takes the newest of each kind and reads it whole: its days are the first days of the model, with their prices. */
async function look({ db, dataDir }: Ground, script: Script, figures: Figures): Promise<void> {
  for (const kind of kinds) {
    const snapshot = (await newestSnapshot(db, kind))!
    const panel = await whole(snapshotPath(dataDir, snapshot), snapshot.folder, figures)
    if (!panel) continue
    const table = script[kind]
    const t = panel.dates.length - 1
    const told = table.columns.get('close')!.cells
    const found = panel.columns.get('close')!
    const isSame = table.securities.every((security, i) => {
      const place = panel.securities.findIndex(({ code }) => code === security.code)
      return table.traded[t * table.stride + i] === 0 || (place >= 0 && found[t * panel.stride + place] === told[t * table.stride + i])
    })
    if (panel.dates.at(-1) !== table.dates[t] || panel.dates.at(-1) !== snapshot.lastDate || !isSame)
      figures.lost.push(`${snapshot.folder} is not the model's ${snapshot.lastDate}`)
  }
  figures.looks++
}

const whole = (path: string, folder: string, figures: Figures) =>
  loadPanel(path, null, 'all').catch((error: Error) => {
    figures.lost.push(`${folder}: ${error.message}`)
    return null
  })

async function compare({ db }: Ground, wanted: readonly string[], figures: Figures): Promise<void> {
  for (const [k, kind] of kinds.entries()) {
    const { dataVersion } = (await newestSnapshot(db, kind))!
    if (dataVersion !== wanted[k]) figures.lost.push(`${dataVersion} instead of ${wanted[k]}`)
  }
}
