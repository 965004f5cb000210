import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crossSection, markets } from '@convexa/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { noFindings } from '../../test/fixtures/market/no-findings.ts'
import { smallTable } from '../../test/fixtures/market/small-table.ts'
import { connect } from '../db/connect.ts'
import { importer } from './manifest.ts'
import { loadBase, loadDays, loadPanel } from './panels.ts'
import { roomFor } from './read-store.ts'
import {
  availableIn,
  BrokenSnapshot,
  indexSnapshotFor,
  marketFolder,
  newestSnapshot,
  publish,
  publishing,
  retain,
  type Snapshot,
  snapshotBenchmarks,
  snapshotFields,
  snapshotPath,
  sweep,
} from './snapshot.ts'
import type { MarketTable, Reading, StoredColumn } from './store.ts'

let database: TestDatabase
let dataDir: string

const publishTable = (table: MarketTable, mode: 'demo' | 'imported' = 'imported', reading: Reading = { importer }) =>
  publish({ db: database.db, dataDir, table, mode, adjust: 'raw', source: { preset: 'test', files: [] }, reading, quality: noFindings })

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('market_snapshot').execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-snapshot-'))
  return () => rm(dataDir, { recursive: true })
})

it('a publication whose files take long is not ended as if it slept', async () => {
  const { db, close } = connect(database.url, { max: 1 })
  try {
    await sql`set idle_in_transaction_session_timeout = 200`.execute(db)
    expect(await publishing(db, () => sleep(600, 'published'))).toBe('published')
  } finally {
    await close()
  }
})

