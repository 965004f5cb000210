/**
 * A new value of an enum is named by the compiler at every place that must know it: a copy of the sources gets a row more in each of five
 * tables and is compiled once. The files that have errors are listed in `expected/`; `vitest run --project canaries experiments -u` writes
 * the lists anew.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Experiment {
  readonly name: string
  readonly file: string
  /** Key of the row that is copied, and the new one: it occurs nowhere else, so an error belongs to the experiment whose key it names. */
  readonly like: string
  readonly key: string
  /** Names of the type. */
  readonly types: readonly string[]
  /** Most files of `src` that may need a change. */
  readonly most?: number
}
const experiments: readonly Experiment[] = [
  { name: 'operator', file: 'operator.ts', like: 'in', key: 'not_in', types: ['Operation'] },
  { name: 'stop-type', file: 'stop-type.ts', like: '5', key: '96', types: ['StopType'] },
  { name: 'hold-weight', file: 'hold-weight.ts', like: '5', key: '97', types: ['HoldWeight'] },
  { name: 'missing-value', file: 'missing-value.ts', like: 'market_mean', key: 'industry_mean', types: ['MissingValue', 'MissingProcess'] },
  { name: 'market', file: 'market.ts', like: 'stk', key: 'fund', types: ['MarketId'], most: 20 },
]

const root = join(import.meta.dirname, '..')
const packages = ['contract', 'engine', 'server', 'web', 'e2e', 'bench', 'canaries']
const left = new Set(['node_modules', 'dist', '.tsc', '.cache'])
const taken = new Set(['.ts', '.tsx', '.mts', '.mjs', '.css'])
const manifest = /^(package|tsconfig.*)\.json$/

/** The sources with a `node_modules` of its own: links to the real one's entries, but `@convexa/*` leads into the copy. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'convexa-experiments-'))
  const filter = (path: string) => {
    const name = basename(path)
    return !left.has(name) && (extname(name) === '' || taken.has(extname(name)) || manifest.test(name))
  }
  for (const name of [...packages, 'scripts']) cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  for (const name of readdirSync(root)) if (manifest.test(name) || name === 'vitest.config.ts') cpSync(join(root, name), join(copy, name))
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Dependencies of one package alone.
  for (const name of packages) {
    const own = join(root, name, 'node_modules')
    if (readdirSync(join(root, name)).includes('node_modules')) symlinkSync(own, join(copy, name, 'node_modules'))
  }
  return copy
}

function linkModules(from: string, to: string): void {
  mkdirSync(join(to, '@convexa'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@convexa' && name !== '.bin') symlinkSync(join(from, name), join(to, name))
  for (const name of packages) symlinkSync(join('..', '..', name), join(to, '@convexa', name))
}

/** The text of a table with the row `like` once more, under another key. */
function withRow(text: string, { like, key }: Experiment): string {
  const row = new RegExp(`^  '?${like}'?: (?:\\{[^\\n]*\\},\\n|\\{\\n[\\s\\S]*?^  \\},\\n)`, 'm').exec(text)
  if (!row) throw new Error(`no row ${like}`)
  const another = row[0].replaceAll(new RegExp(`(?<=^  '?)${like}(?='?:)|(?<=id: ')${like}(?=')`, 'g'), key)
  return text.slice(0, row.index + row[0].length) + another + text.slice(row.index + row[0].length)
}

interface Fault {
  readonly path: string
  readonly text: string
}

/** Errors of the compiler: the file, and all that is said. */
function faultsOf(output: string): Fault[] {
  const faults: { path: string; text: string }[] = []
  for (const line of output.split('\n')) {
    const [, path, text] = /^(\S+)\(\d+,\d+\): error (.*)$/.exec(line) ?? []
    if (path !== undefined && text !== undefined) faults.push({ path, text })
    else if (faults.length > 0) faults.at(-1)!.text += `\n${line}`
    else if (line !== '') throw new Error(line)
  }
  return faults
}

const isSource = (path: string) => /^(contract|engine|server|web)\/src\//.test(path) && !/\.test\.tsx?$/.test(path)
/** `server/strategy-options.ts`: a file keeps its line where it moves to another folder. */
const placeOf = (path: string) => `${path.split('/')[0]}/${basename(path)}`
const placesOf = (paths: readonly string[]) => [...new Set(paths.map(placeOf))].sort()

/** Source files with a record or an exhaustive switch over the type. */
function branchesOf(copy: string, { types, file }: Experiment): string[] {
  const name = `(?:${types.join('|')})`
  const branch = new RegExp(`\\bRecord<${name},(?:[^=\\n]|=>)*=\\s*\\{|satisfies (?:Readonly<)?Record<${name},`)
  const isBranching = (text: string) =>
    branch.test(text.replaceAll('Partial<Record<', '')) || (text.includes('satisfies never') && new RegExp(`\\b${name}\\b`).test(text))
  return readdirSync(copy, { recursive: true, encoding: 'utf8' })
    .filter((path) => isSource(path) && /\.tsx?$/.test(path) && !path.endsWith(`enums/${file}`))
    .filter((path) => isBranching(readFileSync(join(copy, path), 'utf8')))
}

let copy: string
let faults: Fault[]

beforeAll(() => {
  copy = copied()
  for (const one of experiments) {
    const path = join(copy, 'contract/src/enums', one.file)
    writeFileSync(path, withRow(readFileSync(path, 'utf8'), one))
  }
  // A message cut short may not name the value.
  const config = join(copy, 'tsconfig.base.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('"strict": true', '"noErrorTruncation": true, "strict": true'))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout, error } = spawnSync(tsc, ['-b', '--pretty', 'false', '--checkers', '1'], {
    ...{ cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28 },
  })
  if (error) throw error
  // Of a copy outside the checkout types of modules have no portable name (TS2883): no fault of its own.
  faults = faultsOf(stdout).filter(({ text }) => !text.startsWith('TS2883'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

const names = (text: string, { key }: Experiment) => new RegExp(`\\b${key}\\b`).test(text)

/** What cannot be typed any more where a value is missing follows in the same file, or in those that read it. */
const follows = /implicitly has an 'any' type|'unknown'|'undefined'/

test('each error of the compiler names one of the new values, or follows from one that does', () => {
  const isNamed = ({ text }: Fault) => experiments.some((one) => names(text, one))
  const known = new Set(faults.filter(isNamed).map(({ path }) => path))
  expect(faults.filter(({ path, text }) => !known.has(path) && !follows.test(text))).toEqual([])
})

describe.each(experiments)('$name $key', (one) => {
  const named = () => faults.filter(({ text }) => names(text, one)).map(({ path }) => path)

  test('is named where it is expected', async () => {
    await expect(`${placesOf(named().filter(isSource)).join('\n')}\n`).toMatchFileSnapshot(join('expected', `${one.name}.txt`))
  })

  test('is named by every record and exhaustive switch over its type', () => {
    const silent = placesOf(branchesOf(copy, one).filter((path) => !named().includes(path)))
    expect(silent).toEqual([])
  })

  test.runIf(one.most !== undefined)('needs few files', () => {
    expect(new Set(named().filter(isSource)).size).toBeLessThanOrEqual(one.most ?? 0)
  })
})
