import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { longestFirst } from './e2e/src/longest-first.ts'

const folders = ['contract', 'engine', 'server', 'web', 'bench', 'canaries', 'e2e'] as const
const rootOf = (folder: string) => new URL(folder, import.meta.url).pathname
const own = (folder: string) => existsSync(new URL(`${folder}/vitest.config.ts`, import.meta.url))

/** Left to itself vitest keeps a core for itself: on two cores files would go one by one. */
const lanes = Math.max(2, availableParallelism() - 1)
/** The server's files wait for processes, locks and clocks half of their time: two files more make no core wait. */
const serverLanes = Math.max(4, lanes)

/** Of those that take long first whoever waits, then whoever computes: the units compute beside the first. */
const longest = [
  ['pay-drill', 'killed-ingests', 'compute-child', 'launch', 'cluster', 'order-model', 'quant-properties', 'runs', 'database-away'],
  ['command-line', 'reconcile', 'ingest', 'demo', 'hostile-text', 'reference-cases', 'real-files', 'malformed', 'pool', 'stream-drills'],
  ['killed-imports', 'code-drills', 'login', 'messages', 'attacks', 'client', 'expression', 'reference', 'kernels'],
].flat()

/** What leaves nothing behind in its process: its files need not have one each. The server's begin afresh (server/test/afresh.ts). */
const pure = new Set<string>(['contract', 'engine', 'canaries', 'server', 'web'])

/** What a file of the web stubs or holds would meet the next one: such a file has a process of its own all the same. */
const leaves = /\bvi\.(stub|mock|doMock|useFake|spyOn|resetModules)|process\.env/
const alone = globSync('src/**/*.test.ts', { cwd: rootOf('web') }).filter((file) =>
  leaves.test(readFileSync(join(rootOf('web'), file), 'utf8')),
)

const project = (name: string, folder: string, given: { include?: string[]; exclude?: string[]; isolate?: boolean } = {}) => ({
  test: {
    name,
    root: rootOf(folder),
    include: given.include ?? ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(given.exclude ?? [])],
    // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
    expect: { poll: { timeout: 15_000 } },
    // Long enough for a machine that is asked for ten times what it can do: what must be quick says so itself.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    isolate: given.isolate ?? !pure.has(folder),
    // Files that wait and files that compute have lanes of their own: one group after the other here, side by side in `npm test`.
    ...(folder === 'server' ? { maxWorkers: serverLanes } : { maxWorkers: lanes, sequence: { groupOrder: 1 } }),
    ...(folder === 'server' ? { globalSetup: ['test/postgres.ts'], setupFiles: ['test/afresh.ts'] } : {}),
  },
})

/** One project per package; the server's tests share a real PostgreSQL. Journeys have a configuration of their own. */
export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(longest) },
    projects: [
      ...folders
        .filter((folder) => existsSync(rootOf(folder)) && !own(folder))
        .map((folder) => project(folder, folder, folder === 'web' ? { exclude: alone } : {})),
      project('web alone', 'web', { include: alone, isolate: true }),
    ],
  },
})