describe('a snapshot', () => {
  it('gives back every listed cell that was written, doubles as doubles and floats as floats', async () => {
    const table = smallTable('cb')
    const listed = (cells: ArrayLike<number>) => Array.from(cells, (cell, at) => (table.listed[at] === 1 ? cell : Number.NaN))
    const { snapshot } = await publishTable(table)
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), null, 'all')
    expect(panel.dates).toEqual(table.dates)
    expect(panel.securities).toEqual(table.securities)
    expect([...panel.listed]).toEqual([...table.listed])
    expect([...panel.traded]).toEqual([...table.traded])
    expect([...panel.columns.get('open')!]).toEqual(listed(table.columns.get('open')!.cells))
    // A file of floats gives the decimals that were written into it.
    expect([...panel.columns.get('vol')!]).toEqual(listed(table.columns.get('vol')!.cells.map((cell) => Math.round(10 * cell) / 10)))
    expect([...panel.benchmarks.get('cb_ew')!]).toEqual([...table.benchmarks.get('cb_ew')!])
    expect(panel).toMatchObject({ kind: 'cb', dataMode: 'imported', dataVersion: snapshot.dataVersion })
  })

  it('lies in shared memory, so that threads read it without a copy', async () => {
    const { snapshot } = await publishTable(smallTable('cb'))
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), null, ['close'])
    for (const cells of [...panel.columns.values(), panel.listed, panel.traded, ...panel.benchmarks.values()]) {
      expect(cells.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
    expect([...panel.columns.keys()]).toEqual(['close'])
  })

  it('a number that is typed meets the number that was written, in fields of single precision and after arithmetic', async () => {
    const table = smallTable('stk')
    const cells = Float64Array.from(table.columns.get('open')!.cells, (_, at) =>
      at % table.stride < 3 ? (1 + (at % table.stride)) / 100 : Number.NaN,
    )
    const { snapshot } = await publishTable({
      ...table,
      columns: new Map([...table.columns, ['dv_ratio', { store: 'f32', cells, origin: 'file' }]]),
    })
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), null, 'all')
    const told = crossSection(
      panel,
      markets.stk,
      [
        'dv_ratio',
        'formula: dv_ratio >= 0.01',
        'formula: dv_ratio * 100 >= 2',
        'formula: dv_ratio == 0.03',
        'formula: between(dv_ratio, 0.01, 0.03)',
      ],
      5,
    )
    expect(told.ok && told.values.map((column) => [...column])).toEqual([
      [0.01, 0.02, 0.03],
      [1, 1, 1],
      [0, 1, 1],
      [0, 0, 1],
      [1, 1, 1],
    ])
  })

  it('carries prices over days without a trade, inside the listing window only', async () => {
    const table = smallTable('cb')
    const close = table.columns.get('close')!.cells
    // Security 0 is suspended on day 3; security 1 is not yet listed on days 0 to 2.
    expect(close[3 * table.stride]).toBeNaN()
    const { snapshot } = await publishTable(table)
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), null, 'all')
    const column = panel.columns.get('close')!
    expect(column[3 * panel.stride]).toBe(close[2 * table.stride])
    expect(close[2 * table.stride + 1]).not.toBeNaN()
    expect(column[2 * panel.stride + 1]).toBeNaN()
    expect(panel.columns.get('open')![3 * panel.stride]).toBeNaN()
  })

  it('what is absent on a trading day is absent, and so it is on the days without a trade behind it; a factor of an older importer stays', async () => {
    const table = smallTable('stk')
    const { stride, dates } = table
    // Security 0 does not trade on day 3, security 2 on days 20 to 29, over the year's end.
    const isIdle = (t: number, i: number) => (i === 0 && t === 3) || (i === 2 && t >= 20 && t < 30)
    const traded = table.traded.map((flag, at) => (isIdle(Math.floor(at / stride), at % stride) ? 0 : flag))
    const column = (store: 'f64' | 'f32', make: (t: number, i: number) => number): StoredColumn => {
      const cells = Float64Array.from({ length: dates.length * stride }, (_, at) =>
        at % stride < 3 && traded[at] === 1 ? make(Math.floor(at / stride), at % stride) : Number.NaN,
      )
      return { store, cells, origin: 'file' }
    }
    // A loss from day 2 on for security 0, from day 10 on for security 1, between days 5 and 20 for security 2.
    const hasLoss = (t: number, i: number) => (i === 0 && t >= 2) || (i === 1 && t >= 10) || (i === 2 && t >= 5 && t < 19)
    const columns = new Map([
      ...table.columns,
      ['pe_ttm', column('f32', (t, i) => (hasLoss(t, i) ? Number.NaN : 5 + t))],
      ['adj_factor', column('f64', (t) => (t % 7 === 0 ? 1 + t : Number.NaN))],
    ])
    const now = await loadPanel(snapshotPath(dataDir, (await publishTable({ ...table, columns, traded })).snapshot), null, ['adj_factor'])
    const factors = dates.map((_, t) => now.columns.get('adj_factor')![t * now.stride + 2]!)
    // Current importers fill what is known between two factors: here nothing is.
    expect(factors.slice(13, 22)).toEqual([Number.NaN, 15, ...Array(7).fill(Number.NaN)])
    const { snapshot } = await publishTable({ ...table, columns, traded }, 'imported', { importer: null })
    const folder = snapshotPath(dataDir, snapshot)
    const panel = await loadPanel(folder, null, 'all')
    const of = (key: string, i: number) => dates.map((_, t) => panel.columns.get(key)![t * panel.stride + i]!)
    expect(of('pe_ttm', 0).slice(0, 5)).toEqual([5, 6, Number.NaN, Number.NaN, Number.NaN])
    expect(of('pe_ttm', 1).slice(8, 12)).toEqual([13, 14, Number.NaN, Number.NaN])
    expect(of('pe_ttm', 2).slice(3, 6)).toEqual([8, 9, Number.NaN])
    expect(of('pe_ttm', 2).slice(18, 32)).toEqual([Number.NaN, ...Array(11).fill(24), 35, 36])
    expect(of('adj_factor', 2).slice(12, 22)).toEqual([8, 8, 15, 15, 15, 15, 15, 15, 15, 15])
    const base = await loadBase(folder, null)
    for (const from of [3, 4, 12, 19, 20, 25, 29, 30]) {
      for (const field of base.manifest.fields) {
        const cells = roomFor(base.manifest)
        await loadDays(folder, base, field, cells, { from, to: dates.length })
        const at = from * panel.stride
        expect([field.key, from, cells.subarray(at)]).toEqual([field.key, from, panel.columns.get(field.key)!.subarray(at)])
      }
    }
  })

  it('on a day without a trade nothing was traded: 0, inside the listing window only', async () => {
    const table = smallTable('cb')
    // Security 0 is suspended on day 3, when 1 and 2 trade; 1 is not listed on day 2.
    const [suspended, traded, unlisted] = [3 * table.stride, 3 * table.stride + 2, 2 * table.stride + 1]
    for (const cell of [suspended, traded, unlisted]) table.columns.get('vol')!.cells[cell] = Number.NaN
    const { snapshot } = await publishTable(table)
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), null, 'all')
    expect([suspended, traded, unlisted].map((cell) => panel.columns.get('vol')![cell])).toEqual([0, Number.NaN, Number.NaN])
  })

  it('stores no field that has no value inside any listing window', async () => {
    const { snapshot } = await publishTable(smallTable('cb'))
    expect(await snapshotFields(snapshotPath(dataDir, snapshot))).toEqual(new Set(['close', 'open', 'vol']))
    // Its securities say a board and nothing else of themselves.
    expect(await availableIn(snapshotPath(dataDir, snapshot))).toEqual(new Set(['close', 'open', 'vol', 'told:', 'text:market']))
  })

  it('has the same version whenever the same data are published, and is not published twice', async () => {
    const first = await publishTable(smallTable('cb'))
    const again = await publishTable(smallTable('cb'))
    expect(again).toEqual({ snapshot: first.snapshot, unchanged: true })
    const other = await publishTable(smallTable('cb', { shift: 1 }))
    expect(other.unchanged).toBe(false)
    expect(other.snapshot.dataVersion).not.toBe(first.snapshot.dataVersion)
    // Back to the old data is news again.
    const back = await publishTable(smallTable('cb'))
    expect(back.unchanged).toBe(false)
    expect(back.snapshot.dataVersion).toBe(first.snapshot.dataVersion)
    expect((await newestSnapshot(database.db, 'cb'))!.id).toBe(back.snapshot.id)
  })

  it('is published again when its files were lost', async () => {
    const first = await publishTable(smallTable('cb'))
    await rm(snapshotPath(dataDir, first.snapshot), { recursive: true })
    const again = await publishTable(smallTable('cb'))
    expect(again.unchanged).toBe(false)
    await expect(loadPanel(snapshotPath(dataDir, again.snapshot), null, 'all')).resolves.toBeDefined()
  })

  it('marks demo data in its version', async () => {
    const { snapshot } = await publishTable(smallTable('stk'), 'demo')
    expect(snapshot.dataVersion).toMatch(/^demo-stk-\d{8}-[0-9a-f]{8}$/)
  })

  it('is told to whoever listens, after it can be read', async () => {
    const told: string[] = []
    const listening = await database.session.listen('market_snapshot', (payload) => void told.push(payload))
    const { snapshot } = await publishTable(smallTable('cb'))
    await expect.poll(() => told).toEqual([snapshot.id])
    await listening.close()
  })
})

