/** What has become of the steps of a day, kept: a row for each (`ingest_step`). */
import { type Kysely, sql } from 'kysely'
import type { Kept } from '../../db/tables/answers.ts'
import type { StoredFinding } from '../../db/tables/quality.ts'
import type { Database } from '../../db/tables.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import type { Step } from './questions.ts'

export interface StepKey {
  readonly market: SnapshotKind
  readonly day: string
  readonly step: Step
}

export async function rowOf(db: Kysely<Database>, { market, day, step }: StepKey) {
  return db
    .selectFrom('ingest_step')
    .select(['state', 'answers', 'snapshot_id'])
    .where('market', '=', market)
    .where('day', '=', day)
    .where('step', '=', step)
    .executeTakeFirst()
}

export interface Noted {
  readonly state: Database['ingest_step']['state']
  readonly answers: readonly Kept[]
  readonly report: string
  readonly snapshot_id: string | null
  /** From the question to the published row; nothing while the step is not done. */
  readonly seconds?: number
  readonly quarantined?: number
  readonly findings?: readonly StoredFinding[]
}

export async function note(
  db: Kysely<Database>,
  { market, day, step }: StepKey,
  { answers, seconds, findings, ...noted }: Noted,
): Promise<void> {
  const done = { ...(seconds !== undefined && { seconds }), ...(findings && { findings: JSON.stringify(findings) }) }
  const values = { ...noted, ...done, answers: JSON.stringify(answers) }
  await db
    .insertInto('ingest_step')
    .values({ market, day, step, ...values, tries: 1 })
    .onConflict((conflict) =>
      conflict.columns(['market', 'day', 'step']).doUpdateSet({
        ...values,
        tries: sql<number>`ingest_step.tries + ${noted.state === 'asked' || noted.state === 'waiting' ? 1 : 0}`,
        changed_at: sql<Date>`clock_timestamp()`,
      }),
    )
    .execute()
}

/** Keeps the codes of a day's rejected rows, with its bars. */
export async function keepRejected(db: Kysely<Database>, { market, day }: Omit<StepKey, 'step'>, codes: readonly string[]): Promise<void> {
  await db
    .updateTable('ingest_step')
    .set({ rejected: JSON.stringify(codes) })
    .where('market', '=', market)
    .where('day', '=', day)
    .where('step', '=', 'quotes')
    .execute()
}

/** Codes whose rows were rejected, by day. */
export async function rejectedOn(db: Kysely<Database>, market: SnapshotKind, days: readonly string[]): Promise<ReadonlySet<string>[]> {
  if (days.length === 0) return []
  const rows = await db
    .selectFrom('ingest_step')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'rejected'])
    .where('market', '=', market)
    .where('step', '=', 'quotes')
    .where('day', 'in', days)
    .execute()
  return days.map((day) => new Set(rows.find((row) => row.day === day)?.rejected))
}
