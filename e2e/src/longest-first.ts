import { basename } from 'node:path'
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/**
 * What takes longest begins first, or the last file would be waited for alone: vitest goes by the size of files that it has not yet seen,
 * and what waits for processes takes long in few lines.
 * @param names of files without `.test.ts`, the longest first; all others follow as vitest has them
 */
export const longestFirst = (names: readonly string[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) =>
        [...names, ''].findIndex((name) => name === basename(moduleId, '.test.ts') || name === '')
      return (await super.sort(files)).sort((a, b) => place(a) - place(b))
    }
  }
