import { claimDataDir } from './base/data-dir.ts'
import { loadEnvFile } from './base/env-file.ts'
import { StartError } from './base/start-error.ts'
import { hopelessExit } from './base/supervise.ts'
import { type Config, type Role, readConfig, roles } from './config/config.ts'
import { connectProblem } from './db/connect.ts'

// `node server/src/main.ts [all | api | worker | migrate]`; all is the launcher (architecture.md 2).

/** A child that lost its launcher stops by itself; this is for one that cannot. */
const orphanSeconds = 10

const run: Record<Role, (config: Config) => Promise<void>> = {
  // Loaded when asked for: the launcher stays small, the api never loads what computes.
  all: async (config) => (await import('./launch.ts')).launch(config),
  api: async (config) => (await import('./api.ts')).runApi(config),
  worker: async (config) => (await import('./worker.ts')).runWorker(config),
  migrate: async (config) => {
    const { sentence, warning } = await (await import('./system/upgrade.ts')).upgradeDatabase(config, config.databaseUrl ?? '')
    if (warning) console.error(warning)
    console.log(sentence)
  },
}

async function main(): Promise<void> {
  const [word = 'all'] = process.argv.slice(2)
  const role = roles.find((one) => one === word)
  if (!role) throw new StartError(`没有名为“${word}”的角色：可用 ${roles.join('、')}`)
  // A launcher has read it for its children.
  if (!process.send) loadEnvFile()
  const reading = readConfig(process.env, role)
  if (!reading.ok) throw new StartError(reading.problems.join('；'))
  // The launcher has said them for its children.
  if (!process.send) for (const warning of reading.warnings) console.error(warning)
  if (process.send) process.once('disconnect', () => setTimeout(() => process.exit(1), orphanSeconds * 1_000).unref())
  if (role === 'worker' || role === 'api') claimDataDir(reading.config.dataDir)
  await run[role](reading.config)
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const hopeless = error instanceof StartError
  const sentence = hopeless ? error.message : connectProblem(error)
  console.error(sentence ? `启动失败：${sentence}` : error)
  process.exit(hopeless && process.send ? hopelessExit : 1)
}
