import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serverFolder } from './program-files.ts'
import { StartError } from './start-error.ts'

export interface EnvFile {
  readonly file: string
  /** Settings that come from it. */
  readonly names: ReadonlySet<string>
}

let loaded: EnvFile | null = null
/** The file that this process has read; null: none. */
export const loadedEnvFile = (): EnvFile | null => loaded

const usual = join(serverFolder, '..', '.env')

/**
 * Adds the settings of a file to the environment; what is set there already holds. The file is `ENV_FILE`, else `.env` beside package.json where
 * it is there; `off`: none.
 * @throws StartError for a file that is named and cannot be read
 */
export function loadEnvFile(env: NodeJS.ProcessEnv = process.env, load: (file: string) => void = process.loadEnvFile): void {
  const named = env['ENV_FILE']
  if (named === 'off' || (!named && !existsSync(usual))) return
  const file = named || usual
  const before = new Set(Object.keys(env))
  try {
    load(file)
    loaded = { file, names: new Set(Object.keys(env).filter((name) => !before.has(name))) }
  } catch (error) {
    throw new StartError(`无法读取设置文件 ${file}（${(error as NodeJS.ErrnoException).code ?? String(error)}）`)
  }
}
