import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { publishSmallMarket } from '../../test/small-market.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { type PanelCache, panelCache } from './panel-cache.ts'
import type { DataFiles } from './protocol.ts'

let database: TestDatabase
let dataDir: string
let files: DataFiles[]
let column: number

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-cache-'))
  files = []
  for (const seed of [1, 2]) {
    const given = { kind: 'cb', from: '2022-01-04', to: '2022-12-30', securities: 40, seed } as const
    const snapshot = await publishSmallMarket(database.db, dataDir, given)
    files.push({ kind: 'cb', snapshotId: snapshot.id, indexSnapshotId: null, folder: snapshotPath(dataDir, snapshot), indexFolder: null })
  }
  const held = await panelCache(
    1e9,
    () => {},
    () => {},
  ).acquire(files[0]!, new Set(['close']))
  column = held.panel.columns.get('close')!.byteLength
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const fieldsIn = async (cache: PanelCache, of: DataFiles, ...fields: string[]) => {
  const held = await cache.acquire(of, new Set(fields))
  held.release()
  return [...held.panel.columns.keys()]
}

test('exactly the fields that were asked for are loaded, each once', async () => {
  const told: number[] = []
  const cache = panelCache(
    1e9,
    (bytes) => told.push(bytes),
    () => {},
  )
  // Its columns, and what is said of its securities.
  const columns = ['close', 'conv_prem', 'list_date', 'open', 'remain_size']
  const available = [...(await cache.available(files[0]!))].sort()
  expect(available).toEqual([...columns, 'date:list_date', 'text:market', 'told:'].sort())
  const [a, b] = await Promise.all([cache.acquire(files[0]!, new Set(['close'])), cache.acquire(files[0]!, new Set(['close', 'open']))])
  expect(b.panel.columns.get('close')).toBe(a.panel.columns.get('close'))
  expect([...b.panel.columns.keys()].sort()).toEqual(['close', 'open'])
  expect(b.panel.columns.get('close')!.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(told.at(-1)).toBe(cache.bytes())
})

test('over the budget the oldest columns are forgotten, and loaded again when asked for', async () => {
  const forgotten: string[] = []
  const cache = panelCache(
    3.5 * column,
    () => {},
    (key) => forgotten.push(key),
  )
  await fieldsIn(cache, files[0]!, 'close', 'open')
  expect(forgotten).toEqual([])
  await fieldsIn(cache, files[1]!, 'close')
  await fieldsIn(cache, files[1]!, 'open')
  expect(forgotten.every((key) => key.startsWith(files[0]!.snapshotId))).toBe(true)
  expect(forgotten.length).toBeGreaterThan(0)
  expect(cache.bytes()).toBeLessThanOrEqual(3.5 * column)
  expect((await fieldsIn(cache, files[0]!, 'close', 'open')).sort()).toEqual(['close', 'open'])
})

test('what is being computed on is never forgotten, though it is more than the budget', async () => {
  const cache = panelCache(
    column,
    () => {},
    () => {},
  )
  const held = await cache.acquire(files[0]!, new Set(['close', 'open', 'conv_prem']))
  await fieldsIn(cache, files[1]!, 'close')
  expect((await fieldsIn(cache, files[0]!, 'close')).sort()).toEqual(['close', 'conv_prem', 'open'])
  held.release()
  expect(cache.bytes()).toBeLessThanOrEqual(column)
})
