import pg from 'pg'
import type { Config } from '../config/config.ts'
import { connect } from '../db/connect.ts'
import { encodingWarning, migrate } from '../db/migrate.ts'
import { schemaState } from '../db/schema-version.ts'
import { connectTimeoutMs, setRoleParameters } from '../db/session.ts'
import { requireSessions } from '../db/session-probe.ts'
import { settleSecret } from '../user/secret-check.ts'
import { untilReached } from './start-checks.ts'

/** A statement of a migration may work over a whole large table. */
const statementMs = 600_000

export interface Upgrade {
  /** What was done, for the operator. */
  readonly sentence: string
  /** null: nothing to be said of the database. */
  readonly warning: string | null
}

/**
 * `migrate`: brings the tables of a database that DATABASE_URL names up to this program, and writes down which secret it is under.
 * @throws StartError, as `migrate`
 */
export async function upgradeDatabase(config: Config, databaseUrl: string): Promise<Upgrade> {
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  const connectionString = config.migrateDatabaseUrl ?? directUrl
  await untilReached(connectionString, config.startWaitSeconds)
  await requireSessions(connectionString)
  const { db, close } = connect(connectionString, { name: 'convexa-migrate', max: 2, statementTimeoutMs: statementMs })
  try {
    const applied = await migrate(db)
    await settleSecret({ db, config })
    if (directUrl !== databaseUrl) await preparePooledRole(databaseUrl)
    const { newer } = await schemaState(db)
    return { sentence: sentenceOf(applied, newer), warning: await encodingWarning(db) }
  } finally {
    await close()
  }
}

/** By the address that the site uses: its role may be another than the one that owns the tables. */
async function preparePooledRole(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'convexa-migrate',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await setRoleParameters(client)
  } finally {
    await client.end().catch(() => {})
  }
}

function sentenceOf(applied: readonly string[], newer: readonly string[]): string {
  if (applied.length > 0) return `已升级数据库：${applied.join('、')}`
  return newer.length > 0 ? `数据库已由更新的版本升级到 ${newer.at(-1)}，本程序没有要做的升级` : '数据库已是最新'
}
