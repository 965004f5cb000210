import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartError } from '../../src/base/start-error.ts'
import { folderStore } from '../../src/store/folder-store.ts'
import type { ObjectStore } from '../../src/store/object-store.ts'
import { openStore } from '../../src/store/open-store.ts'
import { probeStore } from '../../src/store/probe.ts'
import { readObject, readVerified } from '../../src/store/read-object.ts'
import { s3Store } from '../../src/store/s3-store.ts'
import { requireStore } from '../../src/system/start-checks.ts'
import { type FakeS3, fakeKeys, fakeS3 } from '../stand-ins/fake-s3.ts'
import { conformance, listed, thing } from './conformance.ts'
import { noRealS3, type RealS3, realS3 } from './real-s3.ts'

let folder: string
let fake: FakeS3
let real: RealS3 | null = null
const stores = new Map<string, ObjectStore>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-store-'))
  fake = await fakeS3()
  real = await realS3()
  stores.set('folder', await openStore({ address: { kind: 'folder', folder: join(folder, 'objects') }, keys: null }))
  stores.set('fake S3', await openStore(fake.settings))
  if (real) stores.set('real S3', await openStore(real.settings))
})
afterAll(async () => {
  for (const store of stores.values()) store.close()
  await fake.close()
  await real?.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['folder', 'fake S3', 'real S3'])('%s', (name) => {
  for (const [what, work] of Object.entries(conformance)) {
    test(what, async (context) => {
      const store = stores.get(name)
      if (!store) return context.skip(noRealS3)
      await work(store)
    })
  }
})

/** A client that loses patience soon. */
const impatient = () =>
  s3Store(fake.settings.address as Parameters<typeof s3Store>[0], fakeKeys, { request: 300, connection: 300, attempts: 3 })

describe('faults of a server', () => {
  test.each(['error', 'slow down', 'death before writing', 'death after writing'] as const)('a put is repeated after: %s', async (is) => {
    const store = await impatient()
    const one = thing()
    fake.faults.push({ on: 'PUT', is })
    await store.put(one.key, one.bytes, one.sha256)
    expect(await readObject(store, one.key)).toEqual(one.bytes)
    expect(fake.faults).toEqual([])
    store.close()
  })

  test.each(['error', 'slow down', 'cut', 'stall', 'silence'] as const)('a get is repeated after: %s', async (is) => {
    const store = await impatient()
    const one = thing(100_000)
    await store.put(one.key, one.bytes, one.sha256)
    fake.faults.push({ on: 'GET', is })
    expect((await readObject(store, one.key))!.equals(one.bytes)).toBe(true)
    expect(fake.faults).toEqual([])
    store.close()
  })

  test('a bit that was changed on the way is read again', async () => {
    const store = await impatient()
    const one = thing()
    await store.put(one.key, one.bytes, one.sha256)
    fake.faults.push({ on: 'GET', is: 'flip' })
    expect(await readVerified(store, one.key, one.sha256.toString('hex'))).toEqual(one.bytes)
    expect(fake.faults).toEqual([])
    store.close()
  })

  test('a put of other bytes than its hash says is refused and leaves nothing', async () => {
    const store = await impatient()
    const one = thing()
    await expect(store.put(one.key, randomBytes(10), one.sha256)).rejects.toMatchObject({ kind: 'different' })
    expect(await store.get(one.key)).toBeNull()
    store.close()
  })

  test('a removal is sent once', async () => {
    const store = await impatient()
    const one = thing()
    await store.put(one.key, one.bytes, one.sha256)
    fake.faults.push({ on: 'DELETE', is: 'error' })
    await expect(store.remove(one.key)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(fake.requests.filter((request) => request === `DELETE test/${one.key}`)).toHaveLength(1)
    store.close()
  })

  test('an answer that is left half read holds no connection', async () => {
    const store = await impatient()
    const one = thing(200_000)
    await store.put(one.key, one.bytes, one.sha256)
    // More than the client has connections.
    for (let times = 0; times < 40; times++) (await store.get(one.key))!.destroy()
    expect((await readObject(store, one.key))!.equals(one.bytes)).toBe(true)
    store.close()
  })
})

describe('why a store cannot be used', () => {
  const address = () => fake.settings.address as Parameters<typeof s3Store>[0]
  const kindOf = async (store: ObjectStore) =>
    probeStore(store).then(
      () => null,
      (error) => error.kind,
    )

  test.each([
    ['wrong keys', 'denied', () => s3Store(address(), { ...fakeKeys, secretAccessKey: 'another' })],
    ['no such bucket', 'no bucket', () => s3Store({ ...address(), bucket: 'another' }, fakeKeys)],
    [
      'nobody listens',
      'unreachable',
      () => s3Store({ ...address(), endpoint: 'http://127.0.0.1:9' }, fakeKeys, { request: 300, connection: 300, attempts: 1 }),
    ],
    [
      'a file in the way',
      'unreachable',
      async () => {
        await writeFile(join(folder, 'file'), 'x')
        return folderStore(join(folder, 'file'))
      },
    ],
  ] as const)('%s: %s', async (_name, kind, open) => {
    const store = await open()
    expect(await kindOf(store)).toBe(kind)
    store.close()
  })

  test('what is read back is other than what was put', async () => {
    const store = stores.get('folder')!
    const changed: ObjectStore = { ...store, put: (key, bytes, sha256) => store.put(key, Buffer.from(bytes).fill(0), sha256) }
    expect(await kindOf(changed)).toBe('different')
  })

  test.skipIf(process.getuid?.() === 0)('a folder that may not be written to', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o500 })
    expect(await kindOf(folderStore(closed))).toBe('denied')
    await chmod(closed, 0o700)
  })
})

