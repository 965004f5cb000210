/**
 * `npm run drill:restore`: a site with users, runs and a market is backed up while it is written to, destroyed (kill −9 of everything, its folder
 * removed) and restored; then backups and restores are killed (−9) at random, and backups are damaged. Prints RPO, RTO and what was seen; exit 1
 * where a goal does not hold. Orders and the bill of WeChat are not among what it has.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupInfo } from '../../src/backup/backup-info.ts'
import { planRestore } from '../../src/backup/restore-plan.ts'
import { connect, type Store } from '../../src/db/connect.ts'
import { runningEmbedded } from '../../src/db/embedded.ts'
import { clusterOf } from '../../src/db/postgres.ts'
import { folderStore } from '../../src/store/folder-store.ts'
import { openSession } from '../../src/user/sessions.ts'
import { readDrillOptions } from '../drills/drill-options.ts'
import { fillSite } from '../drills/moving/fill-site.ts'
import { password, withPassword } from '../fixtures/account.ts'
import { start } from '../fixtures/command-line.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { generator } from '../fixtures/generator.ts'
import { openStream, rawCall, type TestUser, until } from '../fixtures/processes.ts'
import { request } from '../fixtures/requests.ts'
import { startSite } from './backed-up-site.ts'

const given = readDrillOptions({
  runs: { whole: 20_000, quick: 1_500 },
  seconds: { whole: 180, quick: 65 },
  kills: { whole: 50, quick: 3 },
  seed: { whole: 1, quick: 1 },
})
const random = generator(given.seed)
const figures = openFigures()
const place = mkdtempSync(join(tmpdir(), 'convexa-restore-'))
const inPlace = (name: string) => join(place, name)
const dataDir = inPlace('site')
const backups = `file://${inPlace('backups')}`
const secretKey = 'the key of the site of this drill, kept apart'
const env = { DATA_DIR: dataDir, BACKUP_URL: backups, SECRET_KEY: secretKey, ENV_FILE: 'off' }
const convexa = (...args: string[]) => start(env, ...args)
const cb = '/v1/quant/convertible-bond'

/** The answers of a site that may just have started: its worker may still read the market. */
async function reports(of: { address: string }, user: TestUser, paths: readonly string[]): Promise<{ text: string }[]> {
  const found: { text: string }[] = []
  for (const path of paths) {
    let answer = await rawCall(of, user, path, {})
    await until(async () => {
      if (answer.status !== 200) answer = await rawCall(of, user, path, {})
      return answer.status === 200
    }, `an answer of ${path}`)
    found.push(answer)
  }
  return found
}

