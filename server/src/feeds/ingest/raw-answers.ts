/**
 * Answers of sources as they came, so that a day can be made again without asking anybody: `raw/<source>/<need>/<day>/<checksum>.gz`
 * below DATA_DIR. A file is written aside, flushed and renamed; its name says what is in it, so the same answer is kept once. Where STORE_URL
 * is set its bytes are an object, found by the same name (`raw-objects.ts`).
 *
 * Two kinds: the bytes that a source sent, as evidence; and what was read out of them, which is what a day is
 * made of again after a crash.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { flushFolder } from '../../base/flush-folder.ts'
import type { Kept, Need } from '../../db/tables/answers.ts'
import { writeFlushed } from '../../market/column-file.ts'
import { type SnapshotStore, snapshotStoreOf } from '../../store/snapshot-store.ts'
import type { Answer } from '../feed.ts'
import { forgetPlaces, giveAgain, placesBefore, readPlace, writePlace } from './raw-objects.ts'

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]
export const rawFolder = (dataDir: string): string => join(dataDir, 'raw')

/** Keeps what was read out of an answer. */
export async function keepAnswer<N extends Need>(
  dataDir: string,
  need: N,
  day: string,
  source: string,
  answer: Answer<N>,
): Promise<Kept<N>> {
  const text = Buffer.from(JSON.stringify(plain(answer)))
  return { need, source, ...(await keepBytes(dataDir, join(source, need, day), 'json', text)) }
}

/** Keeps the bytes of an answer under their checksum. */
export async function keepBytes(
  dataDir: string,
  folder: string,
  ending: 'json' | 'raw',
  bytes: Uint8Array,
): Promise<{ file: string; bytes: number; sha256: string }> {
  const sha256 = checksum(bytes)
  const file = join(folder, `${sha256.slice(0, 16)}.${ending}.gz`)
  const path = join(rawFolder(dataDir), file)
  const kept = { file, bytes: bytes.byteLength, sha256 }
  const store = snapshotStoreOf(dataDir)
  if (store) {
    if (!(await keptBytes(dataDir, kept)) || !(await giveAgain(store, file))) await writePlace(store, file, await zip(bytes))
    return kept
  }
  // A file that was damaged is written anew: else its answer would be asked for again and again.
  if (await keptBytes(dataDir, kept)) {
    // Its age counts from today on: a step that works on this day reads it again in a moment.
    await utimes(path, new Date(), new Date())
    return kept
  }
  await mkdir(dirname(path), { recursive: true })
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFlushed(aside, await zip(bytes))
  await rename(aside, path)
  await flushFolder(dirname(path))
  return kept
}

/** Copies the answers that lie in DATA_DIR alone into a store. They stay where they are. @returns how many */
export async function copyAnswers(store: Pick<SnapshotStore, 'db' | 'objects'>, dataDir: string): Promise<number> {
  const root = rawFolder(dataDir)
  let copied = 0
  for (const folder of await below([root], 3)) {
    for (const name of await listed(folder)) {
      const place = relative(root, join(folder, name))
      if (!name.endsWith('.gz') || (await readPlace(store, place))) continue
      await writePlace(store, place, await readFile(join(root, place)))
      copied++
    }
  }
  return copied
}

/** A kept answer; null where the file is gone or changed: then the source has to be asked again. */
export async function readAnswer<N extends Need>(dataDir: string, kept: Kept<N>): Promise<Answer<N> | null> {
  const bytes = await keptBytes(dataDir, kept)
  return bytes && (alive(JSON.parse(bytes.toString())) as Answer<N>)
}

/**
 * What a source answered to a question about the last day before, of several answers the longest; null: nothing is kept. Answers that were
 * not used are among them.
 */
