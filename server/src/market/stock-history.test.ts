/** Windows of a bond's share are full on the bond's first day where shares are loaded: its history comes from the stock market's store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crossSection, markets } from '@convexa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishTable } from '../../test/fixtures/market/publish-table.ts'
import { smallTable } from '../../test/fixtures/market/small-table.ts'
import { panelCache } from '../compute/panel-cache.ts'
import { tradingDays } from './calendar.ts'
import type { Adjust } from './manifest.ts'
import { loadBase, loadDays, loadPanel } from './panels.ts'
import { roomFor } from './read-store.ts'
import { newestSnapshot, type Snapshot, snapshotPath, stockSnapshotFor } from './snapshot.ts'
import type { MarketTable, StoredColumn } from './store.ts'

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('market_snapshot').execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-history-'))
  return () => rm(dataDir, { recursive: true })
})

const dates = tradingDays('2022-11-01', '2024-02-29')
const [first, splitOn, suspendedFrom, suspendedTo] = [dates.indexOf('2024-01-15'), 200, 18, 60]
const price = (t: number) => Math.round(100 * (20 + 2 * Math.sin(t / 7))) / 100
const factorOf = (t: number) => (t < splitOn ? 1.5 : 3)

/** Rows of one security beside two others; null = no row. */
const column = (stride: number, count: number, of: (t: number, i: number) => number | null): StoredColumn => {
  const cells = Float64Array.from({ length: dates.length * stride }, (_, at) =>
    at % stride < count ? (of(Math.floor(at / stride), at % stride) ?? Number.NaN) : Number.NaN,
  )
  return { store: 'f64', cells, origin: 'file' }
}
const mask = (stride: number, count: number, of: (t: number, i: number) => boolean) =>
  Uint8Array.from({ length: dates.length * stride }, (_, at) => (at % stride < count && of(Math.floor(at / stride), at % stride) ? 1 : 0))

/** Share 1 is split in halves, and suspended over a year's end; share 2 was listed on day 100. The file has unlisted prices of it too. */
function shares(adjust: Adjust, hasFactor: boolean): MarketTable {
  const small = smallTable('stk', { dates })
  const { stride } = small
  const isSuspended = (t: number) => t >= suspendedFrom && t < suspendedTo
  const stated = (t: number) => (adjust === 'raw' ? 1 / factorOf(t) : 1 / 7) * price(t)
  const of = (make: (t: number) => number) => column(stride, 3, (t, i) => (i === 1 && isSuspended(t) ? null : make(t)))
  return {
    ...small,
    securities: small.securities.map((one, i) => ({
      ...one,
      code: ['600001.SH', '600002.SH', '600003.SH'][i]!,
      listed: i === 2 ? dates[100]! : null,
    })),
    columns: new Map([
      ['close', of(stated)],
      ['vol', of((t) => 100 * (t + 1))],
      ['pre_close', of((t) => stated(t) - 0.01)],
      ...(hasFactor ? ([['adj_factor', of((t) => 2 * factorOf(t))]] as const) : []),
    ]),
    listed: mask(stride, 3, (t, i) => i < 2 || t >= 100),
    traded: mask(stride, 3, (t, i) => (i === 1 ? !isSuspended(t) : i < 2 || t >= 100)),
  }
}

/** Bond i is of share i; all are listed on 2024-01-15, and their file begins with that day. */
function bonds(hasFactor: boolean): MarketTable {
  const small = smallTable('cb', { dates })
  const { stride } = small
  const of = (make: (t: number) => number) => column(stride, 3, (t) => (t >= first ? make(t) : null))
  return {
    ...small,
    securities: small.securities.map((one, i) => ({
      ...one,
      stockCode: ['600001.SH', '600002.SH', '600003.SH'][i]!,
      listed: dates[first]!,
    })),
    columns: new Map([
      ['close', of(() => 110)],
      ['close_stk', of((t) => price(t) / factorOf(t))],
      ['pre_close_stk', of((t) => price(t) / factorOf(t) - 0.01)],
      ['vol_stk', of((t) => t + 1)],
      ...(hasFactor ? ([['adj_factor_stk', of(factorOf)]] as const) : []),
    ]),
    listed: mask(stride, 3, (t) => t >= first),
    traded: mask(stride, 3, (t) => t >= first),
  }
}

const published = async (
  bond: MarketTable,
  stock: MarketTable,
  adjust: Adjust,
): Promise<{ bond: Snapshot; stock: Snapshot; folders: [string, string] }> => {
  const at = { db: database.db, dataDir }
  const made = { bond: (await publishTable(at, bond)).snapshot, stock: (await publishTable(at, stock, { adjust })).snapshot }
  return { ...made, folders: [snapshotPath(dataDir, made.bond), snapshotPath(dataDir, made.stock)] }
}

