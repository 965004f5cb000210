import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendDay } from '../../src/market/append-day.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { readDates, readSecurities } from '../../src/market/read-store.ts'
import { rollback } from '../../src/market/rollback.ts'
import { localFolder, newestSnapshot, readManifest, retain, type Snapshot, snapshotPath } from '../../src/market/snapshot.ts'
import { cacheLimit, claimCache, evict } from '../../src/store/cache.ts'
import { condemn, condemned, deleteCondemned, references } from '../../src/store/catalogue.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type SnapshotStore, snapshotStore, useSnapshotStore } from '../../src/store/snapshot-store.ts'
import type { StoreManifest } from '../../src/store/store-manifest.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { dayOf, tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { smallTable } from '../fixtures/market/small-table.ts'
import { type FakeS3, fakeS3 } from '../stand-ins/fake-s3.ts'

interface Machine {
  readonly dataDir: string
  readonly store: SnapshotStore
}

let database: TestDatabase
let fake: FakeS3
let root: string
let machines: Machine[]
const ends: (() => void)[] = []

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('market_snapshot').execute()
  await database.db.deleteFrom('stored_object').execute()
  fake = await fakeS3()
  root = await mkdtemp(join(tmpdir(), 'convexa-machines-'))
  machines = []
  for (const name of ['a', 'b']) {
    const objects = await openStore(fake.settings)
    const dataDir = join(root, name)
    const store = snapshotStore({ db: database.db, objects, marketFolder: join(dataDir, 'cache/market') })
    ends.push(useSnapshotStore(dataDir, store), () => objects.close())
    machines.push({ dataDir, store })
  }
  return async () => {
    for (const end of ends.splice(0)) end()
    await fake.close()
    await rm(root, { recursive: true })
  }
})

const table = smallTable('cb')
const at = (machine: number) => ({ db: database.db, dataDir: machines[machine]!.dataDir })
const published = async (machine: number, days: number): Promise<Snapshot> =>
  (await publishTable(at(machine), tableBefore(table, days))).snapshot
const appended = async (machine: number, day: number): Promise<Snapshot> => {
  const outcome = await appendDay(at(machine), 'cb', dayOf(table, day))
  if (!outcome.ok) throw new Error(outcome.refused)
  return outcome.snapshot
}
const panelOn = async (machine: number, snapshot: Snapshot) =>
  loadPanel(await localFolder(machines[machine]!.dataDir, snapshot), null, 'all')
const puts = () => fake.requests.filter((request) => request.startsWith('PUT'))
const here = (machine: number) => readdir(machines[machine]!.store.marketFolder).catch(() => [])

/** What is condemned is deleted at once. */
async function collected(): Promise<void> {
  const { objects } = machines[0]!.store
  await condemn(database.db, 0)
  for (const key of await condemned(database.db, 0)) await deleteCondemned(database.db, key, objects.remove)
}
async function onlyReferenced(): Promise<void> {
  const rows = await sql<{ key: string }>`select key from snapshot_object union select store_key from market_snapshot`.execute(database.db)
  expect([...fake.objects.keys()].sort()).toEqual(rows.rows.map(({ key }) => `test/${key}`).sort())
}

