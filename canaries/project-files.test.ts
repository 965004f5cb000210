import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { foreignLicences, noticesOf, packagesIn } from '../scripts/notices.mjs'

// What a repository shows to strangers: workflows and forms that can work, and the notices of what is distributed.

const root = resolve(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const read = (file: string) => parse(textOf(file))

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Workflow {
  readonly name: string
  readonly on: object
  readonly permissions: object
  readonly jobs: Readonly<
    Record<string, { readonly 'runs-on': string; readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>
  >
}
const workflows = globSync('.github/workflows/*', { cwd: root }).map((file) => ({ file, workflow: read(file) as Workflow }))
const steps = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps))

/** `commit`: null, since it could not be looked up where this was written; its full version tag stands in its place. */
interface Action {
  readonly version: string
  readonly commit: string | null
}
const actions = JSON.parse(textOf('deploy/actions.json')) as Record<string, Action>

test('a workflow has a name, a reason to run, the least rights, and jobs that end', () => {
  expect(workflows.map(({ file }) => file).sort()).toEqual(['ci', 'codeql', 'image'].map((name) => `.github/workflows/${name}.yaml`))
  for (const { file, workflow } of workflows) {
    expect([typeof workflow.name, typeof workflow.on, typeof workflow.permissions], file).toEqual(['string', 'object', 'object'])
    for (const job of Object.values(workflow.jobs))
      expect([typeof job['runs-on'], job['timeout-minutes'] > 0], file).toEqual(['string', true])
  }
})

test('every action is one of deploy/actions.json, by its commit or else by its full version', () => {
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))
  for (const use of used) {
    const [path = '', at] = use.split('@')
    const action = actions[path.split('/').slice(0, 2).join('/')]
    expect(at, use).toBe(action?.commit ?? action?.version)
    expect(at, use).toMatch(/^([0-9a-f]{40}|v\d+\.\d+\.\d+)$/)
  }
  expect(Object.keys(actions).length).toBeLessThanOrEqual(5)
  const byTag = Object.entries(actions).flatMap(([name, { commit }]) => (commit === null ? [name] : []))
  if (byTag.length > 0) console.warn(`actions named by their tag, whose commits could not be looked up: ${byTag.join(', ')}`)
})

test('what a step runs is there', () => {
  const scripts = JSON.parse(textOf('package.json')).scripts as Record<string, string>
  const lines = steps.flatMap(({ run }) => (run ?? '').split('\n').map((line) => line.trim()))
  for (const line of lines.filter(Boolean)) {
    const script = /\bnpm run ([\w:-]+)/.exec(line)?.[1]
    if (script) expect(scripts, line).toHaveProperty(script)
    for (const [, file = ''] of line.matchAll(/(?:^|\s)(\.ci\/\S+|deploy\/\S+|scripts\/\S+)/g))
      expect(existsSync(join(root, file)), line).toBe(true)
  }
  expect(lines).toContain('.ci/run')
})

test('forms and the updates of dependencies can be read', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yaml', { cwd: root }).map((file) => read(file))
  expect(forms.length).toBe(3)
  for (const form of forms) {
    expect([form.name, form.description].every((text) => /\p{Script=Han}/u.test(text))).toBe(true)
    const ids = form.body.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { type, attributes } of form.body)
      expect([['textarea', 'input'].includes(type), typeof attributes.label]).toEqual([true, 'string'])
  }
  for (const { directory, 'package-ecosystem': system } of read('.github/dependabot.yaml').updates)
    if (system === 'npm') expect(existsSync(join(root, directory, 'package.json')), directory).toBe(true)
})

test('the notices are those of what is installed: npm run notices', () => {
  const packages = packagesIn(JSON.parse(textOf('package-lock.json')))
  expect(foreignLicences(packages)).toEqual([])
  expect(noticesOf(packages) === textOf('THIRD_PARTY_NOTICES')).toBe(true)
})

test('a licence that is not allowed is named', () => {
  const [one] = packagesIn({ packages: { 'node_modules/a': { version: '1.0.0', license: 'MIT OR WTFPL' } } })
  const given = { ...one!, license: 'SSPL-1.0' }
  expect(foreignLicences([one!, given, { ...one!, license: undefined }, { ...one!, license: 'MPL-2.0' }])).toEqual([
    'a 1.0.0: SSPL-1.0',
    'a 1.0.0: none',
    'a 1.0.0: MPL-2.0',
  ])
  expect(foreignLicences([{ ...one!, license: 'MPL-2.0', isTool: true }])).toEqual([])
  expect(foreignLicences([{ ...one!, license: 'Apache-2.0 AND LGPL-3.0-or-later' }])).toHaveLength(1)
  expect(foreignLicences([{ ...one!, path: 'node_modules/@img/sharp-libvips-linux-x64', license: 'LGPL-3.0-or-later' }])).toEqual([])
})

test('each folder of the Apache License has its notice', () => {
  for (const folder of ['.', 'contract', 'engine', 'qmt-bridge', 'qmt-client'])
    expect(textOf(`${folder}/NOTICE`)).toContain('Copyright 2026')
})
