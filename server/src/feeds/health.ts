/** How the sources answer, where every process finds it: a row for each question (`feed_health`). */
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { FeedErrorKind } from '../db/tables/answers.ts'
import type { Database } from '../db/tables.ts'
import type { QuestionOutcome } from './chain.ts'

/** Quotes are asked for every three seconds: that a source goes on as before is written so often only. */
const againMs = 15_000

/** What a chain tells, kept. Nobody waits for it; what cannot be written is logged and forgotten. */
export function keepHealth(
  db: Kysely<Database>,
  log: (event: string, details: Record<string, unknown>) => void,
  everyMs = againMs,
): (outcome: QuestionOutcome) => void {
  const written = new Map<string, { at: number; why: string | null }>()
  // One after the other: an older word never overtakes a newer one.
  let last: Promise<unknown> = Promise.resolve()
  return (outcome) => {
    const key = `${outcome.source} ${outcome.need}`
    const why = outcome.fault?.why ?? null
    const before = written.get(key)
    const now = performance.now()
    if (before && before.why === why && now - before.at < everyMs) return
    written.set(key, { at: now, why })
    last = last.then(() => keepOutcome(db, outcome)).catch((error: unknown) => log('health of a source not kept', { err: error }))
  }
}

/** How a source answered one question, kept. */
export async function keepOutcome(db: Kysely<Database>, { source, need, fault, quietUntil }: QuestionOutcome): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const values = fault
    ? { failed_at: now, fault: fault.kind, why: fault.why, quiet_until: quietUntil === null ? null : new Date(quietUntil) }
    : { answered_at: now, quiet_until: null }
  await db
    .insertInto('feed_health')
    .values({ source, need, ...values })
    .onConflict((conflict) => conflict.columns(['source', 'need']).doUpdateSet(values))
    .execute()
}

/** Whether a source has answered anybody since a moment, in ms: an operator asks by hand in another process. */
export async function hasAnsweredSince(db: Kysely<Database>, source: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('feed_health')
    .select('source')
    .where('source', '=', source)
    .where('answered_at', '>', new Date(since))
    .executeTakeFirst()
  return row !== undefined
}

/** How a source answers a question. */
export interface Health {
  readonly source: string
  readonly need: string
  readonly answeredAt: Date | null
  readonly failedAt: Date | null
  /** Whether the last word was an answer. */
  readonly up: boolean
  /** Of what kind the failure was that it goes on with, and why in a sentence; null of one that is up. */
  readonly fault: FeedErrorKind | null
  readonly why: string | null
  readonly quietUntil: Date | null
}

/** Of all sources that were ever asked, by source and question. */
export async function readHealth(db: Kysely<Database>): Promise<Health[]> {
  const rows = await db.selectFrom('feed_health').selectAll().orderBy('source').orderBy('need').execute()
  return rows.map(({ source, need, answered_at: answeredAt, failed_at: failedAt, fault, why, quiet_until: quietUntil }) => {
    const up = failedAt === null || (answeredAt !== null && answeredAt >= failedAt)
    return { source, need, answeredAt, failedAt, up, fault: up ? null : fault, why: up ? null : why, quietUntil }
  })
}
