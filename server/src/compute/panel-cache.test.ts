import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { loadPanel } from '../market/panels.ts'
import { parseSecurities } from '../market/read-store.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { type LoadedPanel, type PanelCache, panelCache, panelOfView, type Reads, type View } from './panel-cache.ts'
import type { DataFiles } from './protocol.ts'

let database: TestDatabase
let dataDir: string
let files: DataFiles[]
let column: number

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-cache-'))
  files = []
  // The third is long enough to be read in part, in the middle of a year.
  for (const [seed, from] of [
    [1, '2022-01-04'],
    [2, '2022-01-04'],
    [3, '2020-06-01'],
  ] as const) {
    const given = { kind: 'cb', from, to: '2022-12-30', securities: 40, seed } as const
    const snapshot = await publishSmallMarket(database.db, dataDir, given)
    files.push({
      kind: 'cb',
      snapshotId: snapshot.id,
      indexSnapshotId: null,
      stockSnapshotId: null,
      folder: snapshotPath(dataDir, snapshot),
      indexFolder: null,
      stockFolder: null,
    })
  }
  const held = await panelCache(
    1e9,
    () => {},
    () => {},
  ).acquire(files[0]!, all('close'))
  column = held.whole.columns.get('close')!.byteLength
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const all = (...fields: string[]): Reads => ({ recent: new Set(), whole: new Set(fields) })
const newest = (...fields: string[]): Reads => ({ recent: new Set(fields), whole: new Set() })

const shown = ({ base }: LoadedPanel, view: View) => panelOfView({ ...base.panel, securities: parseSecurities(base.securities) }, view)

const fieldsIn = async (cache: PanelCache, of: DataFiles, ...fields: string[]) => {
  const held = await cache.acquire(of, all(...fields))
  held.release()
  return [...held.whole.columns.keys()]
}

test('exactly the fields that were asked for are loaded, each once', async () => {
  const told: number[] = []
  const cache = panelCache(
    1e9,
    (bytes) => told.push(bytes),
    () => {},
    { stLimitFrom: null },
  )
  // Its columns, and what is said of its securities.
  const columns = ['close', 'conv_prem', 'list_date', 'open', 'remain_size']
  const available = [...(await cache.available(files[0]!))].sort()
  expect(available).toEqual([...columns, 'date:list_date', 'text:market', 'told:'].sort())
  const [a, b] = await Promise.all([cache.acquire(files[0]!, all('close')), cache.acquire(files[0]!, all('close', 'open'))])
  expect(b.whole.columns.get('close')).toBe(a.whole.columns.get('close'))
  expect([...b.whole.columns.keys()].sort()).toEqual(['close', 'open'])
  expect(b.whole.columns.get('close')!.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(told.at(-1)).toBe(cache.bytes())
  expect(a.base.panel).toMatchObject({ adjust: 'raw', rules: { stLimitFrom: null } })
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
  const held = await cache.acquire(files[0]!, all('close', 'open', 'conv_prem'))
  await fieldsIn(cache, files[1]!, 'close')
  expect((await fieldsIn(cache, files[0]!, 'close')).sort()).toEqual(['close', 'conv_prem', 'open'])
  held.release()
  expect(cache.bytes()).toBeLessThanOrEqual(column)
})

test('the newest days of a field are the last ones of the whole, and those before come when they are asked for', async () => {
  const long = files[2]!
  const cache = panelCache(
    1e9,
    () => {},
    () => {},
  )
  const whole = await loadPanel(long.folder, null, 'all')
  const part = await cache.acquire(long, newest('close', 'open'))
  const { from } = part.recent
  expect(from).toBeGreaterThan(300)
  const recent = shown(part, part.recent)
  expect(recent.dates).toEqual(whole.dates.slice(from))
  expect(recent.securities).toEqual(whole.securities)
  const cells = from * whole.stride
  for (const key of ['close', 'open']) expect(recent.columns.get(key)).toEqual(whole.columns.get(key)!.slice(cells))
  expect(recent.listed).toEqual(whole.listed.slice(cells))
  const small = cache.bytes()

  const both = await cache.acquire(long, { recent: new Set(['conv_prem']), whole: new Set(['close']) })
  expect(both.recent.columns.get('close')).toBe(part.recent.columns.get('close'))
  expect([...both.recent.columns.keys()].sort()).toEqual(['close', 'conv_prem', 'open'])
  // A column of recent days is not part of the view of all days.
  expect([...both.whole.columns.keys()]).toEqual(['close'])
  expect(shown(both, both.whole).columns.get('close')).toEqual(whole.columns.get('close'))
  expect(cache.bytes()).toBeGreaterThan(small)
})

test('who wants one field does not wait for who wants all', async () => {
  const cache = panelCache(
    1e9,
    () => {},
    () => {},
  )
  const ended: string[] = []
  await Promise.all([
    cache.acquire(files[2]!, all('conv_prem', 'open', 'remain_size', 'close')).then(() => ended.push('all')),
    cache.acquire(files[2]!, newest('close')).then(() => ended.push('one')),
  ])
  expect(ended).toEqual(['one', 'all'])
})
