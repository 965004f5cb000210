import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { connect, type Store } from '../db/connect.ts'
import { type CopiedTable, copyTables } from '../db/copy-tables.ts'
import { encodingWarning, migrate } from '../db/migrate.ts'
import { lives } from '../db/process-registry.ts'
import { readMaintenance } from './maintenance.ts'
import { queueMessages } from './queue-messages.ts'
import { untilReached } from './start-checks.ts'

export interface CopiedSite {
  readonly tables: readonly CopiedTable[]
  /** Messages that had not been sent and are on their way again. */
  readonly messages: number
  /** null: nothing to be said of the target. */
  readonly warning: string | null
}

/** A migration of an empty database is quick; the copy has no limit. */
const statementMs = 600_000

/**
 * Moves a site into another database: makes the tables there, copies all rows and puts messages on their way again. Runs that were open are
 * ended with their quota given back by the reaper of the new site, which finds no process of theirs.
 * Messages are queued after the rows are committed: killed in between, the target is whole but for them.
 * @param to connection string of the target, past a pooler
 * @throws StartError with a sentence for the operator; the target is left as it was but for its empty tables
 */
export async function copySite(
  { db, connectionString }: { readonly db: Store['db']; readonly connectionString: string },
  to: string,
  config: Pick<Config, 'startWaitSeconds'>,
  onTable: (copied: CopiedTable) => void,
): Promise<CopiedSite> {
  await requireStillness(db)
  await untilReached(to, config.startWaitSeconds)
  const target = connect(to, { name: 'convexa-copy', max: 2, statementTimeoutMs: statementMs })
  try {
    await migrate(target.db)
    const tables = await copyTables(connectionString, to, onTable)
    return { tables, messages: await queueMessages(target, to), warning: await encodingWarning(target.db) }
  } finally {
    await target.close()
  }
}

/** What is written while it is copied would be lost. @throws StartError */
async function requireStillness(db: Store['db']): Promise<void> {
  if ((await readMaintenance(db)).on) return
  const serving = await db
    .selectFrom('process as p')
    .select('p.role')
    .where('p.role', 'in', ['api', 'worker'])
    .where(lives('p'), '=', true)
    .executeTakeFirst()
  if (serving) throw new StartError('网站正在服务，复制期间写入的内容会丢失：请先停止它，或运行 ./convexa maintenance on')
}
