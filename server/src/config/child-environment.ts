import { ensureSecretFile } from '../base/secret.ts'
import type { Config } from './config.ts'

/** The database of a process that we start with an address of its own, and the secret that then must be told: the file of the data folder. */
export function databaseEnvironment({ secretKey, dataDir, databaseDirectUrl }: Config, connectionString: string): Record<string, string> {
  return {
    DATABASE_URL: connectionString,
    DATABASE_URL_FILE: '',
    DATABASE_DIRECT_URL: databaseDirectUrl ?? '',
    DATABASE_DIRECT_URL_FILE: '',
    // The owner's role is for `migrate` alone.
    MIGRATE_DATABASE_URL: '',
    MIGRATE_DATABASE_URL_FILE: '',
    ...(secretKey === null && { SECRET_KEY: '', SECRET_KEY_FILE: ensureSecretFile(dataDir) }),
  }
}

/** Threads that read files and compute hashes of passwords: some of them are left for files, however many hashes there are. */
export const threadPoolEnvironment = ({ passwords }: Pick<Config, 'passwords'>): Record<string, string> => ({
  UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? String(Math.max(4, passwords.atOnce + 2)),
})
