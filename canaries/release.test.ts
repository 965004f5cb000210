import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problemsOf, release } from '../scripts/release.mjs'

// A release is made of a small repository that looks like this one.

let root: string
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
function write(file: string, content: unknown) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'convexa-release-'))
  const server = { name: '@convexa/server', version: '0.1.0', dependencies: { '@convexa/engine': '0.1.0', zod: '4.6.7' } }
  write('package.json', { name: 'convexa', version: '0.1.0', workspaces: ['engine', 'server'] })
  write('engine/package.json', { name: '@convexa/engine', version: '0.1.0' })
  write('server/package.json', server)
  write('package-lock.json', { version: '0.1.0', packages: { '': { version: '0.1.0' }, server, engine: { version: '0.1.0' } } })
  write('server/src/db/migrations/0001-first.sql', '-- phase: expand\n')
  write('CHANGELOG.md', '# 更新日志\n\n## [1.0.0] - 2026-11-28\n')
  write('RELEASES.json', '{}\n')
  git('init', '--quiet')
  for (const [name, value] of [
    ['user.name', 'a tester'],
    ['user.email', 'tester@example.com'],
  ] as const)
    git('config', name, value)
  git('add', '.')
  git('commit', '--quiet', '--message', 'all: there')
})
afterEach(() => rmSync(root, { recursive: true }))

test('a release sets every version, is tagged, and is among the releases afterwards', () => {
  let tested = 0
  release(root, '1.0.0', { test: () => tested++, say: () => {} })
  expect(tested).toBe(1)
  expect(['package.json', 'engine/package.json', 'server/package.json'].map((file) => json(file).version)).toEqual(Array(3).fill('1.0.0'))
  expect(json('server/package.json').dependencies).toEqual({ '@convexa/engine': '1.0.0', zod: '4.6.7' })
  expect(json('package-lock.json').packages).toMatchObject({
    '': { version: '1.0.0' },
    server: { version: '1.0.0' },
    engine: { version: '1.0.0' },
  })
  expect(json('RELEASES.json')).toEqual({ '1.0.0': { commit: git('rev-list', '-1', 'v1.0.0'), migrations: '0001-first' } })
  expect(git('log', '--format=%s', '-2')).toBe('release: 1.0.0 is among the releases\nrelease: 1.0.0')
  expect(git('status', '--porcelain')).toBe('')
})

test('what is in the way is told all at once, and nothing is changed', () => {
  write('engine/new.ts', '')
  const before = git('rev-parse', 'HEAD')
  const make = () => release(root, '2.0.0', { test: () => expect.fail('tests run'), say: () => {} })
  expect(make).toThrow(/not committed[\s\S]*has no heading "## \[2\.0\.0\]/)
  expect([git('rev-parse', 'HEAD'), git('tag'), json('package.json').version]).toEqual([before, '', '0.1.0'])
})

test('a release whose tests fail is none', () => {
  const failing = () => {
    throw new Error('npm test does not pass')
  }
  expect(() => release(root, '1.0.0', { test: failing })).toThrow('npm test does not pass')
  expect([git('tag'), json('package.json').version]).toEqual(['', '0.1.0'])
})

test.each([
  ['1.0', /named X\.Y\.Z/],
  ['1.0.0', /released before/],
  ['0.9.0', /1\.0\.0, which was released, is later/],
])('%s', (version, told) => {
  const given = { changes: '', changelog: '## [0.9.0] - 2026-01-01', releases: { '1.0.0': {} }, tags: ['v1.0.0', 'v0.8.0'] }
  expect(problemsOf({ version, ...given }).join('\n')).toMatch(told)
})
