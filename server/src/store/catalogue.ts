/**
 * The catalogue of what lies in the object store. A publisher claims its keys, puts the bytes of those that are not there, and refers to them
 * in the transaction that publishes; the collector condemns what nothing refers to and deletes it days later. They meet at the row of the
 * key, so that either may be killed at any point.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db/tables.ts'

/** An object by its key, with its length in bytes. */
export interface StoredKey {
  readonly key: string
  readonly bytes: number
}

/** Every column that refers to an object, as table and column. A test compares it with the foreign keys of the database. */
export const references = [
  ['snapshot_object', 'key'],
  ['market_snapshot', 'store_key'],
  ['file', 'key'],
  ['report_share', 'key'],
  ['run_core', 'key'],
  ['raw_object', 'key'],
] as const

const keysAtOnce = 500

/**
 * Says that these objects are wanted, and returns the keys whose bytes have to be put. In one order, so that two publishers never wait for
 * each other.
 */
export async function claim(db: Kysely<Database>, wanted: readonly StoredKey[]): Promise<Set<string>> {
  const bytesOf = new Map(wanted.map(({ key, bytes }) => [key, bytes]))
  const keys = [...bytesOf.keys()].sort()
  const absent = new Set<string>()
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const part = keys.slice(at, at + keysAtOnce)
    const { rows } = await sql<{ key: string; state: number }>`
      insert into stored_object (key, bytes)
      select key, bytes from unnest(${part}::text[], ${part.map((key) => bytesOf.get(key)!)}::bigint[]) as wanted (key, bytes) order by key
      on conflict (key) do update set touched_at = now(), condemned_at = null,
        state = case stored_object.state when 2 then 0 else stored_object.state end
      returning key, state`.execute(db)
    for (const { key, state } of rows) if (state === 0) absent.add(key)
  }
  return absent
}

/** Says that the bytes of an object are durable. false: it is claimed by nobody any more, and has to be claimed again. */
export async function markThere(db: Kysely<Database>, key: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stored_object')
    .set({ state: 1, touched_at: sql<Date>`now()` })
    .where('key', '=', key)
    .where('state', 'in', [0, 1])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Says that a long publication still wants its objects. */
export async function touch(db: Kysely<Database>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const part = keys.slice(at, at + keysAtOnce).sort()
    await sql`update stored_object o set touched_at = now()
      from (select key from stored_object where key = any(${part}::text[]) order by key for update) locked where o.key = locked.key`.execute(
      db,
    )
  }
}

/** Locks the objects that a transaction is about to refer to, and returns those that are not there. */
export async function lockThere(transaction: Transaction<Database>, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from stored_object where key = any(${[...keys].sort()}::text[]) and state = 1 order by key for share`.execute(transaction)
  const there = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !there.has(key))
}

/** SQL: nothing refers to the object of a row of `stored_object`. */
const isUnreferenced = (row: string) =>
  sql.join(
    references.map(
      ([table, column]) => sql`not exists (select from ${sql.table(table)} r where r.${sql.ref(column)} = ${sql.ref(`${row}.key`)})`,
    ),
    sql` and `,
  )

/**
 * Condemns what was not touched for so long and what nothing refers to; a row that somebody is at is left for the next round, so that no
 * publisher waits for us, nor we for it.
 * @returns how many
 */
export async function condemn(db: Kysely<Database>, untouchedMs: number): Promise<number> {
  const { rows } = await sql`
    with idle as (
      select o.key from stored_object o
      where o.state <> 2 and o.touched_at <= now() - make_interval(secs => ${untouchedMs / 1_000}) and ${isUnreferenced('o')}
      for update skip locked
    )
    update stored_object o set state = 2, condemned_at = now() from idle where o.key = idle.key returning o.key`.execute(db)
  return rows.length
}

/** Keys that were condemned at least so long ago. */
export async function condemned(db: Kysely<Database>, sinceMs: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from stored_object where state = 2 and condemned_at <= now() - make_interval(secs => ${sinceMs / 1_000}) order by condemned_at`.execute(
    db,
  )
  return rows.map(({ key }) => key)
}

/**
 * Deletes one condemned object, in one transaction and in this order: 1 the row is locked; 2 a new statement looks whether something refers
 * to it by now, and then it is taken back; 3 the row is deleted, where the foreign keys have the last word; 4 the bytes are removed. A kill
 * before the commit leaves the row condemned, and the removal is repeated. A publisher that wants the key waits at the row, finds none and
 * puts the bytes anew.
 * @returns what became of it; `busy`: somebody else is at it
 */
export async function deleteCondemned(
  db: Kysely<Database>,
  key: string,
  remove: (key: string) => Promise<void>,
): Promise<'deleted' | 'taken back' | 'busy'> {
  return db.transaction().execute(async (transaction) => {
    const locked = await sql`select from stored_object where key = ${key} and state = 2 for update skip locked`.execute(transaction)
    if (locked.rows.length === 0) return 'busy'
    const { rows } = await sql`select from stored_object o where o.key = ${key} and ${isUnreferenced('o')}`.execute(transaction)
    if (rows.length === 0) {
      await transaction.updateTable('stored_object').set({ state: 1, condemned_at: null }).where('key', '=', key).execute()
      return 'taken back'
    }
    await transaction.deleteFrom('stored_object').where('key', '=', key).execute()
    await remove(key)
    return 'deleted'
  })
}

/** The stored copy of an object is wrong: the next publication that needs it puts the bytes again. */
export async function markAbsent(db: Kysely<Database>, key: string): Promise<void> {
  await db.updateTable('stored_object').set({ state: 0 }).where('key', '=', key).where('state', '=', 1).execute()
}
