import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Biome and the compiler enforce the allowed imports between packages (ARCHITECTURE). These tests check the enforcement: each file below
// files/ breaks one rule, or is the allowed twin of one that does; its first line says what must be found in it.

const root = resolve(import.meta.dirname, '..')
const files = globSync('**/*.ts', { cwd: join(import.meta.dirname, 'files') }).sort()
const found = new Map<string, string[]>()
let folder: string

beforeAll(async () => {
  // A copy of our rules and manifests with the canaries in the places of real files.
  folder = mkdtempSync(join(tmpdir(), 'convexa-canaries-'))
  for (const name of ['biome.json', '.gitignore', 'tsconfig.base.json', 'package.json']) cpSync(join(root, name), join(folder, name))
  for (const name of ['contract', 'engine', 'server', 'web']) {
    mkdirSync(join(folder, name))
    for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, name, file), join(folder, name, file))
  }
  cpSync(join(import.meta.dirname, 'files'), folder, { recursive: true })
  const [lint, types] = await Promise.all([biome(), tsc()])
  for (const [file, rule] of [...lint, ...types]) found.set(file, [...(found.get(file) ?? []), rule])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(files)('%s', (file) => {
  const [, tool, rule] = /^\/\/ (?:(biome|tsc) (\S+)|allowed): \S/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
  const faults = found.get(file) ?? []
  if (tool) expect(faults).toContain(rule)
  else expect(faults).toEqual([])
})

test('there are canaries for every package', () => {
  expect(readdirSync(join(import.meta.dirname, 'files')).sort()).toEqual(['contract', 'engine', 'server', 'web'])
  expect(files.length).toBeGreaterThan(20)
})

test('the engine throws no dice', () => {
  const dice = /Math\s*\.\s*random/
  expect(dice.test('const x = Math.random()')).toBe(true)
  const sources = globSync('engine/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(10)
  expect(sources.filter((file) => dice.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

async function biome(): Promise<[string, string][]> {
  const out = await run('biome', ['lint', '--reporter=json', '--max-diagnostics=none', '.'])
  const { diagnostics } = JSON.parse(out) as { diagnostics: { category: string; location: { path: string | { file: string } } }[] }
  return diagnostics.map(({ category, location: { path } }) => [
    (typeof path === 'string' ? path : path.file).replace(/^\.\//, ''),
    category,
  ])
}

/** Only the engine is compiled: its compiler settings are the guard (no DOM, no Node). */
async function tsc(): Promise<[string, string][]> {
  const config = {
    extends: './engine/tsconfig.json',
    compilerOptions: { rootDir: '.', noEmit: true, composite: false },
    include: ['engine/src'],
  }
  const own = { ...config, compilerOptions: { ...config.compilerOptions, emitDeclarationOnly: false, declaration: false }, references: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(own))
  const out = await run('tsc', ['-p', 'tsconfig.json', '--pretty', 'false'])
  // What is not installed in the copy cannot be resolved there (TS2307): Biome judges imports.
  return [...out.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)]
    .map(([, file = '', code = '']): [string, string] => [file, code])
    .filter(([, code]) => code !== 'TS2307')
}

/** What a tool of ours prints; that it fails is the point. */
async function run(tool: string, args: string[]): Promise<string> {
  const program = join(root, 'node_modules', '.bin', tool)
  const path = `${dirname(program)}:${process.env['PATH']}`
  const options = { cwd: folder, env: { ...process.env, PATH: path }, maxBuffer: 64 << 20 }
  try {
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
