import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { StartError } from '../../base/start-error.ts'
import { type ConfigReading, readConfig } from '../../config/config.ts'
import type { Environment } from '../../config/read-settings.ts'
import { connect, connectProblem } from '../../db/connect.ts'
import { openEmbedded } from '../../db/embedded.ts'
import type { Database } from '../../db/tables.ts'

/** What is examined. Nothing of it is changed, no tables are made or migrated. */
export interface Site {
  readonly reading: ConfigReading
  readonly database: Reached | NotReached
  close(): Promise<void>
}

interface Reached {
  readonly is: 'reached'
  readonly db: Kysely<Database>
  /** Address past a pooler. */
  readonly url: string
}

/** `none`: there is no database yet, and the first start makes one. */
interface NotReached {
  readonly is: 'none' | 'unreachable'
  readonly why: string
}

/** Opens the database that the settings name; the embedded one is started where it does not run. */
export async function openSite(env: Environment): Promise<Site> {
  const reading = readConfig(env)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of closers.reverse()) await one()
  }
  const without = (is: NotReached['is'], why: string): Site => ({ reading, database: { is, why }, close })
  if (!reading.ok) return without('unreachable', '设置有误')
  const { config } = reading
  try {
    const url = config.databaseDirectUrl ?? config.databaseUrl ?? (await embedded())
    if (url === null) return without('none', '还没有数据库，首次启动网站时建立')
    const { db, close: closePool } = connect(url, { name: 'convexa-doctor', max: 2 })
    closers.push(closePool)
    await db.selectNoFrom((expression) => expression.lit(1).as('one')).execute()
    return { reading, database: { is: 'reached', db, url }, close }
  } catch (error) {
    const problem = error instanceof StartError ? error.message : connectProblem(error)
    if (problem === null) throw error
    return without('unreachable', problem)
  }

  async function embedded(): Promise<string | null> {
    if (!existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) return null
    const running = await openEmbedded(config.dataDir, 'command', undefined, { archive: config.backup !== null })
    closers.push(() => running.close())
    return running.connectionString
  }
}