describe('a market', () => {
  test('that one machine publishes is read by another, in memory and as a folder', async () => {
    const snapshot = await published(0, 30)
    const folder = snapshotPath(machines[1]!.dataDir, snapshot)
    const manifest = await readManifest(folder, snapshot.manifestSha256)
    expect(await readDates(folder, manifest)).toEqual(table.dates.slice(0, 30))
    expect(await readSecurities(folder, manifest)).toHaveLength(3)
    expect(await here(1)).toEqual([])
    expect(await panelOn(1, snapshot)).toEqual(await panelOn(0, snapshot))
    expect(await here(1)).toEqual([snapshot.folder])
  })

  test('that is published again is the same and puts nothing', async () => {
    const first = await published(0, 30)
    const before = puts().length
    expect((await published(1, 30)).id).toBe(first.id)
    expect(puts().length).toBe(before)
  })

  test('that a day goes behind has one pack more, its manifest and its store manifest', async () => {
    await published(0, 30)
    const before = puts().length
    const next = await appended(0, 30)
    expect(puts().length - before).toBe(3)
    expect(await panelOn(1, next)).toEqual(await panelOn(0, next))
  })

  test('of many days appended on two machines in turn is what one import gives', async () => {
    const first = await published(0, 3)
    await panelOn(1, first)
    let newest = first
    for (let day = 3; day < 28; day++) newest = await appended(day % 2, day)
    const parts = await sql<{
      objects: number
    }>`select count(*)::int as objects from snapshot_object where snapshot_id = ${newest.id}`.execute(database.db)
    // Files of many parts were written whole now and then.
    expect(parts.rows[0]!.objects).toBeLessThan(60)
    await rm(machines[1]!.store.marketFolder, { recursive: true })
    const grown = await panelOn(1, newest)
    expect(grown).toEqual(await panelOn(0, newest))
    await rm(machines[0]!.store.marketFolder, { recursive: true })
    const whole = await published(0, 28)
    expect(newest.dataVersion).toBe(whole.dataVersion)
    expect(grown).toEqual(await panelOn(0, whole))
  })

  test('of which a machine has the day before fetches the pack and the manifests alone', async () => {
    const first = await published(0, 30)
    await panelOn(1, first)
    const next = await appended(0, 30)
    const before = fake.requests.length
    await panelOn(1, next)
    expect(fake.requests.slice(before).map((request) => request.split(' ')[0])).toEqual(['GET', 'GET', 'GET'])
  })

  test('that is taken back is published on the same objects', async () => {
    await published(0, 30)
    await appended(0, 30)
    const before = puts().length
    const outcome = await rollback(database.db, machines[1]!.dataDir, 'cb', undefined, async () => {})
    expect(outcome).toMatchObject({ ok: true })
    // The store manifest, which says the new name.
    expect(puts().length - before).toBe(1)
    const newest = (await newestSnapshot(database.db, 'cb'))!
    expect((await panelOn(0, newest)).dates).toHaveLength(30)
  })
})

describe('what is wrong on one machine', () => {
  test('a folder without its manifest is made anew', async () => {
    const snapshot = await published(0, 30)
    await rm(join(snapshotPath(machines[0]!.dataDir, snapshot), 'manifest.json'))
    expect(await panelOn(0, snapshot)).toEqual(await panelOn(1, snapshot))
  })

  test('a folder that is thrown away as wrong is fetched whole', async () => {
    const snapshot = await published(0, 30)
    const file = join(snapshotPath(machines[0]!.dataDir, snapshot), 'close.2023.f64')
    await writeFile(file, Buffer.alloc((await stat(file)).size))
    await expect(panelOn(0, snapshot)).rejects.toThrow('wrong checksum')
    await machines[0]!.store.ensureLocal(snapshot.folder, true)
    expect(await panelOn(0, snapshot)).toEqual(await panelOn(1, snapshot))
  })

  test('an object changed on the way is fetched again, and has no name before', async () => {
    const snapshot = await published(0, 30)
    fake.faults.push({ on: 'GET', is: 'flip', of: 'o/' }, { on: 'GET', is: 'cut', of: 'o/' })
    expect(await panelOn(1, snapshot)).toEqual(await panelOn(0, snapshot))
    expect(fake.faults).toEqual([])
  })

  test('a store that is away is no trouble while the folder is here, and a sentence where it is not', async () => {
    const snapshot = await published(0, 30)
    await fake.close()
    expect((await panelOn(0, snapshot)).dates).toHaveLength(30)
    await expect(readManifest(snapshotPath(machines[1]!.dataDir, snapshot))).rejects.toThrow('object store')
    expect(await newestSnapshot(database.db, 'cb')).not.toBeNull()
  })

  test('folders that were not used for longest are thrown away, never the newest', async () => {
    const first = await published(0, 30)
    const next = await appended(0, 30)
    for (const snapshot of [first, next]) await machines[1]!.store.ensureLocal(snapshot.folder)
    const { marketFolder } = machines[1]!.store
    await evict({ marketFolder, mostBytes: 1, keep: new Set([next.folder]), lastUse: () => 0 })
    expect(await here(1)).toEqual([next.folder])
    expect((await panelOn(1, first)).dates).toHaveLength(30)
    await evict({ marketFolder, mostBytes: 1, keep: new Set([next.folder]), lastUse: machines[1]!.store.lastUse })
    expect((await here(1)).sort()).toEqual([first.folder, next.folder].sort())
  })
})

