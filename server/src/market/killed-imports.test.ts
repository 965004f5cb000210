import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testCode } from '../../test/code.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { smallTable } from '../../test/small-table.ts'
import { listen } from '../db/connect.ts'
import { tradingDays } from './calendar.ts'
import { Random } from './demo/random.ts'
import { loadPanel } from './panels.ts'
import { marketFolder, newestSnapshot, snapshotPath, sweep } from './snapshot.ts'

/** `KILLS=200 npx vitest run killed-imports` for the long proof. */
const kills = Number(process.env['KILLS'] ?? 10)
/** More and later ones, until one has fallen into an import and one import has come to its end: how far it is by then, the machine decides. */
const most = kills * 3
const patience = (kill: number) => 1 + Math.max(0, kill - kills)
const timeout = 30_000 + 6_000 * kills

let database: TestDatabase
let dataDir: string
beforeEach(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-kills-'))
  return async () => {
    await database.drop()
    await rm(dataDir, { recursive: true })
  }
})
let child: ChildProcess | null = null
afterEach(() => child?.kill('SIGKILL'))

/** Publishes one snapshot after the other, whole ones or day after day, until it is killed. */
async function publisher(how: 'publish' | 'append' = 'publish'): Promise<ChildProcess> {
  const started = fork(new URL(`../../test/${how}-forever.ts`, import.meta.url), [database.url, dataDir], {
    execArgv: [],
    env: { ...process.env, ...testCode },
  })
  child = started
  const [said] = await Promise.race([once(started, 'message'), once(started, 'exit')])
  expect(said).toBe('ready')
  return started
}

const published = async () => (await database.db.selectFrom('market_snapshot').select('folder').execute()).map((row) => row.folder)
const load = (folder: string) => loadPanel(join(marketFolder(dataDir), folder), null, 'all')

it(`${kills} imports killed at random points leave whole snapshots only`, { timeout }, async () => {
  const random = new Random(7, 'kills')
  let leftovers = 0
  for (let kill = 0; kill < kills || ((leftovers === 0 || (await published()).length === 0) && kill < most); kill++) {
    const running = await publisher()
    await sleep(random.between(0, 250 * patience(kill)))
    running.kill('SIGKILL')
    await once(running, 'exit')
    const newest = await newestSnapshot(database.db, 'cb')
    if (newest !== null) await expect(loadPanel(snapshotPath(dataDir, newest), null, 'all')).resolves.toBeDefined()
    leftovers += (await readdir(marketFolder(dataDir)).catch(() => [])).length - (await published()).length
  }
  // Every row ever published is whole, and what the dead left behind goes.
  const folders = await published()
  for (const folder of folders) await expect(load(folder)).resolves.toBeDefined()
  await sweep(database.db, dataDir)
  expect(await readdir(marketFolder(dataDir))).toHaveLength(folders.length)
  expect(folders.length).toBeGreaterThan(0)
  expect(leftovers, 'no kill fell into an import: the test proves nothing').toBeGreaterThan(0)
})

it(`${Math.ceil(kills / 2)} appends killed at random points: every snapshot has its days, whole and no others`, { timeout }, async () => {
  const random = new Random(9, 'appends')
  const table = smallTable('cb', { dates: tradingDays('2023-12-01', '2025-12-31') })
  const closes = table.columns.get('close')!.cells
  let leftovers = 0
  for (let kill = 0; kill < kills / 2 || ((leftovers === 0 || (await published()).length === 0) && kill < most); kill++) {
    const running = await publisher('append')
    await sleep(random.between(0, 150 * patience(kill)))
    running.kill('SIGKILL')
    await once(running, 'exit')
    leftovers += (await readdir(marketFolder(dataDir))).length - (await published()).length
  }
  const folders = await published()
  for (const folder of folders) {
    const { dates, columns, stride } = await load(folder)
    expect(dates).toEqual(table.dates.slice(0, dates.length))
    const close = columns.get('close')!
    // Where nothing is carried: the prices of bonds 1 and 2 of every day.
    for (let t = 3; t < dates.length; t++) for (const i of [1, 2]) expect(close[t * stride + i]).toBe(closes[t * table.stride + i])
  }
  await sweep(database.db, dataDir)
  expect(await readdir(marketFolder(dataDir))).toHaveLength(folders.length)
  expect(folders.length).toBeGreaterThan(0)
  expect(leftovers, 'no kill fell into an append: the test proves nothing').toBeGreaterThan(0)
})

it(`${kills} imports stopped the moment they publish: what is published is already whole`, { timeout }, async () => {
  let stop = () => {}
  const listening = await listen(database.url, ['market_snapshot'], () => stop())
  for (let kill = 0; kill < kills; kill++) {
    const told = new Promise<void>((resolve) => {
      stop = () => {
        child!.kill('SIGSTOP')
        resolve()
      }
    })
    const running = await publisher()
    await told
    const newest = await newestSnapshot(database.db, 'cb')
    await expect(loadPanel(snapshotPath(dataDir, newest!), null, 'all')).resolves.toBeDefined()
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  await listening.close()
})
