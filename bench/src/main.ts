/**
 * `npm run bench [-- case …] [--all | --quick] [--no-peers]`: every case, or those named, one after the other; what is compared is ratios taken
 * in one run, never milliseconds of another day. One page is printed; a run of every case writes it to bench/RESULTS.md.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { alphas } from './alphas/section.ts'
import { kernels } from './kernels/section.ts'
import { load } from './load/section.ts'
import { machine } from './machine.ts'
import { shared, sharedIsThere } from './reference-data.ts'
import { rotation } from './rotation/section.ts'
import { screen } from './screen/section.ts'
import { goalsText, type Options, type Section, sectionText } from './section.ts'

const cases: Readonly<Record<string, (options: Options) => Promise<Section[]>>> = { rotation, alphas, kernels, screen, load }
const needShared = new Set(['rotation'])

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
const sections: Section[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(cases)) {
  if (needShared.has(name) && !sharedIsThere) {
    console.error(`${name}: the reference cases and their data are not in ${shared}.`)
    continue
  }
  process.stderr.write(`${name} …\n`)
  sections.push(...(await cases[name]!(options)))
}
const page = ['# Benchmarks', '', machine(), '', goalsText(sections), ...sections.map(sectionText)].join('\n')
console.log(page)
if (positionals.length === 0) await writeFile(fileURLToPath(new URL('../RESULTS.md', import.meta.url)), page)
