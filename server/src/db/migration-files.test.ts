import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareVersions } from '../base/program-version.ts'
import { firstWithPhase, type MigrationFile, readMigrations } from './migration-files.ts'
import { schemaProblem } from './schema-version.ts'

/** What `RELEASES.json` says of a release: its commit and the newest migration that it had. */
type Releases = Readonly<Record<string, { readonly commit: string; readonly migrations: string }>>

/** A contract migration may take away only what the release that it names, which is out, needs no more. */
function tooEarly(files: readonly Pick<MigrationFile, 'name' | 'phase'>[], releases: Releases): string[] {
  return files.flatMap(({ name, phase }) => {
    if (phase?.kind !== 'contract') return []
    const release = releases[phase.since]
    return release && release.migrations < name ? [] : [name]
  })
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convexa-migrations-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (text: string) => {
  writeFileSync(join(folder, '0060-a.sql'), text)
  return readMigrations(pathToFileURL(`${folder}/`))
}

describe('the head of a migration', () => {
  test('says its phase and whether it runs in a transaction', async () => {
    expect(await read('-- phase: expand\nselect 1')).toMatchObject([{ name: '0060-a', phase: { kind: 'expand' }, inTransaction: true }])
    const [alone] = await read('-- phase: contract since 1.3.0\n-- transaction: none\nselect 1')
    expect(alone).toMatchObject({ phase: { kind: 'contract', since: '1.3.0' }, inTransaction: false })
  })

  test.each(['select 1', '-- phase: later\nselect 1', '-- phase: contract\nselect 1', '\n-- phase: expand\nselect 1'])(
    '%j says none',
    async (text) => {
      await expect(read(text)).rejects.toThrow(/^migration 0060-a says no phase/)
    },
  )
})

describe('our own migrations', () => {
  test('say their phase from the first on that must, and take nothing away that a release out there needs', async () => {
    const files = await readMigrations()
    const releases = JSON.parse(readFileSync(new URL('../../../RELEASES.json', import.meta.url), 'utf8')) as Releases
    expect(files.filter(({ name, phase }) => phase === null && name >= firstWithPhase)).toEqual([])
    expect(tooEarly(files, releases)).toEqual([])
  })

  test('a contract migration waits until the release that it names is out', () => {
    const contract = [{ name: '0070-drop-reports', phase: { kind: 'contract', since: '1.3.0' } }] as const
    const release = { commit: '0'.repeat(40), migrations: '0066-cores' }
    expect(tooEarly(contract, {})).toEqual(['0070-drop-reports'])
    expect(tooEarly(contract, { '1.2.0': release })).toEqual(['0070-drop-reports'])
    expect(tooEarly(contract, { '1.3.0': { ...release, migrations: '0070-drop-reports' } })).toEqual(['0070-drop-reports'])
    expect(tooEarly(contract, { '1.3.0': release })).toEqual([])
  })
})

test('versions are ordered by their numbers', () => {
  expect(['1.10.0', '1.9.9', '0.1.0', '1.9', '2.0.0'].toSorted(compareVersions)).toEqual(['0.1.0', '1.9', '1.9.9', '1.10.0', '2.0.0'])
})

describe('a program and tables', () => {
  const fits = { pending: [], newer: [], floor: null }
  test.each([
    [fits, null],
    [{ ...fits, newer: ['9999-later'], floor: '1.2.0' }, null],
    [{ ...fits, pending: ['0070-a'] }, '数据库还没有升级（缺少 0070-a）：请先运行 ./convexa migrate'],
    [{ ...fits, pending: ['0070-a', '0071-b'] }, '数据库还没有升级（缺少 0070-a 等 2 项）：请先运行 ./convexa migrate'],
    [{ ...fits, pending: ['0070-a'], floor: '1.10.0' }, '数据库需要 1.10.0 以上的版本，本程序是 1.9.0：请升级程序'],
  ])('%j: %s', (state, sentence) => {
    expect(schemaProblem(state, '1.9.0')).toBe(sentence)
  })
})
