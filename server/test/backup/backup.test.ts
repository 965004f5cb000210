import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackupInfo, infoKey, nameOfMoment } from '../../src/backup/backup-info.ts'
import { type BackupDeps, backUp, putNewFiles, shipOnce } from '../../src/backup/backup-site.ts'
import { lastDue } from '../../src/backup/keep-backed-up.ts'
import { keptBackups, keptLists } from '../../src/backup/keep-backups.ts'
import { openPiece, sealPiece } from '../../src/backup/sealed-piece.ts'
import { walKey } from '../../src/backup/wal-names.ts'
import { walPath } from '../../src/backup/wal-path.ts'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { connect, type Store } from '../../src/db/connect.ts'
import { type Embedded, openEmbedded } from '../../src/db/embedded.ts'
import { clusterOf } from '../../src/db/postgres.ts'
import { folderStore } from '../../src/store/folder-store.ts'
import { sha256Of } from '../../src/store/read-object.ts'
import { restoreSite } from '../../src/system/restore-site.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { until } from '../fixtures/processes.ts'

// One site with one backup and one segment of WAL after it; what is restored, and what is refused.

const secretKey = 'a key of a site that is backed up and restored'
let place: string
let site: Embedded
let store: Store
let deps: BackupDeps
let info: BackupInfo
let segment: string
const at: Date[] = []

const configOf = (dataDir: string, more: Record<string, string> = {}): Config => {
  const reading = readConfig({ DATA_DIR: dataDir, SECRET_KEY: secretKey, ...more })
  if (!reading.ok) throw new Error(reading.problems.join())
  return reading.config
}
const inPlace = (name: string) => join(place, name)
const addUser = (name: string) =>
  sql`insert into app_user (id, account, nickname) values (gen_random_uuid(), ${name}, ${name})`.execute(store.db)

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'convexa-backup-'))
  const dataDir = inPlace('site')
  claimDataDir(dataDir)
  mkdirSync(join(dataDir, 'market'))
  writeFileSync(join(dataDir, 'market', 'one'), Buffer.alloc(3 * 1024 * 1024, 1))
  linkSync(join(dataDir, 'market', 'one'), join(dataDir, 'market', 'same'))
  site = await openEmbedded(dataDir, 'server', () => {}, { archive: true })
  store = connect(site.connectionString)
  await makeTables(store.db, secretKey)
  const config = configOf(dataDir, { BACKUP_URL: `file://${inPlace('backups')}` })
  const { folder } = clusterOf(dataDir)
  deps = {
    objects: folderStore(inPlace('backups')),
    secrets: config,
    config,
    db: store.db,
    connectionString: site.connectionString,
    folder,
  }
  await addUser('before the backup')
  info = await backUp(deps, null)
  await addUser('after the backup')
  await addUser('erased since')
  at.push(await now())
  await addUser('later')
  writeFileSync(join(dataDir, 'market', 'two'), 'new')
  segment = await archived()
  await shipOnce(deps)
  await putNewFiles(deps)
})

afterAll(async () => {
  await store.close()
  await site.close()
  rmSync(clusterOf(inPlace('site')).privateFolder, { recursive: true, force: true })
  rmSync(place, { recursive: true, force: true })
})

async function now(): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(store.db)
  return rows[0]!.at
}

/** Ends the segment that is being written. @returns its name, when PostgreSQL has archived it */
async function archived(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(store.db)
  const { name } = rows[0]!
  await until(async () => existsSync(join(deps.folder, 'wal-out', name)), 'the segment is archived')
  return name
}

const restoring = (into: string, more: Partial<Parameters<typeof restoreSite>[2]> = {}, config = configOf(inPlace(into))) =>
  restoreSite({ objects: deps.objects, secrets: config }, config, {
    ...{ into: inPlace(into), toTime: null, base: null, timeline: null, skipDamaged: false, say: () => {} },
    ...more,
  })

