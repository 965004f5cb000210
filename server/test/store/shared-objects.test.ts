import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepAnswer, keepBytes, lastRows, readAnswer, sweepAnswers } from '../../src/feeds/ingest/raw-answers.ts'
import { fileStore, newName } from '../../src/file/store.ts'
import { insertCore, moveCores, putCore, readCore } from '../../src/run-core/kept-core.ts'
import { condemn, condemned, deleteCondemned } from '../../src/store/catalogue.ts'
import { openStore } from '../../src/store/open-store.ts'
import { snapshotStore, useSnapshotStore } from '../../src/store/snapshot-store.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { insertRun, insertUser } from '../fixtures/run-rows.ts'
import { type FakeS3, fakeS3 } from '../stand-ins/fake-s3.ts'

// Two machines with a data directory each, which share a database and a store.

let database: TestDatabase
let fake: FakeS3
let root: string
let a: string
let b: string
const ends: (() => void)[] = []

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const table of ['file', 'raw_object', 'run_core', 'stored_object']) await sql`delete from ${sql.table(table)}`.execute(database.db)
  fake = await fakeS3()
  root = await mkdtemp(join(tmpdir(), 'convexa-shared-'))
  a = join(root, 'a')
  b = join(root, 'b')
  for (const dataDir of [a, b]) {
    const objects = await openStore(fake.settings)
    const store = snapshotStore({ db: database.db, objects, marketFolder: join(dataDir, 'cache/market') })
    ends.push(useSnapshotStore(dataDir, store), () => objects.close())
  }
  return async () => {
    for (const end of ends.splice(0)) end()
    await fake.close()
    await rm(root, { recursive: true, force: true })
  }
})

const keys = () => [...fake.objects.keys()].map((key) => key.replace('test/', ''))
const damage = () => {
  for (const bytes of fake.objects.values()) bytes.fill(7)
}
async function collected(): Promise<void> {
  const objects = await openStore(fake.settings)
  await condemn(database.db, 0)
  for (const key of await condemned(database.db, 0)) await deleteCondemned(database.db, key, objects.remove)
  objects.close()
}
const filesBelow = async (folder: string) => (await readdir(folder, { recursive: true }).catch(() => [])).length

describe('an upload', () => {
  const added = async () => {
    const userId = await insertUser(database.db)
    const uploadId = uuid()
    await database.db.insertInto('upload').values({ id: uploadId, user_id: userId, expires_at: sql<Date>`now()` }).execute()
    const bytes = randomBytes(500)
    const file = { id: uuid(), user_id: userId, upload_id: uploadId, name: newName('webp'), mime: 'image/webp', size: bytes.length }
    await fileStore(a).add(database.db, file, bytes)
    return { file, bytes }
  }

  test('of one machine is read by the other, and lies on neither', async () => {
    const { file, bytes } = await added()
    expect(keys()).toEqual([`u/${file.name.slice(0, 2)}/${file.name}`])
    expect(await fileStore(b).get(database.db, file.name)).toEqual(bytes)
    expect([await filesBelow(a), await filesBelow(b)]).toEqual([0, 0])
    expect(await fileStore(b).get(database.db, newName('webp'))).toBeNull()
  })

  test('is nothing once its row is gone, and its bytes are collected', async () => {
    const { file } = await added()
    await collected()
    expect(keys()).toHaveLength(1)
    await database.db.deleteFrom('file').where('id', '=', file.id).execute()
    expect(await fileStore(b).get(database.db, file.name)).toBeNull()
    await collected()
    expect(keys()).toEqual([])
  })

  test('that rotted is nothing; while the store is away it is asked for again', async () => {
    const { file } = await added()
    damage()
    expect(await fileStore(b).get(database.db, file.name)).toBeNull()
    await fake.close()
    await expect(fileStore(b).get(database.db, file.name)).rejects.toMatchObject({ code: 50301 })
    await expect(added()).rejects.toMatchObject({ code: 50301 })
  })
})

