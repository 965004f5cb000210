import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type ObjectStore, objectKey } from '../../src/store/object-store.ts'
import { probeStore } from '../../src/store/probe.ts'
import { readObject, readVerified } from '../../src/store/read-object.ts'

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Bytes of their own with their key and hash. */
export function thing(size = 1_000) {
  const bytes = randomBytes(size)
  const sha256 = hashOf(bytes)
  return { bytes, sha256, key: objectKey(sha256.toString('hex')) }
}

const put = async (store: ObjectStore, one = thing()) => {
  await store.put(one.key, one.bytes, one.sha256)
  return one
}
/** What a store lists. */
export async function listed(store: ObjectStore, prefix: string): Promise<{ key: string; bytes: number }[]> {
  const found = []
  for await (const each of store.list(prefix)) found.push(each)
  return found
}
const keysOf = async (store: ObjectStore, prefix: string) => (await listed(store, prefix)).map(({ key }) => key).sort()

/** What every store must do, whatever it is: names and works, each with keys of its own. */
export const conformance: Readonly<Record<string, (store: ObjectStore) => Promise<void>>> = {
  'reads back what was put': async (store) => {
    const { key, bytes } = await put(store)
    expect(await readObject(store, key)).toEqual(bytes)
  },
  'reads back an empty object': async (store) => {
    const { key } = await put(store, thing(0))
    expect(await readObject(store, key)).toEqual(Buffer.alloc(0))
    expect(await store.head(key)).toEqual({ bytes: 0 })
  },
  'reads back one byte': async (store) => {
    const { key, bytes } = await put(store, thing(1))
    expect(await readObject(store, key)).toEqual(bytes)
  },
  'reads back eight megabytes': async (store) => {
    const { key, bytes } = await put(store, thing(8 << 20))
    expect((await readObject(store, key))!.equals(bytes)).toBe(true)
  },
  'reads back what has line ends and zeros': async (store) => {
    const bytes = Buffer.from('\r\n\0\n\r\u0000\ufeff')
    const sha256 = hashOf(bytes)
    const { key } = await put(store, { bytes, sha256, key: objectKey(sha256.toString('hex')) })
    expect(await readObject(store, key)).toEqual(bytes)
  },
  'takes a view of a larger buffer': async (store) => {
    const { bytes } = thing(100)
    const view = bytes.subarray(10, 20)
    const sha256 = hashOf(view)
    const key = objectKey(sha256.toString('hex'))
    await store.put(key, view, sha256)
    expect(await readObject(store, key)).toEqual(Buffer.from(view))
  },
  'has no object that was not put': async (store) => {
    expect(await store.get(thing().key)).toBeNull()
  },
  'has no head of what was not put': async (store) => {
    expect(await store.head(thing().key)).toBeNull()
  },
  'says the length': async (store) => {
    const { key } = await put(store, thing(1_234))
    expect(await store.head(key)).toEqual({ bytes: 1_234 })
  },
  'puts the same object twice': async (store) => {
    const one = await put(store)
    await put(store, one)
    expect(await readObject(store, one.key)).toEqual(one.bytes)
  },
  'puts the same object from several writers at once': async (store) => {
    const one = thing(100_000)
    await Promise.all(Array.from({ length: 5 }, () => put(store, one)))
    expect((await readObject(store, one.key))!.equals(one.bytes)).toBe(true)
  },
  'replaces a damaged copy': async (store) => {
    const one = thing()
    const other = randomBytes(one.bytes.length)
    await store.put(one.key, other, hashOf(other))
    await put(store, one)
    expect(await readObject(store, one.key)).toEqual(one.bytes)
  },
  'reads the beginning of an object': async (store) => {
    const { key, bytes } = await put(store)
    expect(await readObject(store, key, { at: 0, bytes: 10 })).toEqual(bytes.subarray(0, 10))
  },
  'reads the middle of an object': async (store) => {
    const { key, bytes } = await put(store)
    expect(await readObject(store, key, { at: 400, bytes: 300 })).toEqual(bytes.subarray(400, 700))
  },
  'reads one byte of an object': async (store) => {
    const { key, bytes } = await put(store)
    expect(await readObject(store, key, { at: 999, bytes: 1 })).toEqual(bytes.subarray(999))
  },
  'reads a part up to the end where it asks for more': async (store) => {
    const { key, bytes } = await put(store)
    expect(await readObject(store, key, { at: 900, bytes: 300 })).toEqual(bytes.subarray(900))
  },
  'reads nothing behind the end': async (store) => {
    const { key } = await put(store)
    expect(await readObject(store, key, { at: 2_000, bytes: 10 })).toEqual(Buffer.alloc(0))
  },
  'reads no part of nothing': async (store) => {
    expect(await readObject(store, thing().key, { at: 0, bytes: 10 })).toBeNull()
  },
  'reads an empty part': async (store) => {
    const { key } = await put(store)
    expect(await readObject(store, key, { at: 5, bytes: 0 })).toEqual(Buffer.alloc(0))
  },
  'forgets what was removed': async (store) => {
    const { key } = await put(store)
    await store.remove(key)
    expect(await store.get(key)).toBeNull()
    expect(await store.head(key)).toBeNull()
  },
  'removes what is not there': async (store) => {
    await store.remove(thing().key)
  },
  'removes twice': async (store) => {
    const { key } = await put(store)
    await store.remove(key)
    await store.remove(key)
    expect(await store.get(key)).toBeNull()
  },
  'has again what was put after its removal': async (store) => {
    const one = await put(store)
    await store.remove(one.key)
    await put(store, one)
    expect(await readObject(store, one.key)).toEqual(one.bytes)
  },
  'removes nothing else': async (store) => {
    const [one, other] = [await put(store), await put(store)]
    await store.remove(one.key)
    expect(await readObject(store, other.key)).toEqual(other.bytes)
  },
  'lists what begins with a prefix, over several pages': async (store) => {
    const mark = randomBytes(6).toString('hex')
    const made = Array.from({ length: 12 }, (_, i) => `u/${mark}/${i}.webp`)
    for (const key of made) await store.put(key, Buffer.from(key), hashOf(Buffer.from(key)))
    await store.put(`u/${mark}x/other.webp`, Buffer.from('x'), hashOf(Buffer.from('x')))
    expect(await keysOf(store, `u/${mark}/`)).toEqual(made.sort())
  },
  'lists nothing where nothing is': async (store) => {
    expect(await keysOf(store, `u/${randomBytes(6).toString('hex')}/`)).toEqual([])
  },
  'lists lengths': async (store) => {
    const mark = randomBytes(6).toString('hex')
    await store.put(`u/${mark}/a.webp`, Buffer.alloc(77), hashOf(Buffer.alloc(77)))
    expect(await listed(store, `u/${mark}/`)).toEqual([{ key: `u/${mark}/a.webp`, bytes: 77 }])
  },
  'lists no more what was removed': async (store) => {
    const key = `u/${randomBytes(6).toString('hex')}/a.webp`
    await store.put(key, Buffer.from('a'), hashOf(Buffer.from('a')))
    await store.remove(key)
    expect(await keysOf(store, key.slice(0, -6))).toEqual([])
  },
  'notices bytes of another hash': async (store) => {
    const one = thing()
    const other = randomBytes(one.bytes.length)
    await store.put(one.key, other, hashOf(other))
    await expect(readVerified(store, one.key, one.sha256.toString('hex'))).rejects.toMatchObject({ kind: 'different' })
  },
  'passes the probe of the start': async (store) => {
    await probeStore(store)
    expect(await keysOf(store, 'probe/')).toEqual([])
  },
}
