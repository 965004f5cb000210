import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StrategyBody } from '@convexa/contract'
import { expect, test } from 'vitest'
import { serverFolder } from '../base/program-files.ts'
import { readMapping } from '../market/import/mapping.ts'
import { examples } from './examples.ts'
import { schemaFile, schemaNames } from './file-schemas.ts'
import { readRequest } from './request-file.ts'

const folder = join(serverFolder, '..', 'examples')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

test('the schemas are those that read the files: npm run docs:schemas', () => {
  expect(readdirSync(join(folder, 'schemas')).sort()).toEqual(schemaNames.map((name) => `${name}.json`).sort())
  for (const name of schemaNames) expect(textOf(`schemas/${name}.json`) === schemaFile(name), name).toBe(true)
})

test('every file of the folder is listed', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.\w+$/.test(file) && !file.startsWith('schemas'),
  )
  expect(files.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(examples.map(({ file }) => file).sort())
})

test('each is accepted as it is', async () => {
  expect(readRequest('cb', join(folder, 'request-cb.json'))).toHaveProperty('rule.parameters')
  expect(readRequest('stk', join(folder, 'request-stk.json'))).toHaveProperty('settings')
  expect(readRequest('cb', join(folder, 'request-group.json'))).toHaveProperty('rule.group.members')
  for (const { file } of examples.filter(({ file }) => file.startsWith('strategies/')))
    expect(StrategyBody.safeParse(JSON.parse(textOf(file))).error, file).toBeUndefined()
  const columns = textOf('cb.csv').split('\n')[0]!.split(',')
  const { fields, code, date } = await readMapping(join(folder, 'mapping.json'))
  const read = Object.values(fields).map((source) => (typeof source === 'string' ? source : source.column))
  for (const column of [code, date, ...read]) expect(columns).toContain(column)
})
