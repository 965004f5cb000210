/**
 * Store of the newest quotes for all processes: one row of PostgreSQL. A quote stays until its source, or another one, has a newer one: without
 * a source the last prices stay, with the time at which they were made.
 */
import { type Quotes as MarketQuotes, type QuoteNumber, quoteNumbers } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { shanghaiDate, shanghaiTime } from '../../base/time.ts'
import type { Database } from '../../db/tables.ts'
import type { Quotes } from '../rows.ts'

/** NOTIFY: there are newer quotes. */
export const quoteChannel = 'live_quotes'

/** Quotes of the day that is not over, of both markets, as they travel. */
export interface LiveQuotes extends MarketQuotes {
  /** Ascending. */
  readonly seq: number
  /** When the newest of them was made, ISO 8601. */
  readonly quotedAt: string
}

/** Snapshot of the quotes of a day: every number, and when each row was made. */
export interface QuoteSnapshot {
  readonly date: string
  readonly codes: readonly string[]
  readonly columns: ReadonlyMap<QuoteNumber, Float64Array>
  readonly madeAt: Float64Array
}

export interface Stamp {
  readonly seq: number
  readonly date: string
  readonly quotedAt: Date
  readonly source: string
}

/** Quotes of one day over those before: of each code the newer. Rows that were made on another day say nothing of this one. */
export function taped(before: QuoteSnapshot | null, quotes: Quotes, receivedAt: number): QuoteSnapshot {
  const { date } = quotes
  const rows = new Map<string, { of: Pick<Quotes, 'columns'>; row: number; madeAt: number }>()
  const add = (of: Pick<Quotes, 'codes' | 'columns' | 'madeAt'>) => {
    of.codes.forEach((code, row) => {
      // A source that does not say when has it from now.
      const made = of.madeAt[row]!
      const madeAt = made === made ? made : receivedAt
      const known = rows.get(code)
      if (shanghaiDate(new Date(madeAt)) === date && (!known || madeAt >= known.madeAt)) rows.set(code, { of, row, madeAt })
    })
  }
  if (before?.date === date) add(before)
  add(quotes)
  const codes = [...rows.keys()].sort()
  const all = codes.map((code) => rows.get(code)!)
  const columns = quoteNumbers.map(
    (key) => [key, Float64Array.from(all, ({ of, row }) => of.columns.get(key)?.[row] ?? Number.NaN)] as const,
  )
  return { date, codes, columns: new Map(columns), madeAt: Float64Array.from(all, ({ madeAt }) => madeAt) }
}

/** When the newest row was made, in ms; NaN where there is none. */
export const newestOf = ({ madeAt }: Pick<QuoteSnapshot, 'madeAt'>): number =>
  madeAt.length === 0 ? Number.NaN : madeAt.reduce((a, b) => Math.max(a, b))

/** Keeps quotes in the place of those before, and tells everybody. */
export async function keepTape(db: Kysely<Database>, tape: QuoteSnapshot, source: string): Promise<void> {
  const { date, codes, columns, madeAt } = tape
  const numbers = Buffer.concat([...quoteNumbers.map((key) => columns.get(key)!), madeAt].map(bytesOf))
  const quotedAt = new Date(newestOf(tape)).toISOString()
  await sql`
    with kept as (
      insert into live_quotes (seq, trade_date, quoted_at, source, codes, numbers)
      values (nextval('live_quotes_seq'), ${date}, ${quotedAt}, ${source}, ${codes.join()}, ${numbers})
      on conflict (one) do update set seq = excluded.seq, trade_date = excluded.trade_date, quoted_at = excluded.quoted_at,
        received_at = clock_timestamp(), source = excluded.source, codes = excluded.codes, numbers = excluded.numbers
      returning seq
    )
    select pg_notify(${quoteChannel}, seq::text) from kept`.execute(db)
}

/** The quotes that are kept, or null. */
export async function readTape(db: Kysely<Database>): Promise<{ tape: QuoteSnapshot; stamp: Stamp } | null> {
  const row = await db.selectFrom('live_quotes').selectAll().executeTakeFirst()
  if (!row) return null
  const codes = row.codes === '' ? [] : row.codes.split(',')
  const part = (k: number) => doublesOf(row.numbers, k * codes.length, codes.length)
  const columns = new Map(quoteNumbers.map((key, k) => [key, part(k)] as const))
  const tape = { date: row.trade_date, codes, columns, madeAt: part(quoteNumbers.length) }
  return { tape, stamp: { seq: row.seq, date: row.trade_date, quotedAt: row.quoted_at, source: row.source } }
}

/** Of which quotes there are, without them. */
export async function newestStamp(db: Kysely<Database>): Promise<Stamp | null> {
  const row = await db.selectFrom('live_quotes').select(['seq', 'trade_date', 'quoted_at', 'source']).executeTakeFirst()
  return row ? { seq: row.seq, date: row.trade_date, quotedAt: row.quoted_at, source: row.source } : null
}

/** For the compute child. */
export function liveQuotes({ tape, stamp }: { tape: QuoteSnapshot; stamp: Stamp }): LiveQuotes {
  const { date, codes, columns } = tape
  return { seq: stamp.seq, quotedAt: shanghaiTime(stamp.quotedAt), date, codes, columns }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) => Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/** Copied: bytes of a query need not begin where doubles may. */
function doublesOf(bytes: Buffer, from: number, count: number): Float64Array {
  const cells = new Float64Array(count)
  bytesOf(cells).set(bytes.subarray(8 * from, 8 * (from + count)))
  return cells
}