/** On a suspended day the last price stays. */
const heldPrice = (i: number, t: number) => (i === 1 && t >= suspendedFrom && t < suspendedTo ? suspendedFrom - 1 : t)

describe.each([
  { name: 'raw shares with factors, bonds with factors', adjust: 'raw', hasFactor: true, hasOwn: true, areTraded: true },
  { name: 'raw shares with factors, bonds without', adjust: 'raw', hasFactor: true, hasOwn: false, areTraded: false },
  { name: 'forward-adjusted shares, bonds with factors', adjust: 'qfq', hasFactor: false, hasOwn: true, areTraded: false },
  { name: 'forward-adjusted shares, bonds without', adjust: 'qfq', hasFactor: false, hasOwn: false, areTraded: false },
] as const)('$name', ({ adjust, hasFactor, hasOwn, areTraded }) => {
  it('the adjusted price goes on before the listing, and windows of it are full on the first day', async () => {
    const { folders } = await published(bonds(hasOwn), shares(adjust, hasFactor), adjust)
    const panel = await loadPanel(folders[0], null, 'all', folders[1])
    const alone = await loadPanel(folders[0], null, 'all')
    const { stride } = panel
    for (const i of [0, 1, 2]) {
      for (let t = i === 2 ? 100 : 0; t < dates.length; t++) {
        const factor = hasOwn ? panel.columns.get('adj_factor_stk')![t * stride + i]! : 1
        const at = heldPrice(i, t)
        const [adjusted, scale] = [panel.columns.get('close_stk')![t * stride + i]! * factor, hasOwn ? 1 : factorOf(first)]
        expect(adjusted * scale, `bond ${i}, day ${t}`).toBeCloseTo(price(at), 9)
        if (areTraded) expect(panel.columns.get('close_stk')![t * stride + i]).toBeCloseTo(price(at) / factorOf(at), 12)
      }
    }
    // Not before the share's own listing, though its file has prices there.
    expect(panel.columns.get('close_stk')![99 * stride + 2]).toBeNaN()
    // What was traded: nothing on a suspended day. A previous close is of prices as they were traded.
    const volumes = [suspendedFrom - 1, suspendedFrom, suspendedTo].map((t) => panel.columns.get('vol_stk')![t * stride + 1])
    expect(volumes).toEqual([suspendedFrom, 0, suspendedTo + 1])
    expect(Number.isNaN(panel.columns.get('pre_close_stk')![10 * stride])).toBe(!areTraded)
    // The bond's own columns, its listing, and all days since are what they are without shares.
    const since = (cells: Float64Array) => cells.subarray(first * stride)
    for (const [key, cells] of alone.columns) expect([key, since(panel.columns.get(key)!)]).toEqual([key, since(cells)])
    expect([panel.listed, panel.columns.get('close')]).toEqual([alone.listed, alone.columns.get('close')])
    const onFirstDay = (of: typeof panel) => {
      const told = crossSection(of, markets.cb, ['hv_60', 'volatility_stk', 'pct_chg_20_stk', 'pct_chg_5'], first)
      return told.ok && told.values.map((values) => values[0])
    }
    expect(onFirstDay(alone)).toEqual([null, null, null, null])
    const change = price(first) / price(first - 20) - 1
    expect(onFirstDay(panel)).toEqual([expect.any(Number), expect.any(Number), expect.closeTo(change, 12), null])
  })
})

it('days from one on are those of all days, also where a share is suspended on that day', async () => {
  const { folders, bond, stock } = await published(bonds(true), shares('raw', true), 'raw')
  const whole = await loadPanel(folders[0], null, 'all', folders[1])
  const base = await loadBase(folders[0], null, { stocks: folders[1] })
  for (const from of [1, suspendedFrom + 3, dates.indexOf('2023-01-03'), 150, first - 1, first]) {
    for (const field of base.manifest.fields) {
      const cells = roomFor(base.manifest)
      await loadDays(folders[0], base, field, cells, { from, to: dates.length })
      const at = from * whole.stride
      expect([field.key, from, cells.subarray(at)]).toEqual([field.key, from, whole.columns.get(field.key)!.subarray(at)])
      await loadDays(folders[0], base, field, cells, { from: 0, to: from })
      expect([field.key, from, cells]).toEqual([field.key, from, whole.columns.get(field.key)])
    }
  }
  const files = {
    kind: 'cb',
    snapshotId: bond.id,
    indexSnapshotId: null,
    stockSnapshotId: stock.id,
    folder: folders[0],
    indexFolder: null,
    stockFolder: folders[1],
  } as const
  const cache = panelCache(
    1e9,
    () => {},
    () => {},
  )
  const held = await cache.acquire(files, { recent: new Set(), whole: new Set(['close_stk']) })
  expect(held.whole.columns.get('close_stk')!.subarray(0, dates.length * whole.stride)).toEqual(whole.columns.get('close_stk'))
  held.release()
})

