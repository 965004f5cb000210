/** Roll-back by an operator: publishes the older version again and holds the days that are undone until they are released. */

import type { Kysely } from 'kysely'
import { tryAdvisoryLock } from '../../db/advisory-lock.ts'
import { locks } from '../../db/locks.ts'
import type { Database } from '../../db/tables.ts'
import { addDays, tradingDays } from '../../market/calendar.ts'
import { snapshotLabels } from '../../market/manifest.ts'
import { type RolledBack, rollback } from '../../market/rollback.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import { ingestOrder } from './ingest-order.ts'

/** `rolledBackDays`: days that are not ingested again by themselves. */
export type RollbackResult =
  | (Extract<RolledBack, { ok: true }> & { readonly rolledBackDays: readonly string[] })
  | Extract<RolledBack, { ok: false }>

export async function rollBackDays(db: Kysely<Database>, dataDir: string, kind: SnapshotKind, version?: string): Promise<RollbackResult> {
  const taken: RollbackResult[] = []
  const work = async () => {
    let rolledBackDays: readonly string[] = []
    const done = await rollback(db, dataDir, kind, version, async (transaction, { from, to, undone, made }) => {
      await release(transaction, kind, made, tradingDays(addDays(from.lastDate, 1), to.lastDate))
      rolledBackDays = await hold(transaction, kind, undone, tradingDays(addDays(to.lastDate, 1), from.lastDate))
    })
    taken.push(done.ok ? { ...done, rolledBackDays } : done)
  }
  // An ingestion that is under way would put its day onto the older version.
  await tryAdvisoryLock(db, locks.ingest, work, ingestOrder.indexOf(kind))
  return taken[0] ?? { ok: false, refused: `${snapshotLabels[kind]}正在由另一个进程采集，请稍后再试` }
}

/** Days that are back, by a version that was taken back before: of them is known what it was published of; what was not done goes on. */
async function release(db: Kysely<Database>, kind: SnapshotKind, made: readonly string[], back: readonly string[]): Promise<void> {
  const published = await db
    .updateTable('ingest_step')
    .set({ state: 'published' })
    .where('market', '=', kind)
    .where('state', '=', 'held')
    .where('snapshot_id', 'in', made)
    .returning('day')
    .execute()
  const days = [...back, ...published.map(({ day }) => day)]
  if (days.length === 0) return
  await db
    .deleteFrom('ingest_step')
    .where('market', '=', kind)
    .where('state', '=', 'held')
    .where('snapshot_id', 'is', null)
    .where('day', 'in', days)
    .execute()
}

/** Days that are gone, and days that were said anew: with all their steps, each of which would make the day again. @returns them, ascending */
async function hold(db: Kysely<Database>, kind: SnapshotKind, undone: readonly string[], gone: readonly string[]): Promise<string[]> {
  const said = await db.selectFrom('ingest_step').select('day').where('market', '=', kind).where('snapshot_id', 'in', undone).execute()
  const days = [...new Set([...gone, ...said.map(({ day }) => day)])].sort()
  for (const day of days) {
    await db.updateTable('ingest_step').set({ state: 'held' }).where('market', '=', kind).where('day', '=', day).execute()
    await db
      .insertInto('ingest_step')
      .values({ market: kind, day, step: 'quotes', state: 'held', answers: '[]', report: '已回滚', snapshot_id: null })
      .onConflict((conflict) => conflict.columns(['market', 'day', 'step']).doUpdateSet({ state: 'held' }))
      .execute()
  }
  return days
}
