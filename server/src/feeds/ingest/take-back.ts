/** An operator takes back what was published: the older version is published again, and the days that are undone wait for a word. */
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { addDays, tradingDays } from '../../market/calendar.ts'
import { type RolledBack, rollback } from '../../market/rollback.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'

/** `held`: days that are not ingested again by themselves. */
export type TakenBack = (Extract<RolledBack, { ok: true }> & { readonly held: readonly string[] }) | Extract<RolledBack, { ok: false }>

export async function takeBack(db: Kysely<Database>, dataDir: string, kind: SnapshotKind, version?: string): Promise<TakenBack> {
  const done = await rollback(db, dataDir, kind, version)
  if (!done.ok) return done
  if (done.undone.length > 0) {
    await db.updateTable('ingest_step').set({ state: 'held' }).where('market', '=', kind).where('snapshot_id', 'in', done.undone).execute()
  }
  const held = tradingDays(addDays(done.to.lastDate, 1), done.from.lastDate)
  for (const day of held) {
    await db
      .insertInto('ingest_step')
      .values({ market: kind, day, step: 'quotes', state: 'held', answers: '[]', report: '已回滚', snapshot_id: null })
      .onConflict((conflict) => conflict.columns(['market', 'day', 'step']).doUpdateSet({ state: 'held' }))
      .execute()
  }
  return { ...done, held }
}
