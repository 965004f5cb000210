/** Compares what the catalogue says with what the store has. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { deleteCondemned, markAbsent } from './catalogue.ts'
import { type ObjectStore, StoreError } from './object-store.ts'
import { readVerified } from './read-object.ts'
import { hashOf } from './store-manifest.ts'

interface Place {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
}

/** What a fault of an object strikes. */
interface Struck {
  readonly key: string
  readonly fault: 'missing' | 'another length' | 'other bytes'
  /** Folders of snapshots, and what else refers to it, in words for the operator. */
  readonly needs: readonly string[]
}

export interface Audit {
  /** Of the catalogue. */
  readonly objects: number
  readonly bytes: number
  /** In the store without a row: what a writer left who was killed, or what a restored database does not know. */
  readonly unknown: readonly { readonly key: string; readonly bytes: number }[]
  readonly struck: readonly Struck[]
  /** Objects that were read and hashed. */
  readonly verified: number
}

const prefixes = ['o/', 'u/']
const readAtOnce = 4

/** `verify`: reads and hashes all. A wrong object is marked, so that the next publication that has its bytes writes them again. @throws StoreError */
export async function auditStore({ db, objects }: Place, { verify }: { readonly verify: boolean }): Promise<Audit> {
  const listed = new Map<string, number>()
  for (const prefix of prefixes) for await (const { key, bytes } of objects.list(prefix)) listed.set(key, bytes)
  // After the listing: a key is claimed before its bytes are put, so that one without a row was put by nobody who still works.
  const rows = await db.selectFrom('stored_object').select(['key', 'bytes', 'state']).execute()
  const known = new Map(rows.map(({ key, bytes, state }) => [key, { bytes: Number(bytes), state }]))
  const unknown: Audit['unknown'][number][] = []
  for (const [key, bytes] of listed) if (!known.has(key) && (await objects.head(key))) unknown.push({ key, bytes })

  const faults = new Map<string, Struck['fault']>()
  const referred = await referredKeys(db)
  for (const [key, { bytes, state }] of known) {
    // One that is claimed and not put yet is missed by nobody until something refers to it.
    if (state === 2 || (state === 0 && !referred.has(key))) continue
    const there = listed.get(key) ?? (await objects.head(key))?.bytes
    if (there === undefined || state === 0) faults.set(key, 'missing')
    else if (there !== bytes) faults.set(key, 'another length')
  }
  let verified = 0
  if (verify) {
    const waiting = [...known].filter(([key, { state }]) => state === 1 && key.startsWith('o/') && !faults.has(key)).map(([key]) => key)
    const lane = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        verified++
        if (!(await isRight(objects, key))) faults.set(key, 'other bytes')
      }
    }
    await Promise.all(Array.from({ length: readAtOnce }, lane))
  }
  const struck: Struck[] = []
  for (const [key, fault] of faults) {
    await markAbsent(db, key)
    struck.push({ key, fault, needs: await needsOf(db, key) })
  }
  return { objects: known.size, bytes: [...known.values()].reduce((sum, { bytes }) => sum + bytes, 0), unknown, struck, verified }
}

/** Deletes objects without a row, by way of the catalogue: a publisher that wants one of them at this moment keeps it. @returns how many */
export async function deleteUnknown({ db, objects }: Place, unknown: Audit['unknown']): Promise<number> {
  let deleted = 0
  for (const { key, bytes } of unknown) {
    await sql`insert into stored_object (key, bytes, state, condemned_at) values (${key}, ${bytes}, 2, now()) on conflict (key) do nothing`.execute(
      db,
    )
    if ((await deleteCondemned(db, key, objects.remove)) === 'deleted') deleted++
  }
  return deleted
}

async function isRight(objects: ObjectStore, key: string): Promise<boolean> {
  try {
    return (await readVerified(objects, key, hashOf(key))) !== null
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'different') return false
    throw error
  }
}

const references = sql`
  select key, 'snapshot' as what, m.folder as name from snapshot_object s join market_snapshot m on m.id = s.snapshot_id
  union all select key, 'run', run_id::text from run_core where key is not null
  union all select key, 'share', id::text from report_share where key is not null
  union all select key, 'file', name from file where key is not null
  union all select key, 'answer', place from raw_object`

const words: Readonly<Record<string, string>> = { snapshot: '行情', run: '回测', share: '分享', file: '上传文件', answer: '数据源答复' }

async function referredKeys(db: Kysely<Database>): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select distinct key from (${references}) r`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

async function needsOf(db: Kysely<Database>, key: string): Promise<string[]> {
  const { rows } = await sql<{ what: string; name: string }>`select what, name from (${references}) r where key = ${key} limit 20`.execute(
    db,
  )
  return rows.map(({ what, name }) => `${words[what]} ${name}`)
}
