import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type {
  DataSheet,
  DataSources,
  HistoryScreenResult,
  ScreenResult,
  StrategyDetail,
  StrategySummary,
  Tracking,
} from '@convexa/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keepHealth } from '../../src/feeds/health.ts'
import { keepTape, taped } from '../../src/feeds/live/quote-store.ts'
import { daysBehind } from '../../src/market/calendar.ts'
import { clearDamage, damagedInUse, markDamaged } from '../../src/market/damage.ts'
import { snapshotPath } from '../../src/market/snapshot.ts'
import { startOperatorWarnings } from '../../src/system/operator-warnings.ts'
import { convexa } from '../fixtures/command-line.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// What the product tells about its data over HTTP: api and worker as real processes, sources that are on and never asked.

const { database, dataDir, api, worker } = await testSite({ api: { FEEDS: 'eastmoney,tencent,sina' }, worker: { FEEDS: '' } })
const user = await newUser(database.db)

const ask = (query = '', kind = 'convertible-bond') => call<DataSheet>(api, user, 'GET', `/v1/quant/${kind}/data${query}`)
const sheet = async (query = '') => (await ask(query)).data

test('without data the sheet says so', async () => {
  expect(await ask()).toMatchObject({ status: 503, code: 21008 })
})

test('demo data are marked as demo, without sources and without expected days', async () => {
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2023-10-09', to: '2023-12-28', securities: 20 })
  keepHealth(database.db, () => {})({ source: 'tencent', need: 'quotes', fault: { kind: 'network', why: '没有应答' }, quietUntil: null })
  const { data } = await ask('', 'stock')
  expect(data).toMatchObject({ data_mode: 'demo', behind: 0, lost: [], quotes: null, ingestion: null, listed: 20, delisted: 0 })
})

test('the sheet has the days, the origin and the securities of the data', async () => {
  const snapshot = await publishSmallMarket(database.db, dataDir, {
    ...{ kind: 'cb', from: '2023-10-09', to: '2023-12-28', securities: 30, real: true },
  } as const)
  const data = await sheet()
  expect(data).toMatchObject({
    ...{ trade_date: '2023-12-28', first_date: '2023-10-09', data_mode: 'imported', data_version: snapshot.dataVersion, adjust: 'raw' },
    ...{ listed: 30, delisted: 0, factors: [], counting: false, quotes: null },
    ingestion: { refused: null, waiting: null },
    quarantined: { rows: 0, of: 'import', reasons: [] },
  })
  expect(data.behind).toBe(daysBehind(snapshot, new Date()))
  if (data.behind !== null) expect(data.behind).toBeGreaterThan(400)
  expect(Date.parse(data.published_at)).toBeCloseTo(snapshot.publishedAt.getTime(), -4)
})

test('the sources of any kept data version are listed', async () => {
  const given = { kind: 'cb', from: '2023-10-09', to: '2023-12-27', securities: 30, real: true, seed: 2 } as const
  const old = await publishSmallMarket(database.db, dataDir, { ...given, files: ['bonds.csv', 'eastmoney/bond-day/2023-12-27'] })
  const { dataVersion: newest } = await publishSmallMarket(database.db, dataDir, { ...given, to: '2023-12-28', seed: 1 })
  expect(await sheet()).toMatchObject({ data_version: newest, sources: [] })
  const of = async (version: string, kind = 'convertible-bond') =>
    (await call<DataSources>(api, user, 'GET', `/v1/quant/${kind}/data/sources?version=${version}`)).data.sources
  expect(await of(old.dataVersion)).toEqual([
    { label: 'bonds.csv', last: null },
    { label: '东方财富', last: '2023-12-27' },
  ])
  expect(await of(newest)).toEqual([])
  expect(await of(old.dataVersion, 'stock')).toEqual([])
  expect(await of('cb-20200101-00000000')).toEqual([])
})

test('coverage of each requested factor, or the reason why it is unavailable', async () => {
  const formula = 'formula: if(close > 110, close, close / 0)'
  const query = `?${new URLSearchParams([
    ['keys', 'dblow,pe_ttm,close'],
    ['keys', formula],
  ])}`
  await expect.poll(async () => (await sheet(query)).counting, { timeout: 60_000 }).toBe(false)
  const { factors } = await sheet(query)
  expect(factors.map(({ factor }) => factor)).toEqual(['dblow', 'pe_ttm', 'close', formula])
  const [low, earnings, close, some] = factors
  expect(low).toEqual({ factor: 'dblow', values: 30, coverage: 1, reason: null, positive: false })
  expect(earnings).toMatchObject({ values: null, coverage: null, reason: expect.stringMatching(/\p{Script=Han}/u) })
  expect(close).toMatchObject({ values: 30 })
  expect(some?.values).toBeGreaterThan(0)
  expect(some?.values).toBeLessThan(30)
  expect(some?.coverage).toBeCloseTo((some?.values ?? 0) / 30, 9)
})