export async function lastRows<N extends Need>(
  dataDir: string,
  need: N,
  source: string,
  day: string,
): Promise<Extract<Answer<N>, readonly unknown[]> | null> {
  const folder = join(source, need)
  const store = snapshotStoreOf(dataDir)
  if (store) {
    const places = (await placesBefore(store, folder, day)).filter((place) => place.endsWith('.json.gz'))
    for (const each of new Set(places.map(dirname))) {
      const longest = await longestOf(places.filter((place) => dirname(place) === each))
      if (longest) return longest
    }
  }
  const days = (await listed(join(rawFolder(dataDir), folder))).filter((each) => each < day).sort()
  for (const each of days.reverse()) {
    const names = (await listed(join(rawFolder(dataDir), folder, each))).filter((name) => name.endsWith('.json.gz'))
    const longest = await longestOf(names.map((name) => join(folder, each, name)))
    if (longest) return longest
  }
  return null

  async function longestOf(files: readonly string[]): Promise<Extract<Answer<N>, readonly unknown[]> | null> {
    const answers = await Promise.all(files.map(bytesOf))
    const rows = answers.flatMap((bytes) => (bytes ? [alive(JSON.parse(bytes.toString())) as Extract<Answer<N>, readonly unknown[]>] : []))
    return rows.length > 0 ? rows.reduce((most, some) => (some.length > most.length ? some : most)) : null
  }

  /** A file's name is the beginning of its checksum. */
  async function bytesOf(file: string): Promise<Buffer | null> {
    const bytes = await unpacked(dataDir, file)
    return bytes && checksum(bytes).startsWith(basename(file, '.json.gz')) ? bytes : null
  }
}

const checksum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function unpacked(dataDir: string, file: string): Promise<Buffer | null> {
  const store = snapshotStoreOf(dataDir)
  // What was kept before there was a store lies here.
  const packed = (store && (await readPlace(store, file))) ?? (await readFile(join(rawFolder(dataDir), file)).catch(() => null))
  return packed && (await unzip(packed).catch(() => null))
}

async function keptBytes(dataDir: string, { file, sha256 }: Pick<Kept, 'file' | 'sha256'>): Promise<Buffer | null> {
  const bytes = await unpacked(dataDir, file)
  return bytes && checksum(bytes) === sha256 ? bytes : null
}

const dayMs = 86_400_000

/**
 * Deletes answers that were last given more than so many days ago: an old day's answer that was asked for lately stays. A step reads
 * answers that are days old at most, and asks again for one that is gone.
 * @returns how many were deleted
 */
export async function sweepAnswers(dataDir: string, days: number): Promise<number> {
  const now = Date.now()
  const root = rawFolder(dataDir)
  const store = snapshotStoreOf(dataDir)
  let swept = store ? await forgetPlaces(store, days) : 0
  for (const folder of await below([root], 3)) {
    const names = await listed(folder)
    for (const name of names) {
      const file = join(folder, name)
      if (!(await isOlder(file, now - days * dayMs))) continue
      await rm(file, { force: true })
      swept++
    }
    // Not at once: an answer of that day may be on its way into it.
    if (names.length === 0 && (await isOlder(folder, now - dayMs))) await rmdir(folder).catch(() => {})
  }
  return swept
}

/** The folders so many levels down. */
async function below(folders: readonly string[], levels: number): Promise<readonly string[]> {
  if (levels === 0) return folders
  const next: string[] = []
  for (const folder of folders) for (const name of await listed(folder)) next.push(join(folder, name))
  return below(next, levels - 1)
}

const listed = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const isOlder = async (path: string, than: number): Promise<boolean> => ((await stat(path).catch(() => null))?.mtimeMs ?? than) < than

/** Values that JSON does not know: lists of numbers with null for NaN, maps as pairs, and NaN by itself. */
function plain(value: unknown): unknown {
  if (value instanceof Float64Array) {
    const numbers: (number | null)[] = new Array(value.length)
    for (let i = 0; i < value.length; i++) numbers[i] = value[i] === value[i] ? value[i]! : null
    return { numbers }
  }
  if (value instanceof Map) return { map: [...value].map(([key, each]) => [key, plain(each)]) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

function alive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(alive)
  if (value === null || typeof value !== 'object') return value
  if ('numbers' in value) {
    const numbers = value.numbers as (number | null)[]
    const cells = new Float64Array(numbers.length)
    for (let i = 0; i < cells.length; i++) cells[i] = numbers[i] ?? Number.NaN
    return cells
  }
  if ('map' in value) return new Map((value.map as [unknown, unknown][]).map(([key, each]) => [key, alive(each)]))
  if ('number' in value) return Number(value.number)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, alive(each)]))
}
