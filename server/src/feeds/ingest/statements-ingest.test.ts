/** Statements from the question to the factor: no figure is seen before its publication, a correction is a version of its own. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crossSection, markets } from '@convexa/engine'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { tableBefore } from '../../../test/fixtures/market/day-of.ts'
import { publishTable } from '../../../test/fixtures/market/publish-table.ts'
import { marketFeed, scriptedChain } from '../../../test/stand-ins/scripted-feed.ts'
import { demoTables, simulateDemo } from '../../market/demo.ts'
import { loadPanel } from '../../market/panels.ts'
import { newestSnapshot, snapshotPath } from '../../market/snapshot.ts'
import type { MarketTable } from '../../market/store.ts'
import { FeedError, type Offers } from '../feed.ts'
import type { StatementRow } from '../rows.ts'
import { ingest } from './ingest.ts'
import type { Step } from './questions.ts'

const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-11-20' })
const tables = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
// A market that has no statements yet.
const [stk, cb] = tables.slice(1).map(({ reports: _, ...table }) => table) as [MarketTable, MarketTable]
const first = dates.length - 5
const company = cb.securities.find(({ delisted }) => delisted === null)!.stockCode!

let database: TestDatabase
let dataDir: string
let rows: StatementRow[]
let asked: { from: string; to: string }[]
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const table of ['market_snapshot', 'ingest_step', 'known_fact', 'left_out_statement'] as const)
    await database.db.deleteFrom(table).execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-statements-'))
  rows = []
  asked = []
  for (const table of [stk, cb]) {
    await publishTable({ db: database.db, dataDir }, tableBefore(table, first))
  }
  return () => rm(dataDir, { recursive: true })
})

const statements: NonNullable<Offers['statements']> = async ({ from, to }) => {
  asked.push({ from, to })
  return rows.filter(({ announced }) => announced === null || (announced >= from && announced <= to))
}
const run = (day: number, more: Offers = { statements }, steps?: readonly Step[]) =>
  ingest(
    {
      db: database.db,
      dataDir,
      chain: scriptedChain({ ...marketFeed({ stk, cb }, () => dates[day]!), ...more }),
      signal: new AbortController().signal,
    },
    { through: dates[day]!, kinds: ['stk', 'cb'], ...(steps && { steps, day: dates[day]! }) },
  )
const row = (period: string, announced: string, np_parent: number, code = company): StatementRow => ({
  ...{ code, announced, period },
  items: { np_parent, revenue: np_parent * 10, total_assets: 300 },
})
/** What the newest snapshot says of the company's profit on each of the ingested days. */
async function profits(kind: 'stk' | 'cb') {
  const panel = await loadPanel(snapshotPath(dataDir, (await newestSnapshot(database.db, kind))!), null, 'all')
  return panel.dates.slice(first).map((_, k) => {
    const outcome = crossSection(panel, markets[kind], ['np_parent'], first + k)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    const place = panel.securities.findIndex(
      ({ code, stockCode }) => (kind === 'stk' ? code : stockCode) === company && outcome.codes.includes(code),
    )
    return outcome.values[0]?.[outcome.codes.indexOf(panel.securities[place]!.code)] ?? null
  })
}
const version = async () => (await newestSnapshot(database.db, 'stk'))!.dataVersion

it('a figure is seen from the day after its publication on, of stocks and of their bonds', async () => {
  rows = [row('2026-06-30', '2026-08-27', 8), row('2026-09-30', dates[first + 1]!, 9), row('2026-06-30', '2026-08-28', 5, '999999.SZ')]
  const done = await run(first)
  expect(done.filter(({ step }) => step === 'statements').map(({ kind, state }) => [kind, state])).toEqual([
    ['stk', 'published'],
    ['cb', 'published'],
  ])
  expect(done.find(({ step }) => step === 'statements')!.text).toMatch(/^股票 .* 财报：已发布。共 1 份。$/)
  // The first evening asks a season back; what bonds need is asked once.
  expect(asked).toEqual([{ from: '2026-08-08', to: dates[first] }])
  for (const kind of ['stk', 'cb'] as const) expect(await profits(kind)).toEqual([8])
  await run(first + 1)
  for (const kind of ['stk', 'cb'] as const) expect(await profits(kind)).toEqual([8, 8])
  await run(first + 2)
  for (const kind of ['stk', 'cb'] as const) expect(await profits(kind)).toEqual([8, 8, 9])
  expect(asked.at(-1)!.from < dates[first]!).toBe(true)
})

