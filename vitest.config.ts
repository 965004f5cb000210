import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumLaunches, isBrowserInstalled } from './e2e/src/chromium.ts'

const folders = ['contract', 'engine', 'server', 'web', 'bench', 'canaries', 'e2e'] as const
const rootOf = (folder: string) => new URL(folder, import.meta.url).pathname
const own = (folder: string) => existsSync(new URL(`${folder}/vitest.config.ts`, import.meta.url))

/** Left to itself vitest keeps a core for itself: on two cores files would go one by one. */
const lanes = Math.max(2, availableParallelism() - 1)
/** The server's files wait for processes, locks and clocks half of their time: two files more make no core wait. */
const serverLanes = Math.max(4, lanes)

/** What leaves nothing behind in its process: its files need not have one each. The server's begin afresh (server/test/fixtures/afresh.ts). */
const pure = new Set<string>(['contract', 'engine', 'canaries', 'server', 'web'])

/** Files of the web that begin with `// isolated: <reason>`: what they change in their process would meet the next file. */
const isolated = globSync('src/**/*.test.ts', { cwd: rootOf('web') }).filter((file) =>
  readFileSync(join(rootOf('web'), file), 'utf8').startsWith('// isolated: '),
)

const project = (name: string, folder: string, given: { include?: string[]; exclude?: string[]; isolate?: boolean } = {}) => ({
  test: {
    name,
    root: rootOf(folder),
    include: given.include ?? ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(given.exclude ?? [])],
    // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
    expect: { poll: { timeout: 60_000 } },
    // Long enough for a machine that is asked for ten times what it can do: what must be quick says so itself.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    isolate: given.isolate ?? !pure.has(folder),
    // What is started by a test has no settings of whoever runs it.
    env: { ENV_FILE: 'off' },
    // Files that wait and files that compute have lanes of their own: one group after the other here, side by side in `npm test`.
    ...(folder === 'server' ? { maxWorkers: serverLanes } : { maxWorkers: lanes, sequence: { groupOrder: 1 } }),
    ...(folder === 'server'
      ? { globalSetup: ['test/fixtures/postgres.ts'], setupFiles: ['test/fixtures/afresh.ts', '../scripts/file-computing.mjs'] }
      : {}),
  },
})

/** What the parts under test import. */
const used = [
  ...['react-router', 'zustand', '@tanstack/react-query', '@tanstack/react-virtual', 'fflate', 'uqr'],
  ...['echarts/core', 'echarts/charts', 'echarts/components', 'echarts/features', 'echarts/renderers'],
  ...['dialog', 'toast', 'menu', 'popover', 'tooltip', 'combobox', 'select', 'csp-provider'].map((part) => `@base-ui/react/${part}`),
  'react-day-picker',
  'react-day-picker/locale/zh-CN',
]

/**
 * Component tests: one part of the web app in the journeys' Chromium, without a server. Files share the browser; each has a context of its own.
 * The setup file fixes the clock.
 */
const components = async () => ({
  // Bundled before the first test: one that is found later would load the page anew in the middle of a test.
  optimizeDeps: {
    include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-dev-runtime', 'vitest-browser-react', 'axe-core', ...used],
  },
  test: {
    name: 'components',
    root: rootOf('web'),
    include: ['src/**/*.test.tsx', 'styleguide/*.test.tsx'],
    setupFiles: ['test/components/setup.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    sequence: { groupOrder: 2 },
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({
        launchOptions: (isBrowserInstalled() && (await chromiumLaunches())[0]) || {},
        contextOptions: { locale: 'zh-CN', timezoneId: 'Asia/Shanghai' },
      }),
      instances: [{ browser: 'chromium' as const }],
      viewport: { width: 1280, height: 800 },
      screenshotFailures: false,
    },
  },
})

/** One project per package and the component tests; the server's tests share a real PostgreSQL. Journeys have a configuration of their own. */
export default defineConfig(async () => ({
  test: {
    projects: [
      ...folders
        .filter((folder) => existsSync(rootOf(folder)) && !own(folder))
        .map((folder) => project(folder, folder, folder === 'web' ? { exclude: isolated } : {})),
      project('web isolated', 'web', { include: isolated, isolate: true }),
      await components(),
    ],
  },
}))
