// What a run of vitest leaves for scripts/test.mjs: counts, each failure with its first line, the time of each file, the CPU time of all.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { countComputing } from './computing.mjs'

export default class Tally {
  #computed = countComputing()

  onTestRunEnd(modules, errors) {
    const tally = { passed: 0, failed: 0, skipped: 0, failures: [], files: [], computing: this.#computed() }
    for (const one of modules) {
      const file = relative(process.cwd(), one.moduleId)
      tally.files.push({ file, seconds: one.diagnostic().duration / 1000, computing: one.meta().computing ?? null })
      const before = tally.failed
      for (const test of one.children.allTests()) count(tally, test, file)
      // A file that could not even be loaded has no failed test to count: it is one failure.
      if (one.state() === 'failed' && tally.failed === before) fail(tally, file, one.errors()[0])
    }
    // An error outside any test still fails the run.
    for (const error of errors) fail(tally, 'outside any test', error)
    if (process.env.TALLY) writeFileSync(process.env.TALLY, JSON.stringify(tally))
  }
}

function count(tally, test, file) {
  const { state, errors } = test.result()
  if (state === 'passed') tally.passed += 1
  else if (state === 'failed') fail(tally, `${file} > ${test.fullName}`, errors[0])
  else tally.skipped += 1
}

function fail(tally, where, error) {
  tally.failed += 1
  tally.failures.push(`${where}: ${lineOf(error)}`)
}

/** What was expected says little without what was there. */
function lineOf(error) {
  const actual = error?.actual === undefined ? '' : ` ${String(error.actual).replace(/\s+/g, ' ').slice(0, 300)}`
  return `${String(error?.message ?? 'no message').split('\n')[0]}${actual}`
}
