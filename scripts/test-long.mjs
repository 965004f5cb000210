// `npm run test:long [-- word …]`: every script of package.json that tries the product for long, or those whose name has a word, one after
// the other as `--quick`: about three minutes each. Prints what each says, then a line for each and `N passed, N failed`.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isLong = (name) => /^(drill:|chaos(:|$)|fuzz:|mutants$)/.test(name)
/** What each is made for, and when one that hangs is ended. */
const [meant, most] = [180, 1_800]

const words = process.argv.slice(2)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const names = Object.keys(scripts).filter((name) => isLong(name) && (words.length === 0 || words.some((word) => name.includes(word))))
const npm = process.env.npm_execpath
const results = []
let running = null
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true
    running?.tell(signal)
  })
}

for (const name of names) {
  if (interrupted) break
  console.log(`\n── ${name}`)
  const result = await drill(name)
  results.push(result)
  console.log(`── ${lineOf(result)}`)
}

const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length
const total = results.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`\n${results.map(lineOf).join('\n')}\n${(total / 60).toFixed(1)} minutes${interrupted ? ', interrupted' : ''}`)
if (count('skipped')) console.log(`${count('skipped')} skipped, each says why above`)
console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
process.exit(!interrupted && count('failed') === 0 && count('passed') > 0 ? 0 : 1)

function lineOf({ name, outcome, seconds, why }) {
  const slow = seconds > meant ? `, longer than the ${meant} s that it is made for` : ''
  return `${outcome.padEnd(8)}${name.padEnd(18)}${seconds.toFixed(0).padStart(5)} s${slow}${why ? `: ${why}` : ''}`
}

/** A drill in a process group of its own: what it leaves behind is found there, told and ended. */
async function drill(name) {
  const began = performance.now()
  const [command, ...args] = npm ? [process.execPath, npm] : ['npm']
  const child = spawn(command, [...args, 'run', '--silent', name, '--', '--quick'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const tell = (signal) => {
    try {
      return process.kill(-child.pid, signal)
    } catch {
      return false
    }
  }
  running = { tell }
  let skipped
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    createInterface({ input: from }).on('line', (line) => {
      to.write(`${line}\n`)
      skipped ??= /^未运行：(.*)/.exec(line)?.[1]
    })
  }
  let late = false
  const limit = setTimeout(() => {
    late = true
    tell('SIGTERM')
    setTimeout(() => tell('SIGKILL'), 30_000).unref()
  }, most * 1_000)
  const status = await new Promise((resolve) => child.once('exit', resolve))
  clearTimeout(limit)
  // Children that were just told to end may need a moment.
  let left = tell(0)
  for (let tries = 0; left && tries < 30; tries++) {
    await sleep(100)
    left = tell(0)
  }
  if (left) tell('SIGKILL')
  running = null
  const why = late ? `ended after ${most} s` : left ? 'left processes behind' : status === 0 ? skipped : `status ${status}`
  const outcome = late || left || status !== 0 ? 'failed' : skipped ? 'skipped' : 'passed'
  return { name, outcome, why, seconds: (performance.now() - began) / 1_000 }
}