it('a restatement is another version, and the days before see what they saw', async () => {
  rows = [row('2026-09-30', '2026-10-28', 9)]
  await run(first)
  const before = await version()
  expect((await run(first, { statements }, ['statements'])).map(({ state }) => state)).toEqual(['unchanged', 'unchanged'])
  rows.push(row('2026-09-30', dates[first]!, 7))
  const [told] = await run(first, { statements }, ['statements'])
  expect(told!.text).toContain('更正或重述了已公布的数字')
  expect(await version()).not.toBe(before)
  await run(first + 1)
  expect(await profits('stk')).toEqual([9, 7])
})

it('other figures under the old date count from the day on which they were heard of', async () => {
  rows = [row('2026-09-30', '2026-11-13', 9)]
  await run(first)
  await run(first + 1)
  rows = [row('2026-09-30', '2026-11-13', 6)]
  await run(first + 2)
  await run(first + 3)
  await run(first + 4)
  expect(await profits('stk')).toEqual([9, 9, 9, 6, 6])
})

it('bad ones are left out and told; a source that cannot be reached is waited for, one that nobody has is not', async () => {
  rows = [row('2026-09-30', '2026-11-13', 9), { ...row('2026-06-30', '2026-11-12', 8), period: null }]
  const text = (await run(first)).find(({ kind, step }) => kind === 'stk' && step === 'statements')!.text
  expect(text).toMatch(/，隔离 1 份。\n.*财务报表：报告期缺失，或不是季度末，1 处/)
  const silent = async () => {
    throw new FeedError('network', '没有应答')
  }
  expect((await run(first + 1, { statements: silent })).filter(({ step }) => step === 'statements')).toMatchObject([
    { kind: 'stk', state: 'waiting' },
    { kind: 'cb', state: 'waiting' },
  ])
  expect((await run(first + 1)).map(({ step, state }) => [step, state])).toEqual([
    ['statements', 'unchanged'],
    ['statements', 'unchanged'],
  ])
  const none = (await run(first + 2, {})).filter(({ step }) => step === 'statements')
  expect(none.map(({ state }) => state)).toEqual(['unchanged', 'unchanged'])
})

it('a bad one that is told again the next evenings is new once, and another one when its numbers change', async () => {
  const bad = { ...row('2026-06-30', dates[first]!, 8), items: { total_assets: -1 } }
  rows = [row('2026-09-30', dates[first]!, 9), bad]
  const evening = async (day: number) => {
    const done = (await run(day)).find(({ kind, step }) => kind === 'stk' && step === 'statements')!
    const { quarantined, findings } = await database.db
      .selectFrom('ingest_step')
      .select(['quarantined', 'findings'])
      .where('market', '=', 'stk')
      .where('step', '=', 'statements')
      .where('day', '=', dates[day]!)
      .executeTakeFirstOrThrow()
    const { quality } = (await newestSnapshot(database.db, 'stk'))!
    return { text: done.text, told: [quarantined, findings.length, quality.quarantined] }
  }
  const one = await evening(first)
  expect(one.told).toEqual([1, 1, 1])
  expect(one.text).not.toContain('继续不采用')
  // The same evening once more says the same.
  const [again] = await run(first, { statements }, ['statements'])
  expect(again!.text).toContain('，隔离 1 份。')
  rows.push(row('2026-03-31', dates[first + 1]!, 7))
  const next = await evening(first + 1)
  expect(next.told).toEqual([0, 0, 1])
  expect(next.text).toMatch(/共 3 份。\n说明：另有 1 份此前已隔离，数据源仍未更正，继续不采用：.* 2026-06-30/)
  rows = rows.map((each) => (each === bad ? { ...bad, items: { total_assets: -2 } } : each))
  expect((await evening(first + 2)).told).toEqual([1, 1, 1])
})

it('many bad ones refuse the evening: the bars stay as they are', async () => {
  await run(first, {}, ['quotes'])
  const before = await version()
  rows = stk.securities.slice(0, 20).map(({ code }) => row('2026-09-30', '2026-09-01', 9, code))
  const [refused] = await run(first, { statements }, ['statements'])
  expect(refused).toMatchObject({ kind: 'stk', state: 'refused' })
  expect(refused!.text).toContain('财务报表：有问题的超过 10%，整批拒绝')
  expect(await version()).toBe(before)
})
