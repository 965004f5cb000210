// All checks, ending with one line `N passed, N failed`. `--fast`: types, lint, structure, arrows, contract and engine, under two minutes.
// A tool counts as one; vitest counts its tests. Everything runs on the pinned Node, whatever Node started this. Before the last line stand the
// files that took longest and what all processes computed (decisions/0031: what it may be).
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { countComputing, fixedLoop } from './computing.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' }
const tallying = join(root, 'scripts', 'tally.mjs')
const fast = process.argv.includes('--fast')
const reports = mkdtempSync(join(tmpdir(), 'convexa-reports-'))
const running = new Set()
const computed = countComputing()

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const one of running) one.kill(signal)
    process.exitCode = 1
  })
}

// Each checker finds out anew what the others know as well: the four that tsc would have cost two cores half as much again.
const checkers = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))
const quick = ['contract', 'engine', 'canaries']
const web = ['web', 'web isolated']
const components = 'components'
const projects = (names) => names.flatMap((name) => ['--project', name])
const statics = [
  'types, lint and structure',
  () =>
    together(
      tool('tsc', ['-b', '--checkers', String(checkers)]),
      tool('biome', ['check', '--error-on-warnings', '.']),
      tool('node', [join('scripts', 'check', 'main.mjs')]),
    ),
]
// Flows wait a part of their time, for processes, locks and clocks: beside them the engine computes. Journeys come after them: pages and calls
// have limits of a few seconds, which a machine that computes for both does not keep (decisions/0031).
const lanes = fast
  ? [[['arrows, contract, engine', () => vitest([...projects(quick), '--exclude', '**/experiments.test.ts'])]]]
  : [
      [
        ['flows', () => vitest(['--project', 'server'])],
        ['web', () => vitest(projects(web))],
      ],
      [
        [
          'arrows, contract, engine, golden, reference',
          () => vitest(projects(['server', ...web, components].map((project) => `!${project}`))),
        ],
        ['components in the browser', () => vitest(['--project', components])],
      ],
    ]
const last = fast ? [] : [['journeys in the browser', () => vitest(['--config', join('e2e', 'vitest.config.ts')])]]

let passed = 0
let failed = 0
let skipped = 0
const failures = []
const files = []
await inTurn([statics])
await Promise.all(lanes.map(inTurn))
await inTurn(last)
rmSync(reports, { recursive: true, force: true })
if (skipped) console.log(`\n${skipped} tests were skipped, each says why above: most need the shared reference data in ../shared`)
if (!fast)
  console.log(
    `\n── longest files\n${most(files, 'seconds')}\n\n── most computing of a file of the server\n${most(files, 'computing')}\n\n── ${computing()}`,
  )
// At the very end, where a log cut short still shows it.
if (failures.length) console.log(`\n${failures.map((one) => `failed: ${one}`).join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode ||= failed === 0 && passed > 0 ? 0 : 1

async function inTurn(steps) {
  for (const [name, run] of steps) {
    if (process.exitCode) return
    console.log(`\n── ${name}`)
    await counted(name, run)
  }
}

async function counted(name, run) {
  const since = performance.now()
  const count = await run()
  passed += count.passed
  failed += count.failed
  skipped += count.skipped ?? 0
  failures.push(...(count.failures ?? []))
  files.push(...(count.files ?? []))
  const more = count.skipped ? `, ${count.skipped} skipped` : ''
  const took = [
    `${((performance.now() - since) / 1000).toFixed(1)} s`,
    ...(count.computing ? [`${Math.round(count.computing)} s of computing`] : []),
  ]
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed${more} (${took.join(', ')})`)
}

function most(files, figure) {
  const first = files.filter((one) => one[figure] !== null).sort((a, b) => b[figure] - a[figure])
  return first
    .slice(0, 20)
    .map((one) => `${one[figure].toFixed(0).padStart(5)} s  ${one.file}`)
    .join('\n')
}

function computing() {
  const seconds = computed()
  if (seconds === null) return `computing: only Linux tells what all processes took, ${process.platform} does not`
  return `computing: ${Math.round(seconds)} s of all processes, user and system; the fixed loop takes ${fixedLoop().toFixed(2)} s here`
}

async function tool(name, args) {
  const code = await spawned(name, args)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function together(...tools) {
  const counts = await Promise.all(tools)
  const sum = (what) => counts.reduce((all, one) => all + one[what], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

async function vitest(args) {
  const file = join(reports, `${Math.random()}.json`)
  const code = await spawned('vitest', ['run', ...args, '--reporter=default', `--reporter=${tallying}`], { TALLY: file })
  if (!existsSync(file)) return { passed: 0, failed: 1 }
  const tally = JSON.parse(readFileSync(file, 'utf8'))
  return tally.failed === 0 && code !== 0 ? { ...tally, failed: 1 } : tally
}

function spawned(name, args, more = {}) {
  return new Promise((resolve) => {
    const child = spawn(join(bin, name), args, {
      cwd: root,
      env: { ...env, ...more },
      stdio: ['inherit', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    running.add(child)
    inLines(child.stdout, process.stdout)
    inLines(child.stderr, process.stderr)
    const end = (code) => {
      running.delete(child)
      resolve(code)
    }
    child.once('error', (error) => {
      console.error(error.message)
      end(1)
    })
    child.once('close', (code) => end(code ?? 1))
    // What a tool left running may hold its output open: that is not waited for.
    const letGo = () => {
      for (const one of [child.stdout, child.stderr]) one.destroy()
    }
    child.once('exit', () => setTimeout(letGo, 2_000).unref())
  })
}

/** Two tools print at once: each line stays whole. */
function inLines(from, to) {
  createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => to.write(`${line}\n`))
}
