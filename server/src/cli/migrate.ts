import { readConfig } from '../config/config.ts'
import { upgradeDatabase } from '../system/upgrade.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { print } from './output.ts'

/** `convexa migrate`. The embedded database is brought up to date by every command that opens it. */
export async function migrateDatabase(): Promise<void> {
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Stop(exits.usage, reading.problems.join('；'))
  const { databaseUrl } = reading.config
  const upgrade = (url: string) => upgradeDatabase(reading.config, url)
  const { sentence, warning } = databaseUrl
    ? await upgrade(databaseUrl)
    : await withCommandContext('database', ({ connectionString }) => upgrade(connectionString))
  if (warning) console.error(warning)
  print(sentence)
}
