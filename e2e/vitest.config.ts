import { defineConfig } from 'vitest/config'

/**
 * Journeys share one started product, and the files that run one after the other in a process share its browser (`launchBrowser`): two files
 * at a time, with time to start.
 */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['journeys/**/*.test.ts'],
    globalSetup: ['src/global-setup.ts'],
    setupFiles: ['src/failure.ts'],
    maxWorkers: 2,
    isolate: false,
    // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
    expect: { poll: { timeout: 60_000 } },
    // Long enough for a machine that is asked for ten times what it can do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
