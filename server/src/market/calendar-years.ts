/**
 * Years of the calendar that are kept in PostgreSQL: told by sources, or set by the operator, whose word stands. Every process takes them
 * over its own table at its start and whenever they change.
 */
import { type Kysely, sql } from 'kysely'
import { audit } from '../db/audit.ts'
import { sessionOf } from '../db/connect.ts'
import type { Listening } from '../db/direct-session.ts'
import type { Database } from '../db/tables.ts'
import { watchRows } from '../db/watch-rows.ts'
import { builtInYear, type ClosedWeekdays, learnYears } from './calendar.ts'

/** What is kept of a year. `closed`: null while no source has told the whole year. */
export interface KeptYear {
  readonly year: number
  readonly by: 'operator' | 'source'
  readonly closed: ClosedWeekdays | null
  /** When the operator or the source gave it. */
  readonly saidAt: Date | null
  /** Of a source: which one, when one was asked last, and why that answer was not taken. */
  readonly source: string | null
  readonly askedAt: Date | null
  readonly why: string | null
}

const channel = 'calendar_year'
const tellAll = (db: Kysely<Database>) => sql`select pg_notify(${channel}, '')`.execute(db)

/** By year, the operator's word after the source's. */
export async function keptYears(db: Kysely<Database>): Promise<KeptYear[]> {
  const rows = await db.selectFrom('calendar_year').selectAll().orderBy('year').orderBy('said_by', 'desc').execute()
  return rows.map(({ year, said_by: by, closed, said_at: saidAt, source, asked_at: askedAt, why }) => {
    return { year, by, closed, saidAt, source, askedAt, why }
  })
}

/** The calendar in force of each year, of rows as `keptYears` gives them. No source may correct the program's own table. */
export function standing(kept: readonly KeptYear[]): ReadonlyMap<number, KeptYear & { readonly closed: ClosedWeekdays }> {
  const years = new Map<number, KeptYear & { closed: ClosedWeekdays }>()
  for (const { closed, ...one } of kept)
    if (closed !== null && (one.by === 'operator' || one.year > builtInYear)) years.set(one.year, { ...one, closed })
  return years
}

/** Takes what is kept into this process, and tells it. */
export async function readCalendar(db: Kysely<Database>): Promise<ReadonlyMap<number, ClosedWeekdays>> {
  const years = new Map([...standing(await keptYears(db))].map(([year, { closed }]) => [year, closed]))
  learnYears(years)
  return years
}

/** A message may be lost with its connection. */
const lookAgainMs = 60_000

/**
 * Reads the calendar now and again after every change, until closed; `onChange` passes it on to a process without a database.
 * @throws when PostgreSQL cannot be reached
 */
export async function followCalendar(
  db: Kysely<Database>,
  log: (event: string, details: Record<string, unknown>) => void,
  onChange: (years: ReadonlyMap<number, ClosedWeekdays>) => void = () => {},
): Promise<Listening> {
  const following = await watchRows(
    sessionOf(db),
    channel,
    async () => onChange(await readCalendar(db)),
    (error) => log('calendar not read', { err: error }),
  )
  const looking = setInterval(following.again, lookAgainMs).unref()
  return {
    close: async () => {
      clearInterval(looking)
      await following.close()
    },
  }
}

/** A question about a year: its source and its time. */
export interface YearQuestion {
  readonly year: number
  readonly source: string
  readonly at: Date
}

/** Keeps a whole year that a source gave. */
export async function keepAnsweredYear(db: Kysely<Database>, { year, source, at }: YearQuestion, closed: ClosedWeekdays): Promise<void> {
  const values = { source, closed, asked_at: at, why: null }
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('calendar_year')
      .values({ year, said_by: 'source', said_at: at, ...values })
      .onConflict((conflict) =>
        conflict.columns(['year', 'said_by']).doUpdateSet({
          ...values,
          said_at: sql`case when calendar_year.closed = excluded.closed then calendar_year.said_at else excluded.said_at end`,
        }),
      )
      .execute()
    await tellAll(tx)
  })
}

/** Keeps that a source was asked for a year and that its answer cannot be taken. A former answer stays. */
export async function keepUntold(db: Kysely<Database>, { year, source, at }: YearQuestion, why: string): Promise<void> {
  const values = { asked_at: at, why }
  await db
    .insertInto('calendar_year')
    .values({ year, said_by: 'source', source, ...values })
    .onConflict((conflict) => conflict.columns(['year', 'said_by']).doUpdateSet(values))
    .execute()
}

/** The operator's word. */
export async function setYear(db: Kysely<Database>, year: number, closed: ClosedWeekdays): Promise<void> {
  const values = { closed, said_at: sql<Date>`clock_timestamp()` }
  await db.transaction().execute(async (tx) => {
    const before = await wordOf(tx, year)
    await tx
      .insertInto('calendar_year')
      .values({ year, said_by: 'operator', ...values })
      .onConflict((conflict) => conflict.columns(['year', 'said_by']).doUpdateSet(values))
      .execute()
    await audit(tx, { actor: 'operator', action: 'calendar.set', before: { year, closed: before }, after: { year, closed } })
    await tellAll(tx)
  })
}

/** Takes the operator's word back. @returns false: there was none */
export async function forgetYear(db: Kysely<Database>, year: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await wordOf(tx, year)
    if (before === null) return false
    await tx.deleteFrom('calendar_year').where('year', '=', year).where('said_by', '=', 'operator').execute()
    await audit(tx, { actor: 'operator', action: 'calendar.forget', before: { year, closed: before }, after: { year, closed: null } })
    await tellAll(tx)
    return true
  })
}

async function wordOf(tx: Kysely<Database>, year: number): Promise<ClosedWeekdays | null> {
  const row = await tx
    .selectFrom('calendar_year')
    .select('closed')
    .where('year', '=', year)
    .where('said_by', '=', 'operator')
    .forUpdate()
    .executeTakeFirst()
  return row?.closed ?? null
}
