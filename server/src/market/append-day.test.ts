import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayNumber, type Security, statementHistoryOf } from '@convexa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { dayOf, tableBefore } from '../../test/fixtures/market/day-of.ts'
import { publishTable } from '../../test/fixtures/market/publish-table.ts'
import { smallTable } from '../../test/fixtures/market/small-table.ts'
import { appendDay, type NewDay, putDay } from './append-day.ts'
import { holdForward, noneGiven, placesOf } from './hold.ts'
import { loadPanel } from './panels.ts'
import { membersOf } from './read-store.ts'
import { marketFolder, newestSnapshot, readManifest, type Snapshot, snapshotPath } from './snapshot.ts'
import type { MarketTable } from './store.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('market_snapshot').execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-append-'))
  return () => rm(dataDir, { recursive: true })
})

const published = async (table: MarketTable): Promise<Snapshot> => (await publishTable({ db: database.db, dataDir }, table)).snapshot
const append = (day: NewDay, kind: 'cb' | 'index' = 'cb') => appendDay({ db: database.db, dataDir }, kind, day)
const appended = async (day: NewDay, kind: 'cb' | 'index' = 'cb'): Promise<Snapshot> => {
  const outcome = await append(day, kind)
  if (!outcome.ok) throw new Error(outcome.refused)
  return outcome.snapshot
}
const panelOf = (snapshot: Snapshot) => loadPanel(snapshotPath(dataDir, snapshot), null, 'all')
const manifestOf = (snapshot: Snapshot) => readManifest(snapshotPath(dataDir, snapshot))

