import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { tableBefore } from '../../../test/day-of.ts'
import { marketFeed, scriptedChain } from '../../../test/scripted-feed.ts'
import { demoTables, simulateDemo } from '../../market/demo.ts'
import { loadPanel } from '../../market/panels.ts'
import type { Quality } from '../../market/quality.ts'
import { newestSnapshot, publish, snapshotPath } from '../../market/snapshot.ts'
import type { MarketTable } from '../../market/store.ts'
import { ingest } from './ingest.ts'

/** A market of 100 stocks and 30 bonds that is taken for real. */
const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-11-20' })
const [index, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
/** What a source of bars tells and what is joined and worked out of it: the model's own numbers to the last bit. */
const exact = {
  stk: ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount', 'adj_factor', 'total_mv', 'circ_mv', 'pb'],
  cb: [
    'close',
    'pre_close',
    'amount',
    'close_stk',
    'pre_close_stk',
    'adj_factor_stk',
    'vol_stk',
    'conv_price',
    'conv_value',
    'conv_prem',
    'left_years',
    'rating',
    'pb',
  ],
} as const
const quality = { rows: 0, listedRows: 0, findings: [], notes: [] } as unknown as Quality
const days = 5
const first = dates.length - days

let database: TestDatabase
let dataDir: string
let today = dates.at(-1)!

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const table of ['market_snapshot', 'ingest_step', 'known_fact'] as const) await database.db.deleteFrom(table).execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-ingest-'))
  today = dates.at(-1)!
  for (const table of [index, stk, cb]) {
    const source = { preset: 'test', files: [] }
    await publish({ db: database.db, dataDir, table: tableBefore(table, first), mode: 'imported', adjust: 'raw', source, quality })
  }
  return () => rm(dataDir, { recursive: true })
})

const ground = (chain = scriptedChain(marketFeed({ stk, cb, index }, () => today))) => ({
  db: database.db,
  dataDir,
  chain,
  signal: new AbortController().signal,
})
const panelOf = async (kind: 'cb' | 'stk') => loadPanel(snapshotPath(dataDir, (await newestSnapshot(database.db, kind))!), null, 'all')

describe('the days that are missing', () => {
  it('are asked for, judged and published, and are what the sources say', async () => {
    const done = await ingest(ground(), { through: dates.at(-1)! })
    expect(done.map(({ text }) => text).filter((text) => !/^[^\n]*(已发布|无需更新)。共 \d+ 行。$/.test(text))).toEqual([])
    for (const [kind, table] of [
      ['stk', stk],
      ['cb', cb],
    ] as const) {
      const panel = await panelOf(kind)
      expect(panel.dates).toEqual(dates)
      expect(panel.securities.map(({ code }) => code)).toEqual(table.securities.map(({ code }) => code))
      for (const key of exact[kind]) {
        const [told, found] = [table.columns.get(key)!.cells, panel.columns.get(key)!]
        const rows = (cells: ArrayLike<number>, stride: number) =>
          Array.from({ length: days }, (_, k) =>
            table.securities.map((_security, i) => {
              const t = first + k
              return table.traded[t * table.stride + i] === 1 ? cells[t * stride + i] : null
            }),
          )
        expect([key, rows(found, panel.stride)]).toEqual([key, rows(told, table.stride)])
      }
      for (const mask of ['listed', 'traded'] as const) {
        const row = (cells: Uint8Array, stride: number, t: number) => [...cells.subarray(t * stride, t * stride + table.securities.length)]
        for (let t = first; t < dates.length; t++) expect(row(panel[mask], panel.stride, t)).toEqual(row(table[mask], table.stride, t))
      }
      const code = `${kind}_ew`
      expect([...panel.benchmarks.get(code)!]).toEqual([...table.benchmarks.get(code)!])
    }
  })
})
