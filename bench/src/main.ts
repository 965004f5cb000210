/**
 * `npm run bench [-- case …] [--all | --quick] [--no-peers]`: every case, or those named, one after the other; what is compared is ratios taken
 * in one run, never milliseconds of another day. What was measured is printed; bench/RESULTS.md has the newest of each case (not of
 * `--quick`), with machine, date and commit.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { alphas } from './alphas/section.ts'
import { binning } from './binning/section.ts'
import { grid } from './grid/section.ts'
import { store } from './inputs.ts'
import { kernels } from './kernels/section.ts'
import { append } from './load/append.ts'
import { ingest } from './load/ingest.ts'
import { requests } from './load/requests.ts'
import { load } from './load/section.ts'
import { machine } from './machine.ts'
import { shared, sharedIsThere } from './reference-data.ts'
import { rotation } from './rotation/section.ts'
import { screen } from './screen/section.ts'
import { goalsText, type Options, type Section, sectionText } from './section.ts'
import { stocks } from './stocks/section.ts'

const cases: Readonly<Record<string, (options: Options) => Promise<Section[]>>> = {
  rotation,
  grid,
  stocks,
  binning,
  alphas,
  kernels,
  screen,
  load,
  append,
  ingest,
  requests,
}
const needShared = new Set(['rotation', 'grid'])

const pages = join(store, 'pages')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !(name in cases))
if (unknown.length > 0) {
  console.error(`No case ${unknown.join(', ')}. There are: ${Object.keys(cases).join(', ')}.`)
  process.exit(1)
}
const options: Options = { all: values.all, quick: values.quick, peers: !values['no-peers'] }
const measured: string[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(cases)) {
  if (needShared.has(name) && !sharedIsThere) {
    console.error(`${name}: the reference cases and their data are not in ${shared}.`)
    continue
  }
  process.stderr.write(`${name} …\n`)
  const sections = await cases[name]!(options)
  await keep(options.quick ? `${name}.quick` : name, { measured: machine(), sections })
  measured.push(name)
}
console.log(await pageOf(measured.map((name) => (options.quick ? `${name}.quick` : name))))
const results = fileURLToPath(new URL('../RESULTS.md', import.meta.url))
if (!options.quick) await writeFile(results, withOthers(await pageOf(Object.keys(cases)), await readFile(results, 'utf8')))

/** What a case came to, kept until it is measured again: RESULTS.md has the newest of each case. */
interface Kept {
  readonly measured: string
  readonly sections: readonly Section[]
}

async function keep(name: string, kept: Kept): Promise<void> {
  await mkdir(pages, { recursive: true })
  await writeFile(join(pages, `${name}.json`), JSON.stringify(kept))
}

/** The page with those sections of the one before that were measured elsewhere: nothing is kept of them here. */
function withOthers(page: string, before: string): string {
  const sections = before.split(/^(?=## )/m).slice(1)
  const others = sections.filter(
    (section) => !page.includes(section.slice(0, section.indexOf('\n') + 1)) && !section.startsWith('## Goals\n'),
  )
  return [page.trimEnd(), ...others.map((section) => section.trimEnd())].join('\n\n').concat('\n')
}

async function pageOf(names: readonly string[]): Promise<string> {
  const kept: Kept[] = []
  for (const name of names) {
    const path = join(pages, `${name}.json`)
    if (existsSync(path)) kept.push(JSON.parse(await readFile(path, 'utf8')))
  }
  const goals = goalsText(kept.flatMap(({ sections }) => sections))
  const parts = kept.flatMap(({ measured: when, sections }) => sections.map((section) => sectionText(section, when)))
  const loaded =
    'Where the load is above the number of cores, times by the clock mean little: there the processor times (cpu) and the ratios count.'
  return ['# Benchmarks', '', loaded, '', goals, ...parts].join('\n')
}