describe('a day appended', () => {
  // The table goes over a year's end: 2023-12-29 is row 20.
  it.each([
    { story: 'inside a year', rows: [30, 31, 32] },
    { story: 'over the end of a year', rows: [19, 20, 21, 22, 23] },
  ])('$story: what is there is what one import of all days gives, to the version', async ({ rows }) => {
    const table = smallTable('cb')
    const first = await published(tableBefore(table, rows[0]!))
    const versions = new Set([first.dataVersion])
    let newest = first
    for (const t of rows) {
      newest = await appended(dayOf(table, t))
      versions.add(newest.dataVersion)
    }
    expect(versions.size).toBe(rows.length + 1)
    const grown = await panelOf(newest)
    const [grownManifest, before] = [await manifestOf(newest), newest.dataVersion]
    const whole = await published(tableBefore(table, rows.at(-1)! + 1))
    expect(before).toBe(whole.dataVersion)
    expect({ ...grownManifest, source: null }).toEqual({ ...(await manifestOf(whole)), source: null })
    expect(grown).toEqual(await panelOf(whole))
    expect(newest).toMatchObject({ firstDate: whole.firstDate, lastDate: whole.lastDate, securities: whole.securities })
  })

  it('counts the values of a column whose cells count for some days, and none that says nothing', async () => {
    const { dates, stride, ...table } = smallTable('cb')
    const cells = (of: (t: number, i: number) => number) =>
      Float64Array.from({ length: dates.length * stride }, (_, at) =>
        at % stride < 3 ? of(Math.floor(at / stride), at % stride) : Number.NaN,
      )
    const given = cells((t, i) => (t === 28 + i ? 1 : Number.NaN))
    const held = (days: number) => {
      const column = given.slice(0, days * stride)
      const filled = holdForward(column, { listed: table.listed, stride, places: placesOf(dates) }, 2, noneGiven(stride), 0, days)
      return {
        store: 'f64',
        cells: column,
        origin: 'file',
        givenOnChange: { holds: 2, given: given.slice(0, days * stride), ...filled },
      } as const
    }
    const multiple = { store: 'f32', cells: cells((t, i) => (t % 2 === 0 ? i : Number.NaN)), origin: 'file' } as const
    const at = (days: number): MarketTable => {
      const before = tableBefore({ ...table, dates, stride, columns: new Map(table.columns).set('pe_ttm', multiple) }, days)
      return { ...before, columns: new Map(before.columns).set('fund_hold_ratio', held(days)) }
    }
    const counted = async (snapshot: Snapshot) =>
      (await manifestOf(snapshot)).fields.map(({ key, values, coverage, first, last }) => [key, values, coverage, first, last])
    await published(at(29))
    for (const t of [29, 30, 31, 32]) {
      const whole = at(t + 1)
      const day = dayOf(
        { ...whole, columns: new Map(whole.columns).set('fund_hold_ratio', { store: 'f64', cells: given, origin: 'file' }) },
        t,
      )
      const now = await counted(await appended(day))
      expect(now.find(([key]) => key === 'fund_hold_ratio')![1]).toBe([3, 6, 8, 9][t - 29])
      expect(now.find(([key]) => key === 'pe_ttm')![1]).toBe(2 * Math.floor(t / 2))
    }
  })

  it('says who is there on its last day; of an older manifest, which does not, it is counted', async () => {
    const whole = smallTable('cb')
    const securities = whole.securities.map((one, i) => (i === 2 ? { ...one, delisted: whole.dates[29]! } : one))
    const listed = whole.listed.map((flag, at) => (at % whole.stride === 2 && at >= 29 * whole.stride ? 0 : flag))
    const table = { ...whole, securities, listed }
    const saidOf = async (snapshot: Snapshot) => {
      const { members, ...older } = await manifestOf(snapshot)
      expect(await membersOf(snapshotPath(dataDir, snapshot), older)).toEqual(members)
      return members
    }
    expect(await saidOf(await published(tableBefore(table, 29)))).toEqual({ listed: 3, delisted: 0 })
    expect(await saidOf(await appended(dayOf(table, 29)))).toEqual({ listed: 2, delisted: 1 })
    // A day before the last said anew: the last one stays what counts.
    const anew = dayOf(table, 20)
    const put = await putDay({ db: database.db, dataDir }, 'cb', { ...anew, listed: anew.listed.map((flag, i) => (i === 0 ? 0 : flag)) })
    if (!put.ok) throw new Error(put.refused)
    expect(put.how).toBe('revised')
    expect(await saidOf(put.snapshot)).toEqual({ listed: 2, delisted: 1 })
  })

  it('leaves the snapshots before it as they were, on files that they share', async () => {
    const table = smallTable('cb')
    const old = await published(tableBefore(table, 30))
    const before = await panelOf(old)
    const newest = await appended(dayOf(table, 30))
    expect(await panelOf(old)).toEqual(before)
    const inode = async (snapshot: Snapshot, name: string) => (await stat(join(snapshotPath(dataDir, snapshot), name))).ino
    for (const name of ['close.2023.f64', 'close.2024.f64', 'securities.json']) {
      expect(await inode(newest, name), name).toBe(await inode(old, name))
    }
    // The old one goes, the new one stays.
    await rm(snapshotPath(dataDir, old), { recursive: true })
    expect((await panelOf(newest)).dates).toHaveLength(31)
  })

  it('never writes over what stands behind a snapshot’s rows: that may be of a dead writer, or of a snapshot that others read', async () => {
    const table = smallTable('cb')
    const old = await published(tableBefore(table, 30))
    const name = join(snapshotPath(dataDir, old), 'close.2024.f64')
    const { size } = await stat(name)
    await appendFile(name, Buffer.alloc(24, 7))
    const newest = await appended(dayOf(table, 30))
    expect((await stat(name)).size).toBe(size + 24)
    expect((await panelOf(newest)).columns.get('close')!.at(-table.stride)).toBe(table.columns.get('close')!.cells[30 * table.stride])
    expect((await panelOf(old)).dates).toHaveLength(30)
  })

  it('with a new listing in the middle: every security keeps its values', async () => {
    const table = smallTable('cb')
    const old = await published(tableBefore(table, 30))
    const day = dayOf(table, 30)
    const wider = <T extends Float64Array | Uint8Array>(cells: ArrayLike<number>, value: number, make: (list: number[]) => T) =>
      make([cells[0]!, value, ...Array.from(cells).slice(1)])
    const newcomer = { ...table.securities[0]!, code: '118001.SH', name: '新债', issuer: '118001.SH' }
    const floats = (list: number[]) => Float64Array.from(list)
    const flags = (list: number[]) => Uint8Array.from(list)
    const newest = await appended({
      ...day,
      securities: [table.securities[0]!, newcomer, ...table.securities.slice(1)],
      columns: new Map([...day.columns].map(([key, cells]) => [key, wider(cells, 130, floats)])),
      listed: wider(day.listed, 1, flags),
      traded: wider(day.traded, 1, flags),
    })
    const [before, now] = [await panelOf(old), await panelOf(newest)]
    expect(now.securities.map(({ code }) => code)).toEqual(['113001.SH', '118001.SH', '123002.SZ', '127003.SZ'])
    expect(now.stride).toBe(before.stride)
    for (const [key, column] of before.columns) {
      const moved = now.columns.get(key)!
      for (let t = 0; t < 30; t++) {
        const row = (cells: Float64Array, count: number) => [...cells.subarray(t * before.stride, t * before.stride + count)]
        const [one, ...others] = row(column, 3)
        expect(row(moved, 4), `${key} ${t}`).toEqual([one, Number.NaN, ...others])
      }
      expect(moved[30 * now.stride + 1]).toBe(130)
    }
    expect(now.listed[30 * now.stride + 1]).toBe(1)
    expect(now.listed[29 * now.stride + 1]).toBe(0)
    expect(await panelOf(old)).toEqual(before)
  })

  it('under a code that changed: what the security had goes on under the new one, at its place of the order', async () => {
    const whole = smallTable('cb')
    const version = (i: number) => ({ period: '2023-09-30', published: '2023-10-28', items: { revenue: i + 1 } })
    const reports = statementHistoryOf([[version(0)], [version(1), { ...version(1), published: '2023-11-01' }], [version(2)]], dayNumber)
    const table = { ...whole, reports }
    const old = await published(tableBefore(table, 30))
    const day = dayOf(table, 30)
    const turned = <T extends Float64Array | Uint8Array>(cells: ArrayLike<number>, make: (list: number[]) => T) =>
      make([cells[0]!, cells[2]!, cells[1]!])
    const [one, two, three] = table.securities as [Security, Security, Security]
    const now = { ...two, code: '128888.SZ', formerCodes: [two.code] }
    const newest = await appended({
      ...day,
      securities: [one, three, now],
      columns: new Map([...day.columns].map(([key, cells]) => [key, turned(cells, (list) => Float64Array.from(list))])),
      listed: turned(day.listed, (list) => Uint8Array.from(list)),
      traded: turned(day.traded, (list) => Uint8Array.from(list)),
    })
    const [before, after, unmoved] = [await panelOf(old), await panelOf(newest), await panelOf(await published(tableBefore(table, 31)))]
    expect(after.securities.map(({ code, formerCodes }) => [code, formerCodes])).toEqual([
      ['113001.SH', undefined],
      ['127003.SZ', undefined],
      ['128888.SZ', ['123002.SZ']],
    ])
    for (const [key, column] of unmoved.columns)
      for (let t = 0; t < 31; t++)
        for (const [i, place] of [0, 2, 1].entries())
          expect(after.columns.get(key)![t * after.stride + place], `${key} ${t}`).toBe(column[t * unmoved.stride + i])
    expect([...after.reports!.starts]).toEqual([0, 1, 2, 4])
    expect([...after.reports!.items.get('revenue')!]).toEqual([1, 3, 2, 2])
    expect(await panelOf(old)).toEqual(before)
  })

  it('with a field that was empty so far: it begins on that day', async () => {
    const table = smallTable('cb')
    const old = await published(tableBefore(table, 30))
    const day = dayOf(table, 30)
    const newest = await appended({ ...day, columns: new Map([...day.columns, ['amount', [1, 2, 3]]]) })
    const { fields } = await manifestOf(newest)
    expect(fields.find(({ key }) => key === 'amount')).toMatchObject({ first: day.date, last: day.date, values: 3 })
    const amounts = (await panelOf(newest)).columns.get('amount')!
    expect([...amounts.subarray(0, 30 * table.stride)].every(Number.isNaN)).toBe(true)
    expect([...amounts.subarray(30 * table.stride, 30 * table.stride + 3)]).toEqual([1, 2, 3])
    expect((await panelOf(old)).columns.has('amount')).toBe(false)
  })

  it('without a field: it is absent that day', async () => {
    const table = smallTable('cb')
    await published(tableBefore(table, 30))
    const { columns, ...day } = dayOf(table, 30)
    const newest = await appended({ ...day, columns: new Map([...columns].filter(([key]) => key !== 'open')) })
    expect((await panelOf(newest)).columns.get('open')!.at(-table.stride)).toBeNaN()
    expect((await manifestOf(newest)).fields.find(({ key }) => key === 'open')!.last).toBe(table.dates[29])
  })

  it('to index series too', async () => {
    const table = smallTable('index')
    await published(tableBefore(table, 30))
    const newest = await appended(dayOf(table, 30), 'index')
    expect(newest.dataVersion).toBe((await published(tableBefore(table, 31))).dataVersion)
  })
})

