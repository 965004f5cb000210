/**
 * Codes that changed: what the program ships, and what the operator adds (PostgreSQL). An import puts rows of an old code and of its new one
 * together under the new one; the security keeps its former codes, so that rules and lists that name them mean it.
 */
import { type Kysely, sql } from 'kysely'
import { audit } from '../db/audit.ts'
import type { Database } from '../db/tables.ts'
import { type CodeChange, shippedChanges } from './code-change-rows.ts'

export type { CodeChange } from './code-change-rows.ts'

/** A change of a code, and its origin. */
export interface KeptChange {
  readonly change: CodeChange
  readonly by: 'program' | 'operator'
}

/** By old code, the operator's word in place of the program's. */
export async function keptChanges(db: Kysely<Database>): Promise<KeptChange[]> {
  const rows = await db.selectFrom('code_change').selectAll().orderBy('old_code').execute()
  const kept = new Map(shippedChanges.map((change) => [change[0], { change, by: 'program' } as KeptChange]))
  for (const { old_code: old, new_code: now, first_day: from } of rows) kept.set(old, { change: [old, now, from], by: 'operator' })
  return [...kept.values()].sort(({ change: [a] }, { change: [b] }) => (a < b ? -1 : 1))
}

/** Why changes cannot stand together, as Chinese sentences: a code becomes one other, and none becomes itself again. */
export function changeFaults(changes: readonly CodeChange[]): string[] {
  const next = new Map(changes.map(([old, now]) => [old, now]))
  const faults: string[] = []
  const newOf = new Map<string, string>()
  for (const [old, now] of changes) {
    const other = newOf.get(now)
    if (other !== undefined && other !== old) faults.push(`${other} 与 ${old} 都变更为 ${now}`)
    newOf.set(now, old)
    if (old.slice(-2) !== now.slice(-2)) faults.push(`${old} 与 ${now} 不是同一个交易所`)
    let code: string | undefined = now
    for (let steps = 0; code !== undefined && code !== old && steps <= changes.length; steps++) code = next.get(code)
    if (code === old) faults.push(`${old} 变更之后又变回自己`)
  }
  return faults
}

/** Keeps the operator's changes. */
export async function addChanges(db: Kysely<Database>, changes: readonly CodeChange[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const [old, now, from] of changes) {
      const values = { new_code: now, first_day: from, said_at: sql<Date>`clock_timestamp()` }
      await tx
        .insertInto('code_change')
        .values({ old_code: old, ...values })
        .onConflict((conflict) => conflict.column('old_code').doUpdateSet(values))
        .execute()
      await audit(tx, { actor: 'operator', action: 'code.add', before: {}, after: { old, now, from } })
    }
  })
}

/** Takes the operator's word on an old code back. @returns false: there was none */
export async function forgetChange(db: Kysely<Database>, old: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const gone = await tx.deleteFrom('code_change').where('old_code', '=', old).returningAll().executeTakeFirst()
    if (!gone) return false
    await audit(tx, { actor: 'operator', action: 'code.forget', before: { old, now: gone.new_code, from: gone.first_day }, after: {} })
    return true
  })
}
