/** Whether this program and the tables of a database fit each other (operations: expand and contract). */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { compareVersions, programVersion } from '../base/program-version.ts'
import { StartError } from '../base/start-error.ts'
import { readMigrations } from './migration-files.ts'
import type { Database } from './tables.ts'

export interface SchemaState {
  /** Migrations that this program has and the database lacks. */
  readonly pending: readonly string[]
  /** Migrations of newer programs: they are left alone. */
  readonly newer: readonly string[]
  /** The oldest program that may work on these tables; null: any. */
  readonly floor: string | null
}

/** The state of a database, which may have no tables at all. */
export async function schemaState(db: Kysely<Database>, names?: readonly string[]): Promise<SchemaState> {
  const own = names ?? (await readMigrations()).map((file) => file.name)
  const { rows } = await sql<{ migrations: string | null; floor: string | null }>`
    select to_regclass('kysely_migration')::text as migrations, to_regclass('schema_floor')::text as floor`.execute(db)
  const [tables] = rows
  const applied = tables?.migrations ? (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows : []
  const floor = tables?.floor ? (await sql<{ program: string }>`select program from schema_floor`.execute(db)).rows : []
  const there = new Set(applied.map(({ name }) => name))
  return {
    pending: own.filter((name) => !there.has(name)),
    newer: [...there].filter((name) => !own.includes(name)).sort(),
    floor: floor[0]?.program ?? null,
  }
}

/** A sentence why this program may not work on such tables; null: it may. `program`: its version. */
export function schemaProblem({ pending, floor }: SchemaState, program = programVersion): string | null {
  if (floor !== null && compareVersions(floor, program) > 0) return `数据库需要 ${floor} 以上的版本，本程序是 ${program}：请升级程序`
  const [first] = pending
  if (first === undefined) return null
  return `数据库还没有升级（缺少 ${first}${pending.length > 1 ? ` 等 ${pending.length} 项` : ''}）：请先运行 ./convexa migrate`
}

/** A running process looks again so often: a contract migration of a later release shuts it out. */
const lookAgainMs = 20_000

/** Whether the tables fit this program: asked until they do, and then from time to time. */
export function schemaFits(db: Kysely<Database>, againMs = lookAgainMs): () => Promise<boolean> {
  let fitsUntil = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() < fitsUntil) return true
    const fits = schemaProblem(await schemaState(db)) === null
    if (fits) fitsUntil = performance.now() + againMs
    return fits
  }
}

/**
 * Waits until the tables fit, for a `migrate` that is under way or comes right after.
 * @throws StartError when they do not fit after `waitSeconds`, or at once where they need a newer program
 */
export async function requireSchema(db: Kysely<Database>, waitSeconds: number): Promise<void> {
  for (const until = performance.now() + waitSeconds * 1_000; ; ) {
    const state = await schemaState(db)
    const problem = schemaProblem(state)
    if (problem === null) return
    const mayCome = schemaProblem({ ...state, pending: [] }) === null
    if (!mayCome || performance.now() >= until) throw new StartError(problem)
    await sleep(Math.min(1_000, Math.max(0, until - performance.now())))
  }
}