test('too many keys are rejected with their place', async () => {
  expect(await ask(`?keys=${Array.from({ length: 61 }, (_, i) => `close_${i}`).join(',')}`)).toMatchObject({ status: 400, code: 40000 })
})

test('a failing source is listed with the time of its last answer until it answers again', async () => {
  // Bonds of the day are asked of Eastmoney first; of quotes Tencent.
  const hear = keepHealth(database.db, () => {}, 0)
  hear({ source: 'eastmoney', need: 'bond-day', fault: null, quietUntil: null })
  hear({ source: 'tencent', need: 'quotes', fault: null, quietUntil: null })
  await expect.poll(async () => (await sheet()).lost).toEqual([])
  hear({ source: 'eastmoney', need: 'bond-day', fault: { kind: 'shape', why: '应答不是已知的' }, quietUntil: Date.now() + 60_000 })
  hear({ source: 'sina', need: 'quotes', fault: { kind: 'network', why: '没有应答' }, quietUntil: null })
  const lost = {
    ...{ label: '东方财富', need: '转债日线', fault: 'shape', since: expect.any(String), answered_at: expect.any(String), instead: null },
  }
  await expect.poll(async () => (await sheet()).lost).toEqual([lost])
  hear({ source: 'eastmoney', need: 'bond-day', fault: null, quietUntil: null })
  await expect.poll(async () => (await sheet()).lost).toEqual([])
})

test('the state of the newest day and of the days after it', async () => {
  const step = { market: 'cb', step: 'quotes', report: '', answers: '[]' } as const
  await database.db
    .insertInto('ingest_step')
    .values([
      {
        ...step,
        ...{ day: '2023-12-28', state: 'published', quarantined: 2 },
        findings: JSON.stringify([
          { check: 'price_limit', level: 'quarantine', count: 2, text: '价格超出涨跌幅' },
          { check: 'jump', level: 'warning', count: 9, text: '涨跌很大' },
        ]),
      },
      { ...step, day: '2023-12-29', state: 'refused' },
      { ...step, day: '2024-01-02', state: 'waiting' },
    ])
    .execute()
  expect(await sheet()).toMatchObject({
    quarantined: { rows: 2, of: 'day', reasons: [{ text: '价格超出涨跌幅', count: 2 }] },
    ingestion: { refused: '2023-12-29', waiting: '2024-01-02' },
  })
})

test('an open part of a day is named by the data status, screens, summaries and the record', async () => {
  const cb = '/v1/quant/convertible-bond'
  const rule = parameters('cb', 'remain_size', 5, 5)
  const part = { market: 'cb', day: '2023-12-28', part: 'sizes', state: 'missing', expected: 1, found: 0, lacking: '[]' } as const
  await database.db
    .insertInto('day_part')
    .values({ ...part, source: null, asked_at: new Date() })
    .execute()
  const evening = { market: 'cb', day: '2023-12-28', step: 'events', state: 'published', report: '', answers: '[]' } as const
  await database.db.insertInto('ingest_step').values(evening).execute()
  const note = '12-28 的剩余规模尚未到齐，名单按此前已知的'
  expect((await sheet()).open_parts).toEqual([{ label: '剩余规模', expected: 1, found: 0, codes: [] }])
  const screened = async () => (await call<ScreenResult>(api, user, 'POST', `${cb}/realtime-screen`, { parameters: rule })).data
  expect((await screened()).data_note).toBe(note)
  const dates = { parameters: rule, trade_dates: ['2023-12-27', '2023-12-28'] }
  const { data: history } = await call<HistoryScreenResult>(api, user, 'POST', `${cb}/history-screen`, dates)
  expect(history.results.map(({ data_note }) => data_note)).toEqual([undefined, note])
  const saved = await call<{ id: string }>(api, user, 'POST', `${cb}/strategy`, { strategy_name: '小规模', detail: rule })
  const { id } = saved.data
  await sql`update strategy_version set created_at = '2023-12-27T10:00:00+08:00' where strategy_id = ${id}`.execute(database.db)
  expect((await call<StrategySummary>(api, user, 'PUT', `${cb}/strategy/${id}/glance`)).data.data_note).toBe(note)
  const { days, waiting } = (await call<Tracking>(api, user, 'GET', `${cb}/strategy/${id}/tracking`)).data
  // 20:15 of the day is long past.
  expect(waiting).toBeUndefined()
  expect(days.map(({ date, on_time, open_parts }) => [date, on_time, open_parts])).toEqual([
    ['2023-12-27', false, undefined],
    ['2023-12-28', true, ['剩余规模']],
  ])
  await database.db.deleteFrom('day_part').execute()
  expect((await screened()).data_note).toBeUndefined()
  expect((await call<StrategyDetail>(api, user, 'GET', `${cb}/strategy/detail/${id}`)).data.glance!.data_note).toBeUndefined()
  expect((await call<Tracking>(api, user, 'GET', `${cb}/strategy/${id}/tracking`)).data.days).toEqual(days)
})

