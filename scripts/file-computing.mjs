// Runs before each test file of the server and tells the reporter `tally.mjs` how much CPU time the file took, ended child processes included.
import { afterAll } from 'vitest'
import { ownComputing } from './computing.mjs'

const before = ownComputing()

// Registered first, so it runs last: what the file started has ended.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures a hook needs
afterAll(({}, file) => {
  if (before !== null) file.meta.computing = ownComputing() - before
})