describe('a damaged copy in the store', () => {
  test('takes the snapshot out of use, and the next publication of the same bytes puts them again', async () => {
    const first = await published(0, 30)
    const next = await appended(0, 30)
    const { store_key } = await database.db
      .selectFrom('market_snapshot')
      .select('store_key')
      .where('id', '=', next.id)
      .executeTakeFirstOrThrow()
    const { files } = JSON.parse(fake.objects.get(`test/${store_key}`)!.toString()) as StoreManifest
    fake.objects.get(`test/${files['close.2024.f64']!.parts.at(-1)!.key}`)!.fill(0)
    await expect(panelOn(1, next)).rejects.toMatchObject({ kind: 'different' })
    expect((await newestSnapshot(database.db, 'cb'))!.id).toBe(first.id)
    const again = await appended(0, 30)
    expect(again.dataVersion).toBe(next.dataVersion)
    await rm(machines[1]!.store.marketFolder, { recursive: true, force: true })
    expect((await panelOn(1, again)).dates).toHaveLength(31)
  })
})

describe('garbage', () => {
  test('the catalogue knows every column that refers to an object', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'stored_object'::regclass`.execute(database.db)
    expect(rows.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
      references.map(([name, column]) => `${name}.${column}`).sort(),
    )
  })

  test('nothing that a snapshot needs is deleted, and everything else is', async () => {
    const first = await published(0, 30)
    await appended(0, 30)
    const newest = await appended(0, 31)
    await collected()
    await onlyReferenced()
    await retain(database.db, machines[0]!.dataDir, 1)
    await collected()
    await onlyReferenced()
    await rm(machines[1]!.store.marketFolder, { recursive: true, force: true })
    expect((await panelOn(1, newest)).dates).toHaveLength(32)
    expect(await newestSnapshot(database.db, 'cb')).toMatchObject({ id: newest.id })
    expect(first.id).not.toBe(newest.id)
  })

  test.each([1, 2, 3])('a publication that ends at put %i is made again, and leaves nothing', async (place) => {
    await published(0, 30)
    const { objects } = machines[0]!.store
    let count = 0
    const put = objects.put
    objects.put = async (...given) => {
      if (++count === place) throw new Error('killed')
      return put(...given)
    }
    const other = smallTable('cb', { shift: 1 })
    await expect(publishTable(at(0), tableBefore(other, 30))).rejects.toThrow('killed')
    objects.put = put
    expect((await here(0)).filter((name) => name.startsWith('.aside'))).toEqual([])
    await collected()
    await onlyReferenced()
    const { snapshot } = await publishTable(at(0), tableBefore(other, 30))
    expect(await panelOn(1, snapshot)).toEqual(await panelOn(0, snapshot))
  })

  test('a removal that fails leaves the object condemned, and it is removed the next time', async () => {
    await published(0, 30)
    await retain(database.db, machines[0]!.dataDir, 0)
    await condemn(database.db, 0)
    fake.faults.push({ on: 'DELETE', is: 'error' })
    await expect(collected()).rejects.toMatchObject({ kind: 'unreachable' })
    await collected()
    expect(fake.objects.size).toBe(0)
  })
})

describe('a cache', () => {
  test('belongs to one living process', async () => {
    const folder = join(root, 'cache')
    await claimCache(folder, 'first', async () => true)
    await expect(claimCache(folder, 'second', async () => true)).rejects.toThrow(`缓存目录 ${folder} 正被另一个进程使用`)
    await claimCache(folder, 'second', async (id) => id !== 'first')
    expect(await readFile(join(folder, 'owner'), 'utf8')).toBe('second\n')
  })

  test('makes room once where the disk is full; where it stays full it is told', async () => {
    const snapshot = await published(0, 30)
    const { store } = machines[1]!
    let full = 1
    const get = store.objects.get
    store.objects.get = async (...given) => {
      if (full-- > 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      return get(...given)
    }
    let rooms = 0
    store.onFull(async () => rooms++)
    expect((await panelOn(1, snapshot)).dates).toHaveLength(30)
    expect([rooms, store.trouble()]).toEqual([1, null])
    await rm(store.marketFolder, { recursive: true })
    full = Number.POSITIVE_INFINITY
    await expect(store.ensureLocal(snapshot.folder)).rejects.toMatchObject({ kind: 'full' })
    expect([rooms, store.trouble(), await here(1)]).toEqual([2, 'full', []])
    full = 0
    await store.ensureLocal(snapshot.folder)
    expect(store.trouble()).toBeNull()
  })

  test('takes no more than was set', async () => {
    expect(await cacheLimit(root, 1)).toBe(2 ** 20)
  })
})