describe('bars that have not come', () => {
  const missingOn = async (snapshot: Snapshot) => (await panelOf(snapshot)).missingBars
  const set = (day: NewDay) => putDay({ db: database.db, dataDir }, 'cb', day)
  const setAs = async (day: NewDay): Promise<Snapshot> => {
    const outcome = await set(day)
    if (!outcome.ok) throw new Error(outcome.refused)
    return outcome.snapshot
  }

  it('stand by their days, in the version of the data, until they come', async () => {
    const table = smallTable('cb')
    await published(tableBefore(table, 30))
    const [one, two] = table.securities.map(({ code }) => code)
    const plain = dayOf(table, 30)
    const still = { ...plain, traded: plain.traded.map((flag, i) => (i < 2 ? 0 : flag)) }
    await appended(plain)
    const halted = await setAs({ ...still, missingBars: [] })
    expect(await missingOn(halted)).toBeUndefined()
    const whole = await setAs({ ...plain, missingBars: [] })
    const first = await setAs({ ...still, missingBars: [one!, two!] })
    expect(await missingOn(first)).toEqual(new Map([[plain.date, new Set([one, two])]]))
    expect(first.dataVersion).not.toBe(halted.dataVersion)
    // What does not speak of them leaves them; the same again is nothing new.
    expect(await missingOn(await setAs(still))).toEqual(await missingOn(first))
    expect(await set({ ...still, missingBars: [one!, two!] })).toMatchObject({ ok: true, how: 'unchanged' })
    // Both have come: the same data as if nothing had been missing.
    const last = await setAs({ ...plain, missingBars: [] })
    expect(await missingOn(last)).toBeUndefined()
    expect(Object.keys((await manifestOf(last)).files)).not.toContain('missing-bars.json')
    expect(last.dataVersion).toBe(whole.dataVersion)
    // What never comes stays with its day, behind the days that follow.
    await setAs({ ...still, missingBars: [one!] })
    expect(await missingOn(await appended(dayOf(table, 31)))).toEqual(new Map([[plain.date, new Set([one])]]))
  })
})

