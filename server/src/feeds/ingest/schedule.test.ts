import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { tableBefore } from '../../../test/fixtures/market/day-of.ts'
import { madeUpDays } from '../../../test/fixtures/market/made-up-year.ts'
import { publishTable } from '../../../test/fixtures/market/publish-table.ts'
import { marketFeed, scriptedChain } from '../../../test/stand-ins/scripted-feed.ts'
import { builtInYear, isWeekend } from '../../market/calendar.ts'
import { demoTables, simulateDemo } from '../../market/demo.ts'
import { loadPanel } from '../../market/panels.ts'
import { newestSnapshot, type Snapshot, snapshotPath } from '../../market/snapshot.ts'
import type { MarketTable } from '../../market/store.ts'
import { openWorkingQueue } from '../../queue/queue.ts'
import type { Offers } from '../feed.ts'
import { partsOn } from './part-rows.ts'
import { rollBackDays } from './roll-back-days.ts'
import { doRound, IngestIncompleteError, type Round, schedules } from './schedule.ts'

const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-09-28' })
const [, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-rounds-'))
  for (const table of [stk, cb]) {
    await publishTable({ db: database.db, dataDir }, tableBefore(table, dates.length - 2))
  }
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const panelOf = (snapshot: Snapshot) => loadPanel(snapshotPath(dataDir, snapshot), null, [])

/** A weekday in a year after the program's own table. */
const beyond = ['03-01', '03-02', '03-03'].map((day) => `${builtInYear + 1}-${day}`).find((day) => !isWeekend(day))!

/** What a round did by a clock of its own; `has`: the last day that the source has. */
async function round(now: string, which: Round, has = '2026-12-31', more: Offers = {}) {
  const feed = marketFeed({ stk, cb }, () => now.slice(0, 10))
  const none = (date: string) => ({ date, codes: [], columns: new Map<string, Float64Array>() })
  const chain = scriptedChain({
    ...feed,
    'stock-day': async (ask, asking) => (ask.date <= has ? feed['stock-day'](ask, asking) : none(ask.date)),
    'conversion-prices': async (ask, asking) => {
      prices.push(...ask.codes)
      return feed['conversion-prices'](ask, asking)
    },
    statements: async (ask) => {
      statements.push(ask)
      return []
    },
    names: async (ask, asking) => {
      names.push(ask)
      return feed.names(ask, asking)
    },
    'bond-day': async (ask, asking) => (ask.date <= has ? feed['bond-day'](ask, asking) : none(ask.date)),
    ...more,
  })
  const told: string[] = []
  const prices: string[] = []
  const names: object[] = []
  const statements: object[] = []
  const log = (event: string, { kind, day, step, state }: Record<string, unknown>) =>
    told.push([event, kind, day, step, state].filter(Boolean).join(' '))
  const failed = await doRound(
    { db: database.db, dataDir, chain, signal: new AbortController().signal, now: () => new Date(`${now}+08:00`), log },
    which,
  ).then(
    () => null,
    (error: unknown) => error,
  )
  return { told, failed, prices: new Set(prices).size, names, statements }
}

it('a week by the clock: bars after the close until they are complete, announcements in the evening, nothing on a holiday', async () => {
  // Thursday; Friday 2026-09-25 is a holiday, as is the weekend.
  expect(dates.slice(-2)).toEqual(['2026-09-24', '2026-09-28'])
  const early = await round('2026-09-24T16:30', 'quotes', '2026-09-23')
  expect(early.failed).toBeInstanceOf(IngestIncompleteError)
  expect(String(early.failed)).toContain('股票 2026-09-24 行情：数据源还没有这一天的数据')
  // Tried again and again, past midnight and into the holiday.
  expect((await round('2026-09-25T00:05', 'quotes')).told).toEqual([
    'ingested stk 2026-09-24 quotes published',
    'ingested cb 2026-09-24 quotes published',
  ])
  const evening = await round('2026-09-24T18:00', 'events')
  expect(evening).toMatchObject({ failed: null, told: [expect.stringMatching(/^ingested cb 2026-09-24 events (unchanged|published)$/)] })
  // Prices of whom nothing was known came with the bars; in the evening nothing has changed.
  expect(evening.prices).toBe(0)
  // Late in the evening announcements once more, and statements: asked once for stocks and bonds.
  const late = await round('2026-09-24T20:00', 'statements')
  expect(late.failed).toBeNull()
  expect(late.told.toSorted()).toEqual([
    'ingested cb 2026-09-24 events unchanged',
    'ingested cb 2026-09-24 statements unchanged',
    'ingested stk 2026-09-24 statements unchanged',
  ])
  expect(late.statements).toEqual([{ from: '2026-06-16', to: '2026-09-24' }])
  for (const which of ['quotes', 'events', 'statements'] as const)
    expect(await round('2026-09-25T18:00', which)).toMatchObject({ failed: null, told: [] })
  // A worker that was away on Monday afternoon does both in the evening.
  expect((await round('2026-09-28T18:00', 'events')).told.slice(0, 2)).toEqual([
    'ingested stk 2026-09-28 quotes published',
    'ingested cb 2026-09-28 quotes published',
  ])
  expect((await newestSnapshot(database.db, 'cb'))!.lastDate).toBe('2026-09-28')
  const checked = await round('2026-10-03T10:00', 'check')
  const waiting = ['stk', 'cb'].map((kind) => `ingested ${kind} 2026-09-29 quotes waiting`)
  // Monday's announcements were asked for before they are complete.
  const open = 'open parts asked cb 2026-09-28 events unchanged'
  expect(checked).toMatchObject({ failed: null, told: [open, ...waiting, 'checked stk', 'checked cb'] })
  // Once a week all are asked about, and names of all times.
  const bonds = (await newestSnapshot(database.db, 'cb'))!
  expect(checked.prices).toBe(cb.listed.subarray((dates.length - 2) * cb.stride, (dates.length - 1) * cb.stride).filter(Boolean).length)
  expect(bonds.lastDate).toBe('2026-09-28')
  expect(checked.statements).toEqual([{ from: '2026-08-29', to: '2026-09-28' }])
  expect(checked.names).toContainEqual({})
  expect(checked.names).toContainEqual({ from: '2026-08-29', to: '2026-09-28' })
})

it.each([
  ['19:59:58', 'whole'],
  ['19:50:00', 'missing'],
])('the queue goes by the clock of the database: at %s by the own one announcements of the 20:00 round are %s', async (clock, state) => {
  await database.db.deleteFrom('day_part').execute()
  await round('2026-09-28T18:00', 'events')
  await round(`2026-09-28T${clock}`, 'statements')
  expect(await partsOn(database.db, 'cb', '2026-09-28')).toContainEqual(expect.objectContaining({ part: 'announcements', state }))
})

it('what an operator took back the clock does not put back', async () => {
  const code = (await panelOf((await newestSnapshot(database.db, 'cb'))!)).securities[0]!.code
  const calls = async () => [{ code, announced: '2026-09-28', status: 'called' as const, callDate: null, price: 100.5, registerDate: null }]
  const before = (await newestSnapshot(database.db, 'cb'))!.dataVersion
  // As on the evening itself, on which nothing has been answered for good.
  await database.db.deleteFrom('day_part').execute()
  await round('2026-09-28T20:00', 'statements', '', { calls })
  expect((await newestSnapshot(database.db, 'cb'))!.dataVersion).not.toBe(before)
  expect(await rollBackDays(database.db, dataDir, 'cb', before)).toMatchObject({ ok: true, rolledBackDays: ['2026-09-28'] })
  for (const [now, which] of [
    ['2026-09-28T20:05', 'events'],
    ['2026-09-28T20:10', 'statements'],
    ['2026-10-03T10:00', 'check'],
  ] as const) {
    await round(now, which, '2026-12-31', { calls })
    expect([which, (await newestSnapshot(database.db, 'cb'))!.dataVersion]).toEqual([which, before])
  }
})

it('the timetable is kept in the queue, and what is put there is done', async () => {
  const queue = await openWorkingQueue(database.url, () => {})
  try {
    const done: string[] = []
    await queue.takeFeeds(schedules, async (which) => void done.push(which))
    const { rows } = await sql<{
      key: string
      cron: string
      timezone: string
      missed: string
    }>`select key, cron, timezone, options ->> 'missed' as missed from pgboss.schedule order by key`.execute(database.db)
    // What came due while no worker ran is done when one does, and once.
    expect(rows).toEqual(
      schedules.map(({ key, cron }) => ({ key, cron, timezone: 'Asia/Shanghai', missed: 'once' })).sort((a, b) => (a.key < b.key ? -1 : 1)),
    )
    // What is no longer on it goes.
    await queue.takeFeeds(schedules.slice(1), async () => {})
    const { rows: fewer } = await sql<{ key: string }>`select key from pgboss.schedule`.execute(database.db)
    expect(fewer.map(({ key }) => key)).not.toContain(schedules[0]!.key)
  } finally {
    await queue.stopTaking()
    await queue.close()
  }
})

it('a year without a calendar is told in every round: nothing stands still in silence', async () => {
  for (const which of ['quotes', 'events', 'statements', 'check'] as const) {
    const { failed, told } = await round(`${beyond}T16:30`, which)
    expect(failed).toBeInstanceOf(IngestIncompleteError)
    expect([String(failed), told]).toEqual([expect.stringContaining(`交易日历只到 ${builtInYear} 年`), ['calendar asked']])
  }
})

it('the calendar has a round of its own, and on a day that is in none every round asks for it first', async () => {
  const asked: string[] = []
  const more: Offers = {
    calendar: async ({ from, to }) => {
      asked.push(to)
      return madeUpDays(from, to)
    },
  }
  expect(await round(`${builtInYear}-10-15T21:30`, 'calendar', '', more)).toMatchObject({ failed: null, told: [] })
  // No source has bars of the day, which is now the reason given.
  const { failed, told } = await round(`${beyond}T16:30`, 'quotes', '', more)
  expect(told[0]).toBe('calendar asked')
  expect(String(failed)).toContain('数据源还没有这一天的数据')
  expect(await round(`${beyond}T21:30`, 'calendar', '', more)).toMatchObject({ failed: null, told: [] })
  expect(asked).toEqual([`${builtInYear + 1}-12-31`])
})
