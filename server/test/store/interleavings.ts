/** Publishers and collectors at once on few keys, with the guards of days shortened to milliseconds: whether a published snapshot ever lacks its bytes. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../src/db/tables.ts'
import { claim, condemn, condemned, deleteCondemned, lockThere, markThere } from '../../src/store/catalogue.ts'
import { objectKey } from '../../src/store/object-store.ts'

/** What a mutant does otherwise. */
interface Steps {
  claim(db: Kysely<Database>, keys: readonly string[]): Promise<Set<string>>
  /** Whether the bytes of a claimed key are put. */
  puts(isAbsent: boolean): boolean
  /** Keys that are not there, of those that are about to be referred to. */
  gone(transaction: Transaction<Database>, keys: readonly string[]): Promise<readonly string[]>
  delete(db: Kysely<Database>, key: string, remove: (key: string) => Promise<void>): Promise<unknown>
}

const right: Steps = {
  claim: (db, keys) =>
    claim(
      db,
      keys.map((key) => ({ key, bytes: 1 })),
    ),
  puts: (isAbsent) => isAbsent,
  gone: lockThere,
  delete: deleteCondemned,
}

const rowOf = (key: string) => sql`select from stored_object where key = ${key}`
const isReferred = async (db: Kysely<Database>, key: string): Promise<boolean> =>
  (await sql`select from snapshot_object where key = ${key} union all select from market_snapshot where store_key = ${key}`.execute(db))
    .rows.length > 0

/** Each of them must be caught. */
export const mutants: Readonly<Record<string, Partial<Steps>>> = {
  'delete without the row lock': {
    delete: (db, key, remove) =>
      db.transaction().execute(async (transaction) => {
        if ((await sql`${rowOf(key)} and state = 2`.execute(transaction)).rows.length === 0 || (await isReferred(transaction, key))) return
        await remove(key)
        await transaction.deleteFrom('stored_object').where('key', '=', key).execute()
      }),
  },
  'removal from the store before the row': {
    delete: async (db, key, remove) => {
      if ((await sql`${rowOf(key)} and state = 2`.execute(db)).rows.length === 0 || (await isReferred(db, key))) return
      await remove(key)
      await deleteCondemned(db, key, async () => {})
    },
  },
  'no second look for references': {
    delete: (db, key, remove) =>
      db.transaction().execute(async (transaction) => {
        if ((await sql`${rowOf(key)} and state = 2 for update skip locked`.execute(transaction)).rows.length === 0) return
        await transaction.deleteFrom('stored_object').where('key', '=', key).execute()
        await remove(key)
      }),
  },
  'a claim that leaves the state 2': {
    claim: async (db, keys) => {
      const { rows } = await sql<{
        key: string
        state: number
      }>`insert into stored_object (key, bytes) select unnest(${[...keys].sort()}::text[]), 1
        on conflict (key) do update set touched_at = now() returning key, state`.execute(db)
      return new Set(rows.filter(({ state }) => state === 0).map(({ key }) => key))
    },
  },
  'no put of what is claimed': { puts: () => false },
  'a publication without the look at the states': { gone: async () => [] },
}

interface Outcome {
  readonly published: number
  /** Publications that were begun anew since an object was taken away under them. */
  readonly repeated: number
  /** Publications that never came through. */
  readonly stuck: number
  /** Published snapshots whose bytes were not there. */
  readonly lost: number
  readonly errors: readonly string[]
}

const publishers = 5
const collectors = 2
const guardMs = 3
const mostTries = 30

interface Asked {
  readonly publications: number
  readonly seed: number
  readonly keyCount?: number
  readonly mutant?: Partial<Steps>
  readonly until?: boolean
}

/** `until`: ends early, as soon as something is wrong. On fewer keys publishers and collectors meet oftener. */
export async function interleave(
  db: Kysely<Database>,
  { publications, seed, keyCount = 40, mutant = {}, until = false }: Asked,
): Promise<Outcome> {
  const steps = { ...right, ...mutant }
  const below = chance(seed)
  const bytes = new Set<string>()
  const keys = Array.from({ length: keyCount }, (_, i) => objectKey(createHash('sha256').update(`${seed} ${i}`).digest('hex')))
  const pause = () => sleep(below(4))
  const outcome = { published: 0, repeated: 0, stuck: 0, lost: 0, errors: [] as string[] }
  let left = publications
  const isWrong = () => outcome.lost + outcome.stuck + outcome.errors.length > 0
  const goesOn = () => left > 0 && !(until && isWrong())
  const remove = async (key: string) => {
    await pause()
    bytes.delete(key)
  }

  const publish = async (): Promise<void> => {
    const wanted = [...new Set(Array.from({ length: 2 + below(5) }, () => keys[below(keyCount)]!))]
    for (let tries = 1; ; tries++) {
      const absent = await steps.claim(db, wanted)
      for (const key of wanted) {
        if (!absent.has(key)) continue
        await pause()
        if (steps.puts(true)) bytes.add(key)
        await markThere(db, key)
      }
      await pause()
      const id = uuid()
      const isPublished = await db
        .transaction()
        .execute(async (transaction) => {
          if ((await steps.gone(transaction, wanted)).length > 0) return false
          await insertSnapshot(transaction, id)
          await sql`insert into snapshot_object (snapshot_id, key) select ${id}::uuid, unnest(${wanted}::text[])`.execute(transaction)
          return true
        })
        .catch((error: { code?: string; message: string }) => {
          // A key whose row is gone: the foreign key refuses it.
          if (error.code === '23503') return false
          throw error
        })
      if (isPublished) {
        outcome.published++
        if (wanted.some((key) => !bytes.has(key))) outcome.lost++
        await pause()
        await pause()
        if (wanted.some((key) => !bytes.has(key))) outcome.lost++
        await db.deleteFrom('market_snapshot').where('id', '=', id).execute()
        return
      }
      outcome.repeated++
      if (tries >= mostTries) {
        outcome.stuck++
        return
      }
    }
  }
  const actors = [
    ...Array.from({ length: publishers }, () => async () => {
      while (goesOn()) {
        left--
        await publish()
      }
    }),
    ...Array.from({ length: collectors }, () => async () => {
      while (goesOn()) {
        await condemn(db, guardMs)
        for (const key of await condemned(db, guardMs)) await steps.delete(db, key, remove)
        await pause()
      }
    }),
  ]
  await Promise.all(actors.map((actor) => actor().catch((error: Error) => void outcome.errors.push(error.message))))
  return outcome
}

/** When all has ended: what the catalogue says is there, is there, and nothing else. */
export async function collectAll(db: Kysely<Database>): Promise<number> {
  await condemn(db, 0)
  for (const key of await condemned(db, 0)) await deleteCondemned(db, key, async () => {})
  const { rows } = await sql`select from stored_object`.execute(db)
  return rows.length
}

const insertSnapshot = (transaction: Transaction<Database>, id: string) =>
  transaction
    .insertInto('market_snapshot')
    .values({
      ...{ id, kind: 'index', data_mode: 'imported', data_version: id, folder: id, manifest_sha256: '', first_date: '2026-01-05' },
      ...{ last_date: '2026-01-05', securities: 1, quality: '{}' },
    })
    .execute()

/** Whole numbers below a limit; the same seed, the same numbers (mulberry32). */
function chance(seed: number): (limit: number) => number {
  let state = seed | 0
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit)
  }
}