test('quotes have their source, and a note when they are stale', async () => {
  const quoted = async (date: string, made: number) => {
    const codes = ['113001.SH']
    const columns = new Map(Object.entries({ close: Float64Array.of(100) }))
    await keepTape(database.db, taped(null, { date, codes, columns, madeAt: Float64Array.of(made) }, made), 'tencent')
  }
  await quoted('2023-12-29', Date.parse('2023-12-29T10:00:00+08:00'))
  expect((await sheet()).quotes).toEqual({ source: '腾讯', quoted_at: '2023-12-29T10:00:00+08:00', stale: true })
  await quoted('2023-12-28', Date.parse('2023-12-28T10:00:00+08:00'))
  expect((await sheet()).quotes).toBeNull()
})

describe('damaged market files', () => {
  const cb = '/v1/quant/convertible-bond'
  const screened = async () => {
    const { code, data } = await call<ScreenResult | null>(api, user, 'POST', `${cb}/realtime-screen`, {
      parameters: parameters('cb', 'dblow', 5, 5),
    })
    return [code, data?.trade_date ?? null]
  }
  const ready = async () => {
    const answer = await fetch(`${api.address}/readyz`)
    const { msg, data } = (await answer.json()) as { msg: string; data: { reasons?: string[] } }
    return [answer.status, msg, data.reasons ?? null]
  }
  const fileOf = ({ folder }: { folder: string }, name: RegExp) => {
    const path = snapshotPath(dataDir, { folder })
    return join(path, readdirSync(path).find((one) => name.test(one))!)
  }

  test('are replaced by the previous snapshot with its date, and used again once they are whole', async () => {
    const newest = await publishSmallMarket(database.db, dataDir, {
      ...{ kind: 'cb', from: '2023-10-09', to: '2023-12-29', securities: 30, real: true, seed: 5 },
    } as const)
    const column = fileOf(newest, /^close\.2023\./)
    const whole = readFileSync(column)
    writeFileSync(
      column,
      Uint8Array.from(whole, (byte, i) => (i === 9 ? byte ^ 1 : byte)),
    )
    // The request that finds the damage is asked to come again.
    await expect.poll(screened, { timeout: 60_000 }).toEqual([0, '2023-12-28'])
    const { trade_date, damaged } = await sheet()
    expect([trade_date, damaged]).toEqual(['2023-12-28', '2023-12-29'])
    expect((await ready())[0]).toBe(200)
    expect((await damagedInUse(database.db)).map(({ id, damage }) => [id, damage])).toEqual([
      [newest.id, expect.stringMatching(/^wrong checksum: .*close\.2023\./)],
    ])
    const warned: unknown[] = []
    const config = { dataDir, isSingleMachine: true }
    await startOperatorWarnings({ db: database.db, config, log: (...line) => void warned.push(line) }).close()
    expect(warned).toEqual([
      ['market snapshots damaged', { snapshots: [expect.objectContaining({ kind: 'cb', version: newest.dataVersion })] }],
    ])

    writeFileSync(column, whole)
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
    expect(await convexa(env, 'market', 'repair', 'cb')).toMatchObject({ exit: 0, out: expect.stringContaining('文件完好，已恢复使用') })
    await expect.poll(screened, { timeout: 60_000 }).toEqual([0, '2023-12-29'])
  })

  test('are reported to users and supervisors where no snapshot is whole', async () => {
    const rows = await database.db.selectFrom('market_snapshot').select('id').where('kind', '=', 'cb').execute()
    for (const { id } of rows) await markDamaged(database.db, id, 'wrong checksum')
    await expect.poll(ready, { timeout: 60_000 }).toEqual([503, '尚未就绪：行情数据无法读取（可转债）', ['market_unreadable']])
    await expect.poll(screened, { timeout: 60_000 }).toEqual([21011, null])
    // The other market goes on.
    expect(await call(api, user, 'GET', '/v1/quant/stock/market')).toMatchObject({ code: 0 })
    for (const { id } of rows) await clearDamage(database.db, id)
  })
})

test('where nothing can be counted no worker is called, so an api without a worker answers', async () => {
  await worker.stop()
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2023-10-09', to: '2023-12-29', securities: 20 })
  expect((await ask('?keys=dblow', 'stock')).data.factors).toEqual([
    { factor: 'dblow', values: null, coverage: null, reason: expect.stringMatching(/\p{Script=Han}/u), positive: false },
  ])
  // For three seconds a call that nobody takes looks for a worker.
  await setTimeout(4_000)
  expect((await ask('', 'stock')).status).toBe(200)
})