describe('a snapshot whose files are not what was published', () => {
  let snapshot: Snapshot
  beforeEach(async () => {
    snapshot = (await publishTable(smallTable('cb'))).snapshot
  })
  const file = (name: string) => join(snapshotPath(dataDir, snapshot), name)
  const load = () => loadPanel(snapshotPath(dataDir, snapshot), null, 'all')

  it.each(['close.2024.f64', 'listed.2024.u8', 'securities.json', 'benchmark.cb_ew.f64'])(
    'one changed byte of %s is found',
    async (name) => {
      const bytes = await readFile(file(name))
      bytes[bytes.length >> 1]! ^= 1
      await writeFile(file(name), bytes)
      await expect(load()).rejects.toThrow(BrokenSnapshot)
    },
  )

  it('a file cut short is found', async () => {
    const bytes = await readFile(file('open.2024.f64'))
    await writeFile(file('open.2024.f64'), bytes.subarray(0, bytes.length - 8))
    await expect(load()).rejects.toThrow(BrokenSnapshot)
  })

  it.each(['traded.2024.u8', 'manifest.json'])('a missing %s is found', async (name) => {
    await rm(file(name))
    await expect(load()).rejects.toThrow(BrokenSnapshot)
  })
})

describe('benchmarks', () => {
  it('are aligned to the market’s days, nothing where the index has no value', async () => {
    const market = smallTable('cb')
    const { snapshot } = await publishTable(market)
    const index = (await publishTable(smallTable('index', { dates: market.dates.filter((_, t) => t !== 4) }))).snapshot
    const panel = await loadPanel(snapshotPath(dataDir, snapshot), snapshotPath(dataDir, index), ['close'])
    const series = [...panel.benchmarks.get('000300')!]
    expect(series).toHaveLength(market.dates.length)
    expect(series[4]).toBeNaN()
    expect(series.filter((value) => value === value)).toHaveLength(market.dates.length - 1)
    expect(await snapshotBenchmarks(snapshotPath(dataDir, snapshot), snapshotPath(dataDir, index))).toEqual([
      { code: 'cb_ew', name: '可转债等权' },
      { code: '000300', name: '000300' },
    ])
  })

  it('of demo and of real data never mix', async () => {
    const demo = (await publishTable(smallTable('cb'), 'demo')).snapshot
    const demoIndex = (await publishTable(smallTable('index'), 'demo')).snapshot
    const real = (await publishTable(smallTable('cb', { shift: 1 }))).snapshot
    expect((await indexSnapshotFor(database.db, demo))!.id).toBe(demoIndex.id)
    expect(await indexSnapshotFor(database.db, real)).toBeNull()
    const realIndex = (await publishTable(smallTable('index', { shift: 1 }))).snapshot
    expect((await indexSnapshotFor(database.db, real))!.id).toBe(realIndex.id)
    expect((await indexSnapshotFor(database.db, demo))!.id).toBe(demoIndex.id)
    const panel = await loadPanel(snapshotPath(dataDir, real), snapshotPath(dataDir, demoIndex), [])
    expect([...panel.benchmarks.keys()]).toEqual(['cb_ew'])
    // A demo market that is made later brings its own series; days are put behind those that are real.
    expect((await publishTable(smallTable('index', { shift: 2 }), 'demo')).unchanged).toBe(false)
    expect((await publishTable(smallTable('index', { shift: 2 }), 'demo')).unchanged).toBe(true)
    expect((await newestSnapshot(database.db, 'index'))!.id).toBe(realIndex.id)
  })
})