async function accountsOf(into: string): Promise<string[]> {
  const embedded = await openEmbedded(inPlace(into), 'command')
  const { db, close } = connect(embedded.connectionString)
  const { rows } = await sql<{ account: string }>`select account from app_user order by created_at`.execute(db)
  await close()
  await embedded.close()
  rmSync(clusterOf(inPlace(into)).privateFolder, { recursive: true, force: true })
  return rows.map(({ account }) => account)
}

test('all that was archived is restored, with the files as they were, names of one file included', async () => {
  const restored = await restoring('restored')
  expect(restored).toMatchObject({ base: info.name, files: 3, warnings: [] })
  expect(restored.lastWrite!.getTime()).toBeGreaterThan(at[0]!.getTime())
  expect(restored.rows).toContainEqual({ table: 'app_user', before: 1, now: 4 })
  expect(await accountsOf('restored')).toEqual(['before the backup', 'after the backup', 'erased since', 'later'])
  const market = join(inPlace('restored'), 'market')
  expect(readFileSync(join(market, 'one'))).toEqual(readFileSync(join(inPlace('site'), 'market', 'one')))
  expect(statSync(join(market, 'one')).ino).toBe(statSync(join(market, 'same')).ino)
  expect(readFileSync(join(market, 'two'), 'utf8')).toBe('new')
  for (const left of ['restored.part', 'restored/postgres/wal-in']) expect(existsSync(inPlace(left))).toBe(false)
  // Without it another restore would write on the same timeline.
  expect(readdirSync(inPlace('restored/postgres/wal-out'))).toEqual(['00000002.history'])
  await expect(restoring('restored')).rejects.toThrow(/不是空的/)
})

test('a moment between two writes; who was erased after it is erased again', async () => {
  const { rows } = await sql<{ id: string }>`select id from app_user where account = 'erased since'`.execute(store.db)
  const mark = Buffer.from(new Date().toISOString())
  await deps.objects.put(`erased/${rows[0]!.id}`, mark, sha256Of(mark))
  expect(await restoring('moment', { toTime: at[0]! })).toMatchObject({ erased: 1 })
  expect(await accountsOf('moment')).toEqual(['before the backup', 'after the backup'])
})

test('seven days of backups stay, then one a week for four weeks, and what they need', () => {
  const night = (days: number) => nameOfMoment(new Date(Date.UTC(2026, 10, 20, 19) - days * 86_400_000))
  const now = new Date(Date.UTC(2026, 10, 20, 20))
  const kept = [
    ...keptBackups(
      Array.from({ length: 60 }, (_, days) => night(days)),
      now,
    ),
  ]
  expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 28].map(night))
  // Nobody made a backup for months: the last one stays.
  expect([...keptBackups([night(100), night(101)], now)]).toEqual([night(100)])
  const minutes = Array.from(
    { length: 3 * 1440 },
    (_, minute) => `files/${nameOfMoment(new Date(now.getTime() - minute * 60_000))}`,
  ).reverse()
  expect(new Set(keptLists(minutes, now)).size).toBe(1440 + 48)
})

test('what is damaged, missing or under another key is refused by its name, and nothing is written', async () => {
  const refused = async (sentence: RegExp, config?: Config) => {
    await expect(restoring('refused', {}, config)).rejects.toThrow(sentence)
    for (const left of ['refused', 'refused.part']) expect(existsSync(inPlace(left))).toBe(false)
  }
  const damaged = async (key: string, change: (bytes: Buffer) => Buffer, work: () => Promise<void>) => {
    const path = inPlace(`backups/${key}`)
    const bytes = readFileSync(path)
    writeFileSync(path, change(Buffer.from(bytes)))
    await work()
    writeFileSync(path, bytes)
  }
  const flipped = (bytes: Buffer) => {
    bytes[bytes.length >> 1]! ^= 1
    return bytes
  }
  const cut = (bytes: Buffer) => bytes.subarray(0, -100)
  const { key } = info.pieces[0]!
  await damaged(key, flipped, () => refused(new RegExp(`${key} 内容不符`)))
  await damaged(key, cut, () => refused(new RegExp(`${key} 应有`)))
  await damaged(infoKey(info.name), flipped, () => refused(/backup\.json 内容不符/))
  await damaged(walKey(segment), flipped, () => refused(new RegExp(`${walKey(segment)} 内容不符`)))
  await refused(/备份用的是另一个密钥/, configOf(inPlace('refused'), { SECRET_KEY: 'another key, which is long enough to be one' }))
})

