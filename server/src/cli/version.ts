import { engineVersion } from '@convexa/engine'
import { programVersion } from '../base/program-version.ts'
import { newestMigration } from '../db/migration-files.ts'
import { answer } from './output.ts'

/** `convexa --version`. The database is named by its newest migration that this program has. */
export async function version(): Promise<void> {
  const found = { program: programVersion, engine: engineVersion, database: await newestMigration(), node: process.versions.node }
  answer(found, () => `convexa ${found.program}（引擎 ${found.engine}，数据库 ${found.database}，Node ${found.node}）`)
}