describe('a day that cannot be appended changes nothing', () => {
  const table = smallTable('cb')
  it.each([
    { story: 'no market yet', base: null, day: () => dayOf(table, 30), refused: '还没有行情数据，无法追加' },
    { story: 'a day that is there', base: 31, day: () => dayOf(table, 30), refused: /^数据已到 .*，不能追加/ },
    {
      story: 'a security left out',
      base: 30,
      day: () => ({ ...dayOf(table, 30), securities: table.securities.slice(1) }),
      refused: '追加的数据缺少已有的证券',
    },
  ])('$story', async ({ base, day, refused }) => {
    const before = base === null ? null : await published(tableBefore(table, base))
    expect(await append(day())).toEqual({ ok: false, refused: expect.stringMatching(refused) })
    expect((await newestSnapshot(database.db, 'cb'))?.id).toBe(before?.id)
    if (before) expect(await readdir(marketFolder(dataDir))).toEqual([before.folder])
  })
})

it('two days appended at the same moment: one is there, the other is told so', async () => {
  const table = smallTable('cb')
  await published(tableBefore(table, 30))
  const outcomes = await Promise.all([append(dayOf(table, 30)), append(dayOf(table, 30))])
  expect(outcomes.map(({ ok }) => ok).sort()).toEqual([false, true])
  expect((await panelOf((await newestSnapshot(database.db, 'cb'))!)).dates).toHaveLength(31)
})
