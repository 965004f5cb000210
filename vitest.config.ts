import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const folders = ['contract', 'engine', 'server', 'web', 'bench', 'canaries', 'e2e'] as const
const own = (folder: string) => existsSync(new URL(`${folder}/vitest.config.ts`, import.meta.url))

/** One project per package; the server's tests share a real PostgreSQL. Journeys have a configuration of their own. */
export default defineConfig({
  test: {
    projects: folders
      .filter((folder) => existsSync(new URL(folder, import.meta.url)) && !own(folder))
      .map((folder) => ({
        test: {
          name: folder,
          root: new URL(folder, import.meta.url).pathname,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          ...(folder === 'server' ? { globalSetup: ['test/postgres.ts'] } : {}),
        },
      })),
  },
})