describe('what lies about', () => {
  it('of dead imports is swept: folders aside of dead processes, folders without a row', async () => {
    const { snapshot } = await publishTable(smallTable('cb'))
    const market = marketFolder(dataDir)
    const { hostname } = await import('node:os')
    const alive = `.aside-${hostname()}-${process.pid}-00000000`
    await mkdir(join(market, `.aside-${hostname()}-999999999-00000000`))
    await mkdir(join(market, alive))
    await mkdir(join(market, 'somebody-else'))
    await cp(join(market, snapshot.folder), join(market, 'cb-20240131-00000000-000000'), { recursive: true })
    const swept = await sweep(database.db, dataDir)
    expect(swept.sort()).toEqual([`.aside-${hostname()}-999999999-00000000`, 'cb-20240131-00000000-000000'])
    expect((await readdir(market)).sort()).toEqual([alive, snapshot.folder, 'somebody-else'].sort())
  })

  it('of old snapshots goes, but the newest of each kind and those that runs refer to stay', async () => {
    const old: Snapshot[] = []
    for (let shift = 0; shift < 5; shift++) old.push((await publishTable(smallTable('cb', { shift }))).snapshot)
    const stock = (await publishTable(smallTable('stk'))).snapshot
    await refer(old[0]!.id, null)
    await refer(old[4]!.id, old[1]!.id)
    await retain(database.db, dataDir, 2)
    const left = (await readdir(marketFolder(dataDir))).sort()
    expect(left).toEqual([old[0]!, old[1]!, old[3]!, old[4]!, stock].map((snapshot) => snapshot.folder).sort())
    const rows = await database.db.selectFrom('market_snapshot').select('folder').execute()
    expect(rows.map((row) => row.folder).sort()).toEqual(left)
    await database.db.deleteFrom('app_user').execute()
  })

  async function refer(snapshot: string, index: string | null) {
    const user = await database.db
      .insertInto('app_user')
      .values({ id: sql`gen_random_uuid()`, account: Math.random().toString(36), nickname: 'x' } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db
      .insertInto('backtest_run')
      .values({
        id: sql`gen_random_uuid()`,
        user_id: user.id,
        kind: 'cb',
        request: '{}',
        params_hash: '',
        trial_no: 1,
        snapshot_id: snapshot,
        index_snapshot_id: index,
        data_mode: 'imported',
        data_version: '',
        engine_version: '',
        owner_id: sql`gen_random_uuid()`,
      } as never)
      .execute()
  }
})
