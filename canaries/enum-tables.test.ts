import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// One home for each enum: its table in contract/src/enums, of which alone the engine takes values. That labels stand nowhere else is checked by
// scripts/check/enums.mjs.

const root = resolve(import.meta.dirname, '..')
const home = 'contract/src/enums/'
const sources = globSync('{contract,engine,server,web}/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('the engine takes values of the contract from the enum tables alone', () => {
  const taken = (text: string) =>
    [
      ...text.matchAll(
        /(?:^|\n)(?:import|export)(?!\s+type\b)[^'"]*?from\s+'(@convexa\/contract[^']*)'|import\(\s*'(@convexa\/contract[^']*)'/g,
      ),
    ]
      .map(([, from = '', late = '']) => from || late)
      .filter((from) => !from.startsWith('@convexa/contract/enums/'))
  const canary = (name: string) => taken(textOf(`canaries/engine-values/${name}`))
  expect([canary('imports-a-contract-value.ts'), canary('imports-an-enum.ts')]).toEqual([['@convexa/contract/names-version'], []])
  const files = sources.filter((file) => file.startsWith('engine/src/'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => taken(textOf(file)).length > 0)).toEqual([])
})

test('an enum table imports nothing outside its folder', () => {
  const imports = (file: string) => [...textOf(file).matchAll(/from '([^']+)'/g)].map(([, from = '']) => from)
  const tables = sources.filter((file) => file.startsWith(home))
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.filter((file) => imports(file).some((from) => !/^\.\/[a-z-]+\.ts$/.test(from)))).toEqual([])
})