test('a piece opens under its own name only, whole only, and two of one name differ', () => {
  const { secrets } = deps
  const text = Buffer.alloc(3 * 1024 * 1024 + 5, 'text')
  const sealed = sealPiece(secrets, 'a', text)
  expect(openPiece(secrets, 'a', sealed).equals(text)).toBe(true)
  expect(() => openPiece(secrets, 'b', sealed)).toThrow(/damaged/)
  // The end of a frame is no end of the piece.
  const frame = 4 + 1024 * 1024 + 16
  expect(() => openPiece(secrets, 'a', sealed.subarray(0, 25 + frame))).toThrow(/damaged/)
  const without = Buffer.concat([sealed.subarray(0, 25), sealed.subarray(25 + frame)])
  expect(() => openPiece(secrets, 'a', without)).toThrow(/damaged/)
  expect(sealPiece(secrets, 'a', text).equals(sealed)).toBe(false)
  expect(openPiece(secrets, 'a', sealPiece(secrets, 'a', Buffer.alloc(0)))).toHaveLength(0)
})

test('the way through the WAL: a gap ends it, a branch is followed, a base without its own WAL is refused', () => {
  const base = { name: 'b', timeline: 1, first_segment: name(1, 5), last_segment: name(1, 6) }
  const way = (names: string[], histories: Record<string, string> = {}, timeline: number | null = null) =>
    walPath(base, names, new Map(Object.entries(histories)), null, timeline)
  expect(way([name(1, 5), name(1, 6), name(1, 7)])).toMatchObject({ timeline: 1, gap: null, segments: { length: 3 } })
  expect(way([name(1, 5), name(1, 6), name(1, 8)])).toMatchObject({ gap: name(1, 7), segments: { length: 2 } })
  expect(() => way([name(1, 5), name(1, 7)])).toThrow(`缺少 WAL 段 ${name(1, 6)}`)
  const branch = { '00000002.history': '1\t0/7000060\tno recovery target specified\n' }
  const all = [name(1, 5), name(1, 6), name(1, 7), name(2, 7), name(2, 8)]
  expect(way(all, branch)).toEqual({ timeline: 2, gap: null, segments: all })
  // A branch that went off before the base is another site's past.
  expect(way(all, { '00000002.history': '1\t0/4000060\tx\n' })).toMatchObject({ timeline: 1, segments: { length: 3 } })
  // Both went on: a trial of a restored copy, or the site itself.
  const both = [...all, name(1, 8)]
  expect(() => way(both, branch)).toThrow(/--timeline 2 .* --timeline 1 /)
  expect(way(both, branch, 2)).toEqual({ timeline: 2, gap: null, segments: all })
  expect(way(both, branch, 1)).toMatchObject({ timeline: 1, segments: [name(1, 5), name(1, 6), name(1, 7), name(1, 8)] })
})

const name = (timeline: number, place: number) => [timeline, 0, place].map((n) => n.toString(16).toUpperCase().padStart(8, '0')).join('')

test('the night that is due: by the clock of Beijing', () => {
  expect(lastDue(new Date('2026-11-20T18:59:00Z'), 3).toISOString()).toBe('2026-11-19T19:00:00.000Z')
  expect(lastDue(new Date('2026-11-20T19:00:00Z'), 3).toISOString()).toBe('2026-11-20T19:00:00.000Z')
})
