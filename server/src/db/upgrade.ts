import { connect } from './connect.ts'
import { encodingWarning, migrate } from './migrate.ts'
import { schemaState } from './schema-version.ts'

/** A statement of a migration may work over a whole large table. */
const statementMs = 600_000

export interface Upgrade {
  /** What was done, for the operator. */
  readonly sentence: string
  /** null: nothing to be said of the database. */
  readonly warning: string | null
}

/**
 * `migrate`: brings the tables of a database up to this program.
 * @throws as `migrate`
 */
export async function upgradeDatabase(connectionString: string): Promise<Upgrade> {
  const { db, close } = connect(connectionString, { name: 'convexa-migrate', max: 2, statementTimeoutMs: statementMs })
  try {
    const applied = await migrate(db)
    const { newer } = await schemaState(db)
    return { sentence: sentenceOf(applied, newer), warning: await encodingWarning(db) }
  } finally {
    await close()
  }
}

function sentenceOf(applied: readonly string[], newer: readonly string[]): string {
  if (applied.length > 0) return `已升级数据库：${applied.join('、')}`
  return newer.length > 0 ? `数据库已由更新的版本升级到 ${newer.at(-1)}，本程序没有要做的升级` : '数据库已是最新'
}