it('a multiple that was given and says nothing, and cells that count for some days, are what they are in the shares’ own market', async () => {
  const [whole, bond] = [shares('raw', true), bonds(true)]
  // Share 1 is suspended on days 18 … 59: on day 30 its loss becomes known. That of share 0 is given on single days.
  const given = column(whole.stride, 3, (t, i) => (i === 1 ? (t === 17 ? 2 : t === 30 ? 0 : null) : t === 100 ? 3 : t === 104 ? 0 : null))
  const tables = { stock: { ...whole, columns: new Map(whole.columns).set('pb', { ...given, store: 'f32' }) }, bond: { ...bond } }
  const own = column(bond.stride, 3, (t) => (t >= first ? 5 : null))
  tables.bond.columns = new Map(bond.columns).set('pb', { ...own, store: 'f32' })
  const held = { holds: 10, given: given.cells, filled: 0, oldest: 0 }
  for (const holds of [undefined, 10]) {
    const pb = tables.stock.columns.get('pb')!
    if (holds !== undefined) tables.stock.columns.set('pb', { ...pb, givenOnChange: held })
    const { folders } = await published(tables.bond, tables.stock, 'raw')
    const panel = await loadPanel(folders[0], null, ['pb'], folders[1])
    const stocks = await loadPanel(folders[1], null, ['pb'])
    const of = ({ columns, stride }: typeof panel, i: number, days: readonly number[]) =>
      days.map((t) => columns.get('pb')![t * stride + i])
    expect(of(panel, 1, [16, 17, 18, 29, 30, 59])).toEqual([Number.NaN, 2, 2, 2, Number.NaN, Number.NaN])
    expect(of(panel, 0, [99, 100, 103, 104, 110])).toEqual([Number.NaN, 3, holds ? 3 : Number.NaN, Number.NaN, Number.NaN])
    const before = Array.from({ length: first }, (_, t) => t)
    for (const i of [0, 1, 2]) expect(of(panel, i, before)).toEqual(of(stocks, i, before))
    expect(of(panel, 1, [first])).toEqual([5])
  }
})

it('a bond that names its share by a former code has the same history', async () => {
  const [stock, bond] = [shares('raw', true), bonds(true)]
  const now = stock.securities.map((share, i) => (i === 0 ? { ...share, code: '600901.SH', formerCodes: [share.code] } : share))
  // In the order of codes: the share stands behind the others.
  const securities = [now[1]!, now[2]!, now[0]!]
  const turned = <A extends Float64Array | Float32Array | Uint8Array>(cells: A): A => {
    const made = cells.slice() as A
    for (let row = 0; row < cells.length; row += stock.stride) for (const [k, i] of [1, 2, 0].entries()) made[row + k] = cells[row + i]!
    return made
  }
  const columns = new Map([...stock.columns].map(([key, column]) => [key, { ...column, cells: turned(column.cells) }]))
  const renamed = { ...stock, securities, columns, listed: turned(stock.listed), traded: turned(stock.traded) }
  const plain = await published(bond, stock, 'raw')
  const before = await loadPanel(plain.folders[0], null, 'all', plain.folders[1])
  const other = await published(bond, renamed, 'raw')
  const after = await loadPanel(other.folders[0], null, 'all', other.folders[1])
  for (const [key, cells] of before.columns) expect([key, after.columns.get(key)]).toEqual([key, cells])
  expect(before.columns.get('close_stk')![0]).toBeCloseTo(price(0) / factorOf(0), 12)
})

it('bonds alone have the shares of their own kind of data', async () => {
  const { bond, stock } = await published(bonds(true), shares('raw', true), 'raw')
  const newestStocks = () => newestSnapshot(database.db, 'stk')
  expect((await stockSnapshotFor(bond, newestStocks))?.id).toBe(stock.id)
  expect(await stockSnapshotFor(stock, newestStocks)).toBeNull()
  expect(await stockSnapshotFor({ ...bond, dataMode: 'demo' }, newestStocks)).toBeNull()
})
