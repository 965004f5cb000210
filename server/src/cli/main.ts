import { CommanderError } from 'commander'
import { StartProblem } from '../problem.ts'
import { exits, Stop } from './exits.ts'
import { program } from './program.ts'
import { usageSentence } from './usage.ts'

// `convexa <command>`: run by server/bin/convexa.mjs under the pinned Node.

try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
// What is left open is ours to leave: every ground has been put away by now.
process.exit()

/** Tells the operator what went wrong, in one sentence where we know it, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof Stop) {
    if (error.message) console.error(error.message)
    return error.exit
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.done
    console.error(usageSentence(error))
    return exits.usage
  }
  if (error instanceof StartProblem) {
    console.error(`无法执行：${error.message}`)
    return exits.failed
  }
  console.error(error)
  return exits.failed
}