describe('a start', () => {
  test('with a store that works says nothing', async () => {
    await requireStore(fake.settings)
  })

  test('with a store that refuses ends with one sentence', async () => {
    const settings = { ...fake.settings, keys: { ...fakeKeys, accessKeyId: 'another' } }
    await expect(requireStore(settings)).rejects.toEqual(new StartError('对象存储无法使用（拒绝访问）：请检查 STORE_URL 与访问密钥'))
  })
})

describe('the folder of files', () => {
  test('keys of uploads are files without their beginning', async () => {
    const root = join(folder, 'files')
    const store = folderStore(root, { strip: 'u/' })
    const name = `${randomBytes(16).toString('hex')}.webp`
    const key = `u/${name.slice(0, 2)}/${name}`
    await store.put(key, Buffer.from('picture'), createHash('sha256').update('picture').digest())
    expect(await readdir(join(root, name.slice(0, 2)))).toEqual([name])
    expect(await listed(store, 'u/')).toEqual([{ key, bytes: 7 }])
    await expect(store.get('o/ab/abc')).rejects.toThrow('not a key of this folder')
  })

  test.each(['../x', 'o/../x', '/etc/x', 'o//x', '', 'o/.part', 'o/a b'])('no key: %j', async (key) => {
    await expect(stores.get('folder')!.get(key)).rejects.toThrow('not a key')
  })

  test('what a killed writer left is listed by nobody and thrown away after a day', async () => {
    const root = join(folder, 'left')
    const store = folderStore(root)
    await mkdir(join(root, 'o/ab'), { recursive: true })
    const [young, old] = [join(root, 'o/ab/.0123456789abcdef.part'), join(root, 'o/ab/.fedcba9876543210.part')]
    for (const path of [young, old]) await writeFile(path, 'half')
    const before = new Date(Date.now() - 2 * 86_400_000)
    await utimes(old, before, before)
    expect(await listed(store, '')).toEqual([])
    expect(await readdir(join(root, 'o/ab'))).toEqual(['.0123456789abcdef.part'])
  })
})
