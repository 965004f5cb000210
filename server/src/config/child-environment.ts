import { ensureSecretFile } from '../base/secret.ts'
import type { Config } from './config.ts'

/** The database of a process that we start with an address of its own, and the secret that then must be told: the file of the data folder. */
export function databaseEnvironment({ secretKey, dataDir }: Config, connectionString: string): Record<string, string> {
  return {
    DATABASE_URL: connectionString,
    DATABASE_URL_FILE: '',
    ...(secretKey === null && { SECRET_KEY: '', SECRET_KEY_FILE: ensureSecretFile(dataDir) }),
  }
}
