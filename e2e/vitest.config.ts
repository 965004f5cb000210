import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest begins first, or the last file would be waited for alone: vitest goes by the size of files that it has not yet seen. */
const longest = ['shell', 'axe', 'account-public', 'account-personal', 'styleguide', 'routes', 'states', 'login-rule']
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      [...longest, ''].findIndex((name) => name === basename(moduleId, '.test.ts') || name === '')
    return files.sort((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId))
  }
}

/** Journeys share one started product, each file has its own browser: two files at a time, with time to start. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['journeys/**/*.test.ts'],
    globalSetup: ['src/global-setup.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A wait for a fact is as patient as a test's other waits; vitest's own is one second.
    expect: { poll: { timeout: 15_000 } },
    // A second try is named at the end of the run (scripts/tally.mjs): a debt, not a pass.
    retry: 1,
    // Long enough for a machine that is asked for ten times what it can do.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
