import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const folders = ['contract', 'engine', 'server', 'web', 'bench', 'canaries', 'e2e'] as const
const own = (folder: string) => existsSync(new URL(`${folder}/vitest.config.ts`, import.meta.url))

/** What leaves nothing behind in its process: its files need not have one each. */
const pure = new Set<string>(['contract', 'engine', 'canaries'])

/** One project per package; the server's tests share a real PostgreSQL. Journeys have a configuration of their own. */
export default defineConfig({
  test: {
    // Left to itself vitest keeps a core for itself: on two cores files would go one by one, and flows mostly wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: folders
      .filter((folder) => existsSync(new URL(folder, import.meta.url)) && !own(folder))
      .map((folder) => ({
        test: {
          name: folder,
          root: new URL(folder, import.meta.url).pathname,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 30_000,
          hookTimeout: 60_000,
          isolate: !pure.has(folder),
          ...(folder === 'server' ? { globalSetup: ['test/postgres.ts'] } : {}),
        },
      })),
  },
})