describe('a core', () => {
  const run = async () => {
    const userId = await insertUser(database.db)
    return { userId, runId: await insertRun(database.db, userId, uuid()) }
  }
  const kept = async (core: Buffer, key: string | null) => {
    const made = await run()
    await database.db.transaction().execute((transaction) => insertCore(transaction, made.runId, core, key))
    return made
  }
  const on = (dataDir: string) => ({ db: database.db, dataDir })
  const row = (runId: string) =>
    database.db.selectFrom('run_core').select(['key', 'inline', 'bytes']).where('run_id', '=', runId).executeTakeFirstOrThrow()

  test('of one machine is read by the other, and by nobody else', async () => {
    const core = randomBytes(50_000)
    const { userId, runId } = await kept(core, await putCore(a, core))
    expect(await row(runId)).toMatchObject({ key: keys()[0], inline: null, bytes: 50_000 })
    expect(await readCore(on(b), userId, runId)).toEqual(core)
    expect(await readCore(on(b), await insertUser(database.db), runId)).toBeNull()
    await collected()
    expect(await readCore(on(a), userId, runId)).toEqual(core)
    await database.db.deleteFrom('backtest_run').where('id', '=', runId).execute()
    await collected()
    expect(keys()).toEqual([])
  })

  test('is kept in its row while the store is away, and moves there afterwards', async () => {
    const core = randomBytes(1_000)
    fake.faults.push(...Array.from({ length: 8 }, () => ({ on: 'PUT', is: 'error' }) as const))
    expect(await putCore(a, core)).toBeNull()
    fake.faults.length = 0
    const { userId, runId } = await kept(core, null)
    expect(await readCore(on(b), userId, runId)).toEqual(core)
    expect(await moveCores(database.db, b)).toBe(1)
    expect(await row(runId)).toMatchObject({ key: keys()[0], inline: null })
    expect(await readCore(on(a), userId, runId)).toEqual(core)
    expect(await moveCores(database.db, b)).toBe(0)
  })

  test('whose object was taken away before the run ended is kept in the row', async () => {
    const core = randomBytes(1_000)
    const key = await putCore(a, core)
    await collected()
    const { userId, runId } = await kept(core, key)
    expect(await row(runId)).toMatchObject({ key: null })
    expect(await readCore(on(b), userId, runId)).toEqual(core)
  })

  test('of which the store says nothing is asked for again, before a call has to end', async () => {
    const core = randomBytes(1_000)
    const { userId, runId } = await kept(core, await putCore(a, core))
    fake.faults.push({ on: 'GET', is: 'silence' })
    await expect(readCore(on(b), userId, runId)).rejects.toMatchObject({ code: 50301 })
    expect(await readCore(on(b), userId, runId)).toEqual(core)
  })

  test('that rotted is told, and one that cannot be reached is asked for again', async () => {
    const core = randomBytes(1_000)
    const { userId, runId } = await kept(core, await putCore(a, core))
    damage()
    await expect(readCore(on(b), userId, runId)).rejects.toMatchObject({ code: 21012, message: expect.stringContaining('重新运行') })
    // The same result once more writes it anew.
    expect(await putCore(b, core)).toBe(keys()[0])
    expect(await readCore(on(b), userId, runId)).toEqual(core)
    await fake.close()
    await expect(readCore(on(b), userId, runId)).rejects.toMatchObject({ code: 50301 })
  })
})

describe('an answer of a source', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ date: `2026-11-${10 + i}`, open: true }))
  const give = (dataDir: string, day: string, count = 2) => keepAnswer(dataDir, 'calendar', day, 'sina', rows(count))

  test('of one machine is read by the other, and kept once', async () => {
    const answer = await give(a, '2026-11-20')
    expect(await readAnswer(b, answer)).toEqual(rows(2))
    expect(await give(b, '2026-11-20')).toEqual(answer)
    expect(keys()).toHaveLength(1)
    expect([await filesBelow(a), await filesBelow(b)]).toEqual([0, 0])
  })

  test('that is the same on several days is found on each of them', async () => {
    const [one, other] = [await give(a, '2026-11-19'), await give(a, '2026-11-20')]
    await give(a, '2026-11-18', 5)
    expect(keys()).toHaveLength(2)
    expect(await lastRows(b, 'calendar', 'sina', '2026-11-21')).toEqual(rows(2))
    expect(await lastRows(b, 'calendar', 'sina', '2026-11-19')).toEqual(rows(5))
    expect(await lastRows(b, 'calendar', 'sina', '2026-11-18')).toBeNull()
    expect([await readAnswer(b, one), await readAnswer(b, other)]).toEqual([rows(2), rows(2)])
  })

  test('evidence beside it is no answer', async () => {
    await give(a, '2026-11-19')
    await keepBytes(a, join('sina', 'calendar', '2026-11-20'), 'raw', Buffer.from('<html>'))
    expect(await lastRows(b, 'calendar', 'sina', '2026-11-21')).toEqual(rows(2))
  })

  test('that rotted is none until it is given again; while the store is away nobody is asked again', async () => {
    const answer = await give(a, '2026-11-20')
    damage()
    expect(await readAnswer(b, answer)).toBeNull()
    await give(b, '2026-11-20')
    expect(await readAnswer(a, answer)).toEqual(rows(2))
    await fake.close()
    await expect(readAnswer(b, answer)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('is forgotten after its days, and collected', async () => {
    const [old, young] = [await give(a, '2026-11-19', 3), await give(a, '2026-11-20')]
    await collected()
    expect(keys()).toHaveLength(2)
    await sql`update raw_object set given_at = now() - interval '401 days' where place = ${old.file}`.execute(database.db)
    expect(await sweepAnswers(b, 400)).toBe(1)
    expect([await readAnswer(b, old), await readAnswer(b, young)]).toEqual([null, rows(2)])
    await collected()
    expect(keys()).toHaveLength(1)
  })

  test('of before there was a store is read where it lies', async () => {
    const alone = join(root, 'alone')
    const answer = await give(alone, '2026-11-20')
    const objects = await openStore(fake.settings)
    ends.push(useSnapshotStore(alone, snapshotStore({ db: database.db, objects, marketFolder: join(alone, 'cache/market') })), () =>
      objects.close(),
    )
    expect(await readAnswer(alone, answer)).toEqual(rows(2))
    expect(await readAnswer(a, answer)).toBeNull()
  })
})
