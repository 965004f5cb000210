import { defineConfig } from 'vitest/config'
import { longestFirst } from './src/longest-first.ts'

const longest = [
  ['real-sources', 'axe', 'live', 'qmt-client', 'shell', 'pay', 'account-personal', 'login-rule', 'account-public', 'routes'],
  ['styleguide', 'states', 'analysis', 'report', 'workbench'],
].flat()

/** Journeys share one started product, each file has its own browser: two files at a time, with time to start. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['journeys/**/*.test.ts'],
    globalSetup: ['src/global-setup.ts'],
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(longest) },
    // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
    expect: { poll: { timeout: 15_000 } },
    // A second try is named at the end of the run (scripts/tally.mjs): a debt, not a pass.
    retry: 1,
    // Long enough for a machine that is asked for ten times what it can do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