const names = (): string[] => (existsSync(inPlace('backups/base')) ? readdirSync(inPlace('backups/base')).filter(isWhole) : [])
let site: Awaited<ReturnType<typeof startSite>> | null = null
try {
  const demo = await convexa('demo', '--size', 'small').ended
  if (demo.exit !== 0) throw new Error(demo.err)
  site = await startSite(env)
  let store = connect(await site.url(), { statementTimeoutMs: 600_000 })
  await fillSite(store.db, given.runs)
  const { id, account } = await withPassword(store.db)
  const user: TestUser = { id, token: (await openSession(store.db, { id, is_demo: false }, null)).access_token }
  const run = await finishedRun(site.address, user)
  const paths = [`${cb}/backtest/${run}/detail/report`, `${cb}/backtest/${run}/detail/report?parts=core`]
  const shown = await reports(site, user, paths)
  const expected = await contents(store)

  // Written to all the time: a backup in the middle, and the segments as they come in.
  const log = writeDown(store)
  const arrivals = watchArrivals()
  await sleep(5_000)
  const backedUp = await convexa('backup', '--fast').ended
  figures.goal('exit of the backup', String(backedUp.exit), '0', backedUp.exit === 0)
  await sleep(given.seconds * 1_000)
  const destroyedAt = Date.now()
  const written = await log.end()
  const came = arrivals.end()
  await store.close()
  await site.destroy()
  const bytes = sizeOf(dataDir)
  rmSync(dataDir, { recursive: true, force: true })

  const began = performance.now()
  const restored = await convexa('restore', backups).ended
  const rto = (performance.now() - began) / 1_000
  figures.goal('exit of the restore', String(restored.exit), '0', restored.exit === 0)
  if (restored.exit !== 0) throw new Error(restored.err)
  console.log(restored.out.trim().split('\n').slice(-1).join('\n'))
  site = await startSite(env)
  store = connect(await site.url(), { statementTimeoutMs: 600_000 })

  const { rows: kept } = await store.pool.query<{ n: number }>(
    `select substring(account from 3)::int as n from app_user where account like 'w-%' order by 1`,
  )
  const last = kept.at(-1)?.n ?? -1
  figures.none('acknowledged rows missing before the last restored one', last + 1 - kept.length)
  figures.atMost('lost: from the last restored row to the end of the site', (destroyedAt - (written[last]?.at ?? 0)) / 1_000, 300, 's')
  const delays = written.flatMap(({ at, segment }) => {
    const there = came.get(segment)
    return there === undefined ? [] : [(there - at) / 1_000]
  })
  figures.atMost(`RPO (from a write to its place in the backup, p99 of ${delays.length})`, quantile(delays, 0.99), 300, 's')
  figures.fact('RPO beside its goal of 90 s', `${quantile(delays, 0.5).toFixed(0)} s p50, ${quantile(delays, 1).toFixed(0)} s at most`)
  const perSecond = bytes / rto
  figures.fact('RTO', `${rto.toFixed(1)} s, ${(bytes / 1e9).toFixed(3)} GB, ${(perSecond / 1e6).toFixed(0)} MB/s`)
  figures.atMost('RTO of 10 GB, extrapolated from these bytes', 10e9 / perSecond / 60, 10, 'min')
  const now = await contents(store)
  figures.none(
    'tables whose rows or checksum differ',
    [...expected].filter(([table, hash]) => now.get(table) !== hash).map(([table]) => table),
  )
  figures.fact('tables compared', expected.size)
  const login = await fetch(`${site.address}/v1/authorize/access-token/by-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password }),
  })
  figures.goal('login by password', String(login.status), '200', login.status === 200)
  const again = await reports(site, user, paths)
  figures.none(
    'reports that are not byte-equal',
    again.flatMap(({ text }, k) => differenceOf(dataOf(shown[k]!.text), dataOf(text)) ?? []),
  )

  // A restored site is backed up on its own timeline at once.
  const before = names().length
  await until(
    async () => names().length > before || names().some((name) => timelineOf(name) === 2),
    'the restored site is backed up',
    300_000,
  )
  await killBackups()
  await store.close()
  await site.stop()
  site = null
  await killRestores()
  await damage()
} finally {
  await site?.destroy()
  for (const name of ['site', 'again', 'again.part'])
    if (existsSync(inPlace(name))) rmSync(clusterOf(inPlace(name)).privateFolder, { recursive: true, force: true })
  rmSync(place, { recursive: true, force: true })
}
process.exit(figures.end())

function isWhole(name: string): boolean {
  return existsSync(inPlace(`backups/base/${name}/backup.json`))
}

function timelineOf(name: string): number {
  return infoOf(name).timeline
}

function infoOf(name: string): Pick<BackupInfo, 'timeline' | 'last_segment'> {
  const outer = JSON.parse(readFileSync(inPlace(`backups/base/${name}/backup.json`), 'utf8')) as { info: string }
  return JSON.parse(outer.info)
}

/** The first place where two answers differ. */
function differenceOf(a: unknown, b: unknown, path = ''): string | null {
  if (JSON.stringify(a) === JSON.stringify(b)) return null
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${path}: ${JSON.stringify(a)}, then ${JSON.stringify(b)}`
  const [left, right] = [a, b] as Record<string, unknown>[]
  const keys = new Set([...Object.keys(left!), ...Object.keys(right!)])
  for (const key of keys) {
    const found = differenceOf(left![key], right![key], `${path}.${key}`)
    if (found) return found
  }
  return `${path}: the order of members`
}

/** Without what differs from call to call. */
function dataOf(text: string): unknown {
  return (JSON.parse(text) as { data: unknown }).data
}

async function finishedRun(address: string, user: TestUser): Promise<string> {
  const stream = openStream({ address }, user, `${cb}/advanced-backtest`, request('cb', { start: '2025-01-02', end: '2026-06-30' }))
  const ended = await stream.ended
  if (ended.kind !== 'event') throw new Error(`the run did not end well: ${JSON.stringify(ended)}`)
  return String(ended.event['backtest_id'])
}

/** Of tables that nobody writes to any more: rows and a digest over them. */
async function contents({ pool }: Store): Promise<Map<string, string>> {
  const tables = {
    backtest_run: 'true',
    run_core: 'true',
    market_snapshot: 'true',
    audit: `action = 'drill'`,
    app_user: `account like 'user-%'`,
    user_contact: 'true',
    strategy: 'true',
    custom_factor: 'true',
    report_share: 'true',
    vip_order: 'true',
    payment: 'true',
    secret_check: 'true',
  }
  const all = new Map<string, string>()
  for (const [table, which] of Object.entries(tables)) {
    const { rows } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${table} t where ${which}`,
    )
    all.set(table, rows[0]!.hash)
  }
  return all
}

interface Write {
  /** When it was acknowledged. */
  readonly at: number
  readonly segment: string
}

/** A row each 50 ms, and where in the WAL it is. */
function writeDown({ pool }: Store): { end(): Promise<readonly Write[]> } {
  const written: Write[] = []
  let isOver = false
  const done = (async () => {
    for (let n = 0; !isOver; n++) {
      await pool.query(`insert into app_user (id, account, nickname) values (gen_random_uuid(), $1, 'w')`, [`w-${n}`])
      const at = Date.now()
      const { rows } = await pool.query<{ segment: string }>('select pg_walfile_name(pg_current_wal_lsn()) as segment')
      written.push({ at, segment: rows[0]!.segment })
      await sleep(50)
    }
  })()
  return {
    async end() {
      isOver = true
      await done
      return written
    },
  }
}

function watchArrivals(): { end(): Map<string, number> } {
  const came = new Map<string, number>()
  const folder = inPlace('backups/wal/00000001')
  const timer = setInterval(() => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) if (!came.has(name)) came.set(name, Date.now())
  }, 200)
  return {
    end() {
      clearInterval(timer)
      return came
    },
  }
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size
  }
  return bytes
}

/** What is there after a killed backup is whole, and what was there before still is. */
async function killBackups(): Promise<void> {
  const place = { objects: folderStore(inPlace('backups')), secrets: { secretKey, oldSecretKey: null, dataDir } }
  const usual = performance.now()
  await convexa('backup', '--fast').ended
  const took = performance.now() - usual
  let [kills, wrong] = [0, 0]
  for (let round = 0; round < given.kills; round++) {
    const before = names()
    const { child, ended } = convexa('backup', '--fast')
    await Promise.race([sleep(random() * took), ended])
    child.kill('SIGKILL')
    if ((await ended).exit !== 0) kills++
    if (!before.every((name) => names().includes(name))) wrong++
    await planRestore(place, { toTime: null, base: null, timeline: 2, skipDamaged: false }).catch(() => wrong++)
  }
  const last = await convexa('backup', '--fast').ended
  figures.goal('backups killed before their end', String(kills), `≥ ${Math.ceil(given.kills / 2)}`, kills >= given.kills / 2)
  figures.none('killed backups after which one was missing or could not be restored', wrong)
  figures.goal('exit of the backup after them', String(last.exit), '0', last.exit === 0)
}

async function killRestores(): Promise<void> {
  const into = inPlace('again')
  const restore = () => convexa('restore', backups, '--into', into, '--timeline', '2')
  const usual = performance.now()
  const first = await restore().ended
  const took = performance.now() - usual
  figures.goal('exit of a restore to another folder', String(first.exit), '0', first.exit === 0)
  if (first.exit !== 0) console.error(first.err)
  rmSync(into, { recursive: true, force: true })
  let [kills, half] = [0, 0]
  for (let round = 0; round < given.kills; round++) {
    const { child, ended } = restore()
    await Promise.race([sleep(random() * took), ended])
    child.kill('SIGKILL')
    if ((await ended).exit !== 0) kills++
    // Killed after it got its name, it is whole.
    if (existsSync(into)) {
      if (!existsSync(join(into, 'postgres', 'PG_VERSION')) || existsSync(`${into}.part`)) half++
      rmSync(into, { recursive: true, force: true })
    }
  }
  const last = await restore().ended
  figures.goal('restores killed before their end', String(kills), `≥ ${Math.ceil(given.kills / 2)}`, kills >= given.kills / 2)
  figures.none('killed restores that left half a folder under the wanted name', half)
  figures.goal('exit of the restore after them', String(last.exit), '0', last.exit === 0)
  figures.none(
    'left beside it',
    readdirSync(place).filter((name) => name.startsWith('again.')),
  )
  figures.none('databases that still run', (await runningEmbedded(into)) === null ? 0 : 1)
  rmSync(into, { recursive: true, force: true })
}

/** Damaged pieces are refused by their names; a missing segment ends the restore before it, with its name. */
async function damage(): Promise<void> {
  const bases = readdirSync(inPlace('backups/base')).filter((name) => isWhole(name) && timelineOf(name) === 2)
  const newest = bases.sort().at(-1)!
  const piece = `base/${newest}/00001.tar.zst`
  const segments = readdirSync(inPlace('backups/wal/00000002')).sort()
  const { last_segment } = infoOf(newest)
  const chunk = readdirSync(inPlace('backups/o'), { recursive: true, withFileTypes: true }).find((entry) => entry.isFile())!
  const chunkPath = join(chunk.parentPath, chunk.name)
  const restore = (more: Record<string, string> = {}, ...options: string[]) =>
    start({ ...env, ...more }, 'restore', backups, '--into', inPlace('damaged'), '--timeline', '2', ...options).ended
  const parts: { what: string; path: string; change: (bytes: Buffer) => Buffer; says: string }[] = [
    { what: 'a flipped byte of the base', path: inPlace(`backups/${piece}`), change: flipped, says: piece },
    { what: 'a base piece that is cut', path: inPlace(`backups/${piece}`), change: (bytes) => bytes.subarray(0, -7), says: piece },
    { what: 'a flipped byte of the WAL', path: inPlace(`backups/wal/00000002/${last_segment}`), change: flipped, says: last_segment },
    { what: 'a flipped byte of backup.json', path: inPlace(`backups/base/${newest}/backup.json`), change: flipped, says: 'backup.json' },
    { what: 'a flipped byte of a file', path: chunkPath, change: flipped, says: chunk.name },
  ]
  for (const { what, path, change, says } of parts) {
    const bytes = readFileSync(path)
    writeFileSync(path, change(Buffer.from(bytes)))
    const { exit, err } = await restore()
    writeFileSync(path, bytes)
    figures.goal(
      `${what} is refused by its name`,
      exit !== 0 && err.includes(says) ? 'yes' : `exit ${exit}: ${err.slice(-200)}`,
      'yes',
      exit !== 0 && err.includes(says),
    )
  }
  const wrong = await restore({ SECRET_KEY: 'another key, which nobody kept apart for this' })
  figures.goal('the wrong key is refused as such', String(wrong.exit), '≠ 0', wrong.exit !== 0 && wrong.err.includes('另一个密钥'))
  figures.none(
    'folders that refused restores left',
    readdirSync(place).filter((name) => name.startsWith('damaged')),
  )
  // One in the middle of what was written after the first backup of this timeline.
  const after = segments.filter((name) => name > infoOf(bases[0]!).last_segment && name.length === 24)
  const missing = after.at(Math.floor(after.length / 2)) ?? ''
  if (after.length < 2) return figures.fact('a missing segment', 'too few segments after the base: not tried')
  const path = inPlace(`backups/wal/00000002/${missing}`)
  const bytes = readFileSync(path)
  rmSync(path)
  const gap = await restore({}, '--base', bases[0]!)
  writeFileSync(path, bytes)
  figures.goal('a missing segment: restored up to it, and named', String(gap.exit), '0', gap.exit === 0 && gap.out.includes(missing))
  rmSync(inPlace('damaged'), { recursive: true, force: true })
}

function flipped(bytes: Buffer): Buffer {
  bytes[bytes.length >> 1]! ^= 1
  return bytes
}
