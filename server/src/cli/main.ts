import { CommanderError } from 'commander'
import { loadEnvFile } from '../base/env-file.ts'
import { StartError } from '../base/start-error.ts'
import { exits, Stop } from './exits.ts'
import { program } from './program.ts'
import { printable } from './text.ts'
import { troubleOf } from './trouble.ts'
import { usageSentence } from './usage.ts'

// `convexa <command>`: run by convexa.mjs under the pinned Node.

// The reader of a pipe may close it early (`| head`): a broken pipe is no failure.
for (const out of [process.stdout, process.stderr]) out.on('error', () => {})

try {
  loadEnvFile()
  await program().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
// A report is megabytes and a pipe is slow: what was printed goes out first. What else is open is ours to leave, every command context is closed.
await Promise.all([process.stdout, process.stderr].map((out) => new Promise((resolve) => out.write('', resolve))))
process.exit()

/** Tells the operator what went wrong, in one sentence where we know it, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof Stop) {
    if (error.message) console.error(printable(error.message))
    return error.exit
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.done
    console.error(printable(usageSentence(error)))
    return exits.usage
  }
  if (error instanceof StartError) {
    console.error(printable(`无法执行：${error.message}`))
    return exits.failed
  }
  const trouble = troubleOf(error)
  if (trouble) {
    console.error(printable(`无法执行：${trouble}`))
    return exits.failed
  }
  console.error(error)
  return exits.failed
}
