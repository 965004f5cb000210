import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// decisions/0006 names every dependency of every manifest with what it is for, and no other.

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'decisions', '0006-dependencies.md'), 'utf8')

/** Names in the second column; `@scope/{a,b}` is two of them, `@scope/*` any. The Python packages of bench have no manifest of npm. */
const named = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| bench'))
  .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  .flatMap((name) => {
    const [, scope = '', parts] = /^(.*)\{(.*)\}$/.exec(name) ?? []
    return parts ? parts.split(',').map((part) => scope + part) : [name]
  })

const used = globSync(['package.json', '*/package.json', 'e2e/browser/package.json'], { cwd: root }).flatMap((file) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  return Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([name]) => !name.startsWith('@convexa/'))
    .map(([name, version]) => ({ file, name, version }))
})

const matches = (pattern: string, name: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name)

test('every dependency of a manifest has its line', () => {
  expect(used.length).toBeGreaterThan(80)
  expect(used.filter(({ name }) => !named.some((pattern) => matches(pattern, name)))).toEqual([])
})

test('every line names a dependency that a manifest has', () => {
  expect(named.filter((pattern) => !used.some(({ name }) => matches(pattern, name)))).toEqual([])
})

test('versions are exact', () => {
  expect(used.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
