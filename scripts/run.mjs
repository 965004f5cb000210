// `node scripts/run.mjs [--web] [--browser] PROGRAM [argument …]`: makes ready what the program needs (scripts/prepare.mjs), then runs it on
// the pinned Node. Nearly every script of package.json starts here, so that each works as the first command of a fresh clone.
import { resolve } from 'node:path'
import { runOnPinnedNode } from './pinned-node.mjs'
import { prepare } from './prepare.mjs'
import { bundleFolder } from './server-entry.mjs'

const given = process.argv.slice(2)
const at = given.findIndex((argument) => !argument.startsWith('--'))
const [program = '', ...args] = given.slice(at)
const needs = given.slice(0, at)

if (process.env.npm_lifecycle_event) endWithNpm()
prepare({ web: needs.includes('--web'), browser: needs.includes('--browser') })
// Processes that a drill or a bench starts run the bundle.
process.env.SERVER_BUNDLE ??= bundleFolder() ?? ''
await runOnPinnedNode(resolve(program), args)

/** npm hands a signal on to the shell that it has started, and the shell dies of it without a word to what it runs: this tells the program. */
function endWithNpm() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 1_000).unref()
}
