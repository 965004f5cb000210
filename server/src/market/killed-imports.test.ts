import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testCode } from '../../test/fixtures/code.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { smallTable } from '../../test/fixtures/market/small-table.ts'
import { until } from '../../test/fixtures/processes.ts'
import { tradingDays } from './calendar.ts'
import { Random } from './demo/random.ts'
import { loadPanel } from './panels.ts'
import { marketFolder, newestSnapshot, snapshotPath, sweep } from './snapshot.ts'

/** `npm run chaos:imports` is the long proof. */
const kills = Number(process.env['KILLS'] ?? 2)
const timeout = 240_000 + 6_000 * kills

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
  const started = fork(new URL(`../../test/drills/${how}-forever.ts`, import.meta.url), [database.url, dataDir], {
    execArgv: [],
    env: { ...process.env, ...testCode },
  })
  child = started
  const [said] = await Promise.race([once(started, 'message'), once(started, 'exit')])
  expect(said).toBe('ready')
  return started
}

const published = async () => (await database.db.selectFrom('market_snapshot').select('folder').execute()).map((row) => row.folder)
/** Folders that no row names, but for those that another process wrote aside: of an import that is under way, or was when its process died. */
async function unnamed({ pid }: ChildProcess): Promise<number> {
  const names = await readdir(marketFolder(dataDir)).catch(() => [])
  const whole = new Set(await published())
  return names.filter((name) => (name.startsWith('.aside-') ? name.includes(`-${pid}-`) : !whole.has(name))).length
}
const load = (folder: string) => loadPanel(join(marketFolder(dataDir), folder), null, 'all')

/** Kills it in the middle of an import, whichever moment that is, once so many more have been published. */
async function killWithin(running: ChildProcess, more: number): Promise<void> {
  const whole = (await published()).length + more
  for (;;) {
    await until(async () => (await published()).length >= whole && (await unnamed(running)) > 0, 'an import is under way', timeout)
    // It may have come to its end since: what counts is what is there once the process stands.
    running.kill('SIGSTOP')
    if ((await unnamed(running)) > 0) break
    running.kill('SIGCONT')
  }
  const ended = once(running, 'exit')
  running.kill('SIGKILL')
  await ended
}

it(`${kills} imports killed midway leave whole snapshots only`, { timeout }, async () => {
  const random = new Random(7, 'kills')
  for (let kill = 0; kill < kills; kill++) {
    const running = await publisher()
    await killWithin(running, kill === 0 ? 1 : Math.floor(random.between(0, 3)))
    expect(await unnamed(running)).toBe(1)
    const newest = await newestSnapshot(database.db, 'cb')
    await expect(loadPanel(snapshotPath(dataDir, newest!), null, 'all')).resolves.toBeDefined()
  }
  // Every row ever published is whole, and what the dead left behind goes.
  const folders = await published()
  for (const folder of folders) await expect(load(folder)).resolves.toBeDefined()
  await sweep(database.db, dataDir)
  expect(await readdir(marketFolder(dataDir))).toHaveLength(folders.length)
})

it(`${Math.ceil(kills / 2)} appends killed midway: every snapshot has its days, whole and no others`, { timeout }, async () => {
  const random = new Random(9, 'appends')
  const table = smallTable('cb', { dates: tradingDays('2023-12-01', '2025-12-31') })
  const closes = table.columns.get('close')!.cells
  for (let kill = 0; kill < kills / 2; kill++)
    await killWithin(await publisher('append'), kill === 0 ? 1 : Math.floor(random.between(0, 3)))
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
})

it(`${Math.ceil(kills / 2)} imports stopped the moment they publish: what is published is already whole`, { timeout }, async () => {
  let stop = () => {}
  const listening = await database.session.listen('market_snapshot', () => stop())
  for (let kill = 0; kill < kills / 2; kill++) {
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
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  await listening.close()
})
