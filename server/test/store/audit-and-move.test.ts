import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { keepAnswer } from '../../src/feeds/ingest/raw-answers.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { objectKey } from '../../src/store/object-store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { sha256Of } from '../../src/store/read-object.ts'
import { snapshotStore, useSnapshotStore } from '../../src/store/snapshot-store.ts'
import { convexa } from '../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { smallTable } from '../fixtures/market/small-table.ts'
import { type FakeS3, fakeKeys, fakeS3 } from '../stand-ins/fake-s3.ts'

let database: TestDatabase
let fake: FakeS3
let root: string
const table = smallTable('cb')

beforeAll(async () => {
  database = await testDatabase()
  await makeTables(database.db)
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const name of ['raw_object', 'market_snapshot', 'stored_object']) await sql`delete from ${sql.table(name)}`.execute(database.db)
  fake = await fakeS3()
  root = await mkdtemp(join(tmpdir(), 'convexa-audit-'))
  return async () => {
    await fake.close()
    await rm(root, { recursive: true, force: true })
  }
})

const s3 = () => ({ STORE_URL: fake.url, STORE_ACCESS_KEY_ID: fakeKeys.accessKeyId, STORE_SECRET_ACCESS_KEY: fakeKeys.secretAccessKey })
const run = (env: Record<string, string>, ...args: string[]) =>
  convexa({ DATABASE_URL: database.url, DATA_DIR: join(root, 'site'), ...env }, 'store', ...args)

/** Publishes from a machine that has the store of an environment. */
async function published(objects: Awaited<ReturnType<typeof openStore>> | null, dataDir: string): Promise<void> {
  const store = objects && snapshotStore({ db: database.db, objects, marketFolder: join(dataDir, 'cache/market') })
  const leave = store ? useSnapshotStore(dataDir, store) : () => {}
  await publishTable({ db: database.db, dataDir }, tableBefore(table, 30))
  await keepAnswer(dataDir, 'calendar', '2026-11-20', 'sina', [{ date: '2026-11-20', open: true }])
  leave()
  objects?.close()
}

test('an audit names what is missing, damaged or unknown, and what it strikes', async () => {
  await published(await openStore(fake.settings), join(root, 'publisher'))
  const whole = await run(s3(), 'audit', '--verify')
  expect(whole).toMatchObject({ exit: 0, err: '', out: expect.stringContaining('登记的对象都在，内容无误') })

  const { folder } = (await newestSnapshot(database.db, 'cb'))!
  const rows = await sql<{ key: string }>`select key from snapshot_object order by key`.execute(database.db)
  const [gone, short, wrong] = rows.rows.map(({ key }) => key) as [string, string, string]
  fake.objects.delete(`test/${gone}`)
  fake.objects.set(`test/${short}`, Buffer.from('x'))
  fake.objects.get(`test/${wrong}`)!.fill(1)
  const stray = randomBytes(10)
  const strayKey = objectKey(sha256Of(stray).toString('hex'))
  fake.objects.set(`test/${strayKey}`, stray)
  const found = await run(s3(), 'audit', '--verify')
  expect(found.exit).toBe(1)
  for (const [words, key] of [
    ['不存在', gone],
    ['长度不符', short],
    ['内容不符', wrong],
  ])
    expect(found.out).toContain(`${words}：${key}（行情 ${folder}）`)
  expect(found.out).toContain(`没有登记的对象 1 个，可加 --delete 删除：\n  ${strayKey}`)
  expect(fake.objects.has(`test/${strayKey}`)).toBe(true)
  expect((await run(s3(), 'audit', '--delete', '--yes')).out).toContain('已删除 1 个')
  expect(fake.objects.has(`test/${strayKey}`)).toBe(false)
})

test('a site of one folder moves into a bucket and on into another folder, each move again copies what is new alone', async () => {
  const site = join(root, 'site')
  mkdirSync(site)
  claimDataDir(site)
  await published(null, site)
  const keys = { STORE_ACCESS_KEY_ID: fakeKeys.accessKeyId, STORE_SECRET_ACCESS_KEY: fakeKeys.secretAccessKey }
  const first = await run(keys, 'move', '--to', fake.url)
  expect(first).toMatchObject({ exit: 0, err: '' })
  expect(first.out).toContain('行情 1 份，上传文件 0 个，数据源答复 1 份')
  expect(first.out).toContain('./convexa maintenance on')
  expect(first.out.trim().endsWith(`STORE_URL=${fake.url}`)).toBe(true)
  const again = await run(keys, 'move', '--to', fake.url)
  expect(again.out).toContain('行情 0 份，上传文件 0 个，数据源答复 0 份')
  expect(await read(await openStore(fake.settings), 'one')).toHaveLength(30)

  // The former place is gone: all of it is in the bucket.
  await rm(site, { recursive: true })
  const folder = join(root, 'mounted')
  const second = await run(s3(), 'move', '--to', `file://${folder}`)
  expect(second).toMatchObject({ exit: 0, err: '' })
  expect((await run({ STORE_URL: `file://${folder}` }, 'audit', '--verify')).exit).toBe(0)
  expect(await read(await openStore({ address: { kind: 'folder', folder }, keys: null }), 'other')).toHaveLength(30)

  const gone = [...fake.objects.keys()][0]!
  fake.objects.delete(gone)
  await rm(folder, { recursive: true })
  const lacking = await run(s3(), 'move', '--to', `file://${folder}`)
  expect(lacking.exit).toBe(1)
  expect(lacking.out).toContain(`两处都没有的对象 1 个：\n  ${gone.replace('test/', '')}`)
})

test.each([
  [['move'], '缺少选项'],
  [['move', '--to', 'ftp://x'], '用法有误：--to 需为 file:///目录'],
  [['move', '--to', 's3://a:b@c/d'], '不能包含密钥'],
])('%j is refused by a sentence', async (args, sentence) => {
  const { exit, err } = await run({}, ...args)
  expect([exit, err]).toEqual([2, expect.stringContaining(sentence)])
})

test('a store that is away is told by a sentence', async () => {
  await fake.close()
  const { exit, err } = await run(s3(), 'audit')
  expect([exit, err]).toEqual([1, expect.stringContaining('对象存储无法使用（连不上）')])
}, 120_000)

async function read(objects: Awaited<ReturnType<typeof openStore>>, name: string): Promise<readonly string[]> {
  const store = snapshotStore({ db: database.db, objects, marketFolder: join(root, name, 'market') })
  const { folder } = (await newestSnapshot(database.db, 'cb'))!
  const { dates } = await loadPanel(await store.ensureLocal(folder), null, 'all')
  objects.close()
  return dates
}
