/** Stores the states of a day's parts, one row for each (table `day_part`). */
import { type Kysely, sql } from 'kysely'
import { type DayPart, dayParts } from '../../db/tables/day-parts.ts'
import type { Database } from '../../db/tables.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import { type PartState, stateOf } from './day-parts.ts'

export interface OpenPart extends PartState {
  readonly market: SnapshotKind
  readonly day: string
  readonly source: string | null
  readonly askedAt: Date
  /** It is not asked for any more. */
  readonly closed: boolean
}

/** @param askedAt when the parts were asked for; one that a day made again only counts anew keeps its hour: `isAsked` */
export async function keepParts(
  db: Kysely<Database>,
  { market, day }: { readonly market: SnapshotKind; readonly day: string },
  states: readonly PartState[],
  { source, askedAt, isAsked }: { readonly source: string | null; readonly askedAt: Date; isAsked(part: DayPart): boolean },
): Promise<void> {
  if (states.length === 0) return
  const askedParts = dayParts.filter(isAsked)
  const rows = states.map(({ part, expected, found, lacking }) => ({
    ...{ market, day, part, expected, found, source: found > 0 ? source : null, asked_at: askedAt },
    state: stateOf({ expected, found }),
    lacking: JSON.stringify(lacking),
  }))
  await db
    .insertInto('day_part')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['market', 'day', 'part']).doUpdateSet((row) => ({
        state: row.ref('excluded.state'),
        expected: row.ref('excluded.expected'),
        found: row.ref('excluded.found'),
        lacking: row.ref('excluded.lacking'),
        source: row.ref('excluded.source'),
        asked_at: sql<Date>`case when excluded.part = any(${askedParts}) then excluded.asked_at else day_part.asked_at end`,
      })),
    )
    .execute()
}

/** Records that open parts were asked for, whether or not an answer came. */
export async function noteAsked(
  db: Kysely<Database>,
  { market, day }: { readonly market: SnapshotKind; readonly day: string },
  parts: readonly DayPart[],
  askedAt: Date,
): Promise<void> {
  if (parts.length === 0) return
  await db
    .updateTable('day_part')
    .set({ asked_at: askedAt })
    .where('market', '=', market)
    .where('day', '=', day)
    .where('part', 'in', parts)
    .execute()
}

const columns = ['market', 'day', 'part', 'expected', 'found', 'lacking', 'source', 'asked_at', 'closed'] as const

/** Parts of days from one on that are not whole, by day. */
export async function openParts(db: Kysely<Database>, from: string, to = '9999-12-31'): Promise<OpenPart[]> {
  const rows = await db
    .selectFrom('day_part')
    .select(columns)
    .where('state', '!=', 'whole')
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('market')
    .orderBy('part')
    .execute()
  return rows.map(({ asked_at: askedAt, ...row }) => ({ ...row, askedAt }))
}

/** What is known of the parts of one day of a market. */
export async function partsOn(db: Kysely<Database>, market: SnapshotKind, day: string): Promise<(OpenPart & { state: string })[]> {
  const rows = await db
    .selectFrom('day_part')
    .select([...columns, 'state'])
    .where('market', '=', market)
    .where('day', '=', day)
    .execute()
  return rows.map(({ asked_at: askedAt, ...row }) => ({ ...row, askedAt }))
}

/** Parts of days before one are not asked for any more. @returns those that were open until now */
export async function closeParts(db: Kysely<Database>, before: string): Promise<{ market: SnapshotKind; day: string; part: DayPart }[]> {
  return db
    .updateTable('day_part')
    .set({ closed: true })
    .where('state', '!=', 'whole')
    .where('closed', '=', sql<boolean>`false`)
    .where('day', '<', before)
    .returning(['market', 'day', 'part'])
    .execute()
}
