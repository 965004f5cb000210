import { CommanderError } from 'commander'
import { loadEnvFile } from '../base/env-file.ts'
import { StartError } from '../base/start-error.ts'
import { exits, type Issue, Stop } from './exits.ts'
import { answerError, answerInJson, finishAnswer, heldBack } from './output.ts'
import { program } from './program.ts'
import { printable } from './text.ts'
import { troubleOf } from './trouble.ts'
import { usageSentence } from './usage.ts'

// `convexa <command>`: run by convexa.mjs under the pinned Node.

// The reader of a pipe may close it early (`| head`): a broken pipe is no failure.
for (const out of [process.stdout, process.stderr]) out.on('error', () => {})

const argv = process.argv.slice(2)
const wanted = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
if (wanted.includes('--json')) answerInJson()

try {
  loadEnvFile()
  if (['-V', '--version'].includes(argv[0] ?? '')) await (await import('./version.ts')).version()
  else await program().parseAsync()
  finishAnswer()
} catch (error) {
  const { exit, message, code = exit, issues } = failureOf(error)
  process.exitCode = exit
  if (exit !== exits.done) {
    const said = [heldBack(), printable(message)].filter(Boolean).join('\n')
    if (said) console.error(said)
    answerError({ code, message: printable(message), issues })
  }
}
// A report is megabytes and a pipe is slow: what was printed goes out first. What else is open is ours to leave, every command context is closed.
await Promise.all([process.stdout, process.stderr].map((out) => new Promise((resolve) => out.write('', resolve))))
process.exit()

interface Failure {
  readonly exit: number
  /** For the operator. */
  readonly message: string
  readonly code?: number | undefined
  readonly issues?: readonly Issue[] | undefined
}

/** What went wrong, in one sentence where we know it, and the exit code. */
function failureOf(error: unknown): Failure {
  if (error instanceof Stop) return { exit: error.exit, message: error.message, code: error.code, issues: error.issues }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exit: exits.done, message: '' }
    return { exit: exits.usage, message: usageSentence(error, argv) }
  }
  const known = error instanceof StartError ? error.message : troubleOf(error)
  if (known) return { exit: exits.failed, message: `无法执行：${known}` }
  console.error(error)
  return { exit: exits.failed, message: '程序出错，请把以上内容报告给开发者' }
}
