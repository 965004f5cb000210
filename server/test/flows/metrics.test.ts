import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.mjs'
import { keepHealth } from '../../src/feeds/health.ts'
import { keepTape, taped } from '../../src/feeds/live/quote-store.ts'
import { daysBehind } from '../../src/market/calendar.ts'
import { setMaintenance } from '../../src/system/maintenance.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { type Api, newUser, type Process, startApiProcess, startWorkerProcess } from '../fixtures/processes.ts'

// What the operator reads of a running product: api and worker as real processes.

let database: TestDatabase
let dataDir: string
let open: Api
let api: Api
let apart: Api
let worker: Process
let port: number
const token = 'only for tests '.replaceAll(' ', '-').repeat(3)

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-metrics-'))
  port = await freePort()
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, METRICS_TOKEN: '', METRICS_PORT: '' }
  worker = await startWorkerProcess(env, database.db)
  ;[open, api, apart] = await Promise.all([
    startApiProcess(env),
    startApiProcess({ ...env, METRICS_TOKEN: token }),
    startApiProcess({ ...env, METRICS_PORT: String(port) }),
  ])
})

afterAll(async () => {
  await Promise.all([open.stop(), api.stop(), apart.stop(), worker.stop()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const bearer = { authorization: `Bearer ${token}` }
const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}` })
const metrics = async () => (await fetch(`${api.address}/metrics`, { headers: bearer })).text()
/** Values of a metric by its labels, as they are written. */
const valuesOf = (text: string, name: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(`convexa_${name}{`) || line.startsWith(`convexa_${name} `))
      .map((line) => [line.slice(`convexa_${name}`.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

describe('access to metrics', () => {
  test('is closed unless the operator has enabled it', async () => {
    for (const path of ['/metrics', '/status']) expect((await fetch(`${open.address}${path}`)).status).toBe(404)
  })

  test.each([
    ['without a token', {}, 401],
    ['with another', { authorization: 'Bearer another' }, 401],
    ['with another scheme', { authorization: `Digest ${token}` }, 401],
    ['with another password', basic('another'), 401],
    ['with the token', bearer, 200],
    ['with the token as a password', basic(token), 200],
  ])('%s', async (_, headers, status) => {
    for (const path of ['/metrics', '/status']) {
      const answer = await fetch(`${api.address}${path}`, { headers })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('www-authenticate')?.startsWith('Basic') ?? false).toBe(status === 401)
    }
  })

  test('on a port of their own is not on that of the product', async () => {
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('convexa_database_up 1')
    expect((await fetch(`http://127.0.0.1:${port}/status`)).headers.get('content-type')).toContain('text/html')
    expect((await fetch(`http://127.0.0.1:${port}/v1/website`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405)
    for (const path of ['/metrics', '/status']) expect((await fetch(`${apart.address}${path}`)).status).toBe(404)
  })

  test('refuses other methods and continues during maintenance', async () => {
    expect((await fetch(`${api.address}/metrics`, { method: 'POST', headers: bearer })).status).toBe(405)
    await setMaintenance(database.db, { on: true, until: null })
    await expect.poll(async () => (await fetch(`${api.address}/v1/quant/strategy/options`)).status).toBe(503)
    expect((await fetch(`${api.address}/metrics`, { headers: bearer })).status).toBe(200)
    await setMaintenance(database.db, { on: false, until: null })
    await expect.poll(async () => (await fetch(`${api.address}/v1/quant/strategy/options`)).status).toBe(401)
  })
})

describe('contents of metrics', () => {
  test('answers by route, status and code, without paths, queries or headers', async () => {
    const user = await newUser(database.db)
    const id = '0198c0de-0000-7000-8000-00000000beef'
    const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${api.address}${path}`, { headers })
    await ask('/v1/website')
    await ask(`/v1/quant/convertible-bond/strategy/detail/${id}`, { 'access-token': user.token })
    await ask(`/v1/quant/convertible-bond/strategy/detail/${id}?secret=beef`)
    await ask('/v1/no/such/beef')
    const text = await metrics()
    const found = valuesOf(text, 'http_requests_total')
    expect(found['{method="GET",route="/v1/website",status="200",code="0"}']).toBeGreaterThanOrEqual(1)
    const detail = '{method="GET",route="/v1/quant/convertible-bond/strategy/detail/:id"'
    expect(found[`${detail},status="404",code="40004"}`]).toBe(1)
    expect(found[`${detail},status="401",code="40100"}`]).toBe(1)
    expect(found['{method="GET",route="none",status="404",code="40004"}']).toBeGreaterThanOrEqual(1)
    expect(text).not.toContain('beef')
    expect(text).not.toContain(user.id)
    expect(text).not.toContain(token)
    expect(valuesOf(text, 'http_request_seconds_count')['{method="GET",route="/v1/website"}']).toBeGreaterThanOrEqual(1)
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  })

  test('markets, ingestion, sources, quotes, queue and workers', async () => {
    const market = { kind: 'cb', from: '2023-10-09', to: '2023-12-28', securities: 30, real: true } as const
    await publishSmallMarket(database.db, dataDir, market)
    const hear = keepHealth(database.db, () => {}, 0)
    hear({ source: 'tencent', need: 'quotes', fault: null, quietUntil: null })
    hear({ source: 'tushare', need: 'stock-day', fault: { kind: 'permission', why: '<b>积分不足</b>' }, quietUntil: Date.now() + 60_000 })
    await database.db
      .insertInto('ingest_step')
      .values({
        ...{ market: 'cb', day: '2023-12-28', step: 'quotes', state: 'published', answers: '[]', seconds: 2.5, quarantined: 3 },
        report: '可转债 2023-12-28 行情：已发布。<script>alert(1)</script>',
        findings: JSON.stringify([{ check: 'price_limit', level: 'quarantine', count: 3, text: '价格超出涨跌幅' }]),
      })
      .execute()
    const made = Date.parse('2023-12-29T10:00:00+08:00')
    const columns = new Map(Object.entries({ close: Float64Array.of(100) }))
    await keepTape(
      database.db,
      taped(null, { date: '2023-12-29', codes: ['113001.SH'], columns, madeAt: Float64Array.of(made) }, made),
      'tencent',
    )

    await expect
      .poll(async () => valuesOf(await metrics(), 'feed_up'))
      .toEqual({
        '{source="tencent",need="quotes"}': 1,
        '{source="tushare",need="stock-day"}': 0,
      })
    const text = await metrics()
    const cb = '{market="cb"}'
    expect(valuesOf(text, 'market_day_timestamp_seconds')[cb]).toBe(Date.parse('2023-12-28T15:00:00+08:00') / 1_000)
    const behind = daysBehind({ dataMode: 'imported', lastDate: '2023-12-28' }, new Date())
    // Beyond the calendar it is left out: a 0 would be read as a figure.
    expect(valuesOf(text, 'market_behind_days')[cb]).toBe(behind ?? undefined)
    if (behind !== null) expect(behind).toBeGreaterThan(400)
    expect(valuesOf(text, 'ingest_seconds')).toEqual({ '{market="cb",step="quotes"}': 2.5 })
    expect(valuesOf(text, 'ingest_quarantined_rows')).toEqual({ [cb]: 3 })
    expect(valuesOf(text, 'ingest_findings')).toEqual({ '{market="cb",class="price_limit",level="quarantine"}': 3 })
    expect(valuesOf(text, 'feed_paused')['{source="tushare",need="stock-day"}']).toBe(1)
    expect(valuesOf(text, 'live_quotes_stale')).toEqual({ '': 1 })
    expect(valuesOf(text, 'live_quotes_age_seconds')['']).toBeGreaterThan(86_400)
    expect(valuesOf(text, 'workers')).toEqual({ '': 1 })
    expect(valuesOf(text, 'workers_silent')).toEqual({ '': 0 })
    expect(valuesOf(text, 'compute_children')).toEqual({ '': 1 })
    await expect.poll(async () => valuesOf(await metrics(), 'snapshot_holders'), { timeout: 60_000 }).toEqual({ [cb]: 1 })
    await expect
      .poll(async () => valuesOf(await metrics(), 'ready'), { timeout: 60_000 })
      .toEqual({ '{role="api"}': 3, '{role="worker"}': 1 })
    const ready = await metrics()
    expect(valuesOf(ready, 'slots')['']).toBeGreaterThanOrEqual(2)
    expect(valuesOf(ready, 'queue_wait_seconds')).toEqual({ '': 0 })
    const disk = `{path="${dataDir}"}`
    expect(valuesOf(ready, 'disk_free_bytes')[disk]).toBeGreaterThan(0)
    expect(valuesOf(ready, 'disk_size_bytes')[disk]).toBeGreaterThan(valuesOf(ready, 'disk_free_bytes')[disk]!)
    expect(valuesOf(ready, 'messages_lost_total')).toEqual({ '': 0 })
    expect(valuesOf(ready, 'payment_unsettled_seconds')).toEqual({ '': 0 })
    await sql`insert into payment_anomaly (what, otn, transaction_id, detail, at) values
      ('refund stuck', 'a', 'b', '{}', now() - interval '1 day'), ('mismatch', 'c', 'd', '{}', now() - interval '2 minutes')`.execute(
      database.db,
    )
    await expect.poll(async () => valuesOf(await metrics(), 'payment_unsettled_seconds')['']).toBeGreaterThan(119)
    expect(valuesOf(await metrics(), 'payment_unsettled_seconds')['']).toBeLessThan(86_400)

    const page = await (await fetch(`${api.address}/status`, { headers: basic(token) })).text()
    for (const word of ['运行状况', '腾讯', '实时行情', 'Tushare Pro', '暂停至', '2023-12-28', '已发布', '计算进程', '40004', '内容不存在'])
      expect(page).toContain(word)
    // A market of an older importer gets a warning that says what to do; a market of the current one gets none.
    const sentence = '行情由旧版本导入，建议重新导入：./convexa import cb'
    expect(page).not.toContain(sentence)
    await publishSmallMarket(database.db, dataDir, { ...market, seed: 2, isOlder: true })
    await expect
      .poll(async () => (await fetch(`${api.address}/status`, { headers: basic(token) })).text())
      .toMatch(new RegExp(`可转债.*</b>：${sentence}`))
    // Parts of published days that have not come, and those that nobody asks for any more.
    expect(page).toContain('各部分都已到齐。')
    const asked = { asked_at: new Date('2023-12-28T12:00:00Z'), market: 'cb' as const, expected: 120 }
    await database.db
      .insertInto('day_part')
      .values([
        { ...asked, day: '2023-12-28', part: 'bars', state: 'part', found: 118, lacking: '["110901.SH","110902.SH"]', source: 'tushare' },
        { ...asked, day: '2023-12-28', part: 'prices', state: 'whole', found: 120, lacking: '[]', source: 'tushare' },
        { ...asked, day: '2023-12-01', part: 'sizes', state: 'missing', found: 0, lacking: '[]', source: null, closed: true },
      ])
      .execute()
    const rowsOf = async (heading: string) => {
      const text = await (await fetch(`${api.address}/status`, { headers: basic(token) })).text()
      const table = text.slice(text.indexOf(`<h2>${heading}</h2>`)).split('</table>')[0]!
      const lines = table.split('<tr>').map((row) =>
        row
          .replace(/<[^>]+>/g, ' ')
          .replace(/ +/g, ' ')
          .trim(),
      )
      return lines.slice(2)
    }
    await expect
      .poll(() => rowsOf('未到齐的数据'))
      .toEqual([
        '可转债 2023-12-01 剩余规模 0/120 — 2023-12-28 20:00:00 不再询问',
        '可转债 2023-12-28 行情 118/120 110901.SH、110902.SH Tushare Pro 2023-12-28 20:00:00 会再询问',
      ])
    expect(page).toContain('&lt;b&gt;积分不足&lt;/b&gt;')
    expect(page).not.toContain('<script')
  })
})
