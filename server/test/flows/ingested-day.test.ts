import type { DataSheet, MarketFigures, ScreenResult, Website } from '@convexa/contract'
import { expect, test } from 'vitest'
import type { Quality } from '../../src/db/tables/quality.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import { demoTables, simulateDemo } from '../../src/market/demo.ts'
import type { MarketTable } from '../../src/market/store.ts'
import { tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { call, newUser } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'
import { marketFeed, scriptedChain } from '../stand-ins/scripted-feed.ts'

// A day that is ingested while the site runs: api and worker as real processes, which nobody starts again.

const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-11-20' })
const [, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
const [yesterday, today] = dates.slice(-2) as [string, string]
const root = '/v1/quant/convertible-bond'

const { database, dataDir, api } = await testSite()

for (const table of [stk, cb]) {
  const quality: Quality = {
    ...{ rows: 1, listedRows: 1, securities: table.securities.length, firstDate: dates[0]!, lastDate: yesterday, adjust: 'raw' },
    ...{ preset: '测试', source: ['test'], quarantined: 0, findings: [], notes: [] },
  }
  await publishTable({ db: database.db, dataDir }, tableBefore(table, dates.length - 1), { quality })
}
const user = await newUser(database.db)

const screen = async () =>
  (await call<ScreenResult>(api, user, 'POST', `${root}/realtime-screen`, { parameters: parameters('cb', 'close', 5, 5) })).data
const figures = async () => (await call<MarketFigures>(api, user, 'GET', `${root}/market`)).data
const sheet = async () => (await call<DataSheet>(api, user, 'GET', `${root}/data`)).data
const website = async () => (await call<Website>(api, user, 'GET', '/v1/website')).data
const ready = async () => (await call<{ markets: { cb: string } }>(api, user, 'GET', '/readyz')).data

test('an ingested day is in the market figures, the screen, the data sheet and the status page', async () => {
  const before = await screen()
  expect(before).toMatchObject({ trade_date: yesterday, realtime: false })
  expect(await figures()).toMatchObject({ trade_date: yesterday })
  const versions = [(await sheet()).data_version, (await website()).data_version.cb, (await ready()).markets.cb]
  expect(new Set(versions).size).toBe(1)

  const chain = scriptedChain(marketFeed({ stk, cb }, () => today))
  const deps = { db: database.db, dataDir, chain, signal: new AbortController().signal }
  const done = await ingest(deps, { through: today, kinds: ['stk', 'cb'] })
  const published = done.findLast(({ kind }) => kind === 'cb')!.snapshot!

  await expect.poll(screen).toMatchObject({ trade_date: today, realtime: false, data_time: `${today}T15:00:00+08:00` })
  await expect.poll(figures).toMatchObject({ trade_date: today, data_time: `${today}T15:00:00+08:00` })
  expect(await sheet()).toMatchObject({ trade_date: today, data_version: published.dataVersion })
  expect((await website()).data_version.cb).toBe(published.dataVersion)
  expect((await ready()).markets.cb).toBe(published.dataVersion)

  // The numbers are those of the day.
  const t = dates.length - 1
  const closes = new Map(cb.securities.map(({ code }, i) => [code, cb.columns.get('close')!.cells[t * cb.stride + i]]))
  const { list_items } = await screen()
  expect(list_items.length).toBeGreaterThan(3)
  for (const { code, values } of list_items) expect(values['close']).toBe(closes.get(code))
})
