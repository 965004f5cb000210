import { afterAll, beforeAll, expect, test } from 'vitest'
import { chain } from '../../src/feeds/chain.ts'
import { FeedError } from '../../src/feeds/feed.ts'
import { hasAnsweredSince } from '../../src/feeds/health.ts'
import { lastClosedDay } from '../../src/market/calendar.ts'
import { convexa } from '../fixtures/command-line.ts'
import { testDatabase } from '../fixtures/database.ts'
import { type StandIn, standIn } from './stand-in.ts'

const secrets = { TUSHARE_TOKEN: 'canary-token-1', JISILU_COOKIE: 'canary=cookie-2', XTDATA_KEY: 'canary-key-3'.repeat(3) }
const on = { FEEDS: 'tushare,tencent,jisilu', ...secrets }

let provider: StandIn
beforeAll(async () => {
  provider = await standIn(({ body }) => {
    const { api_name } = JSON.parse(body) as { api_name: string }
    expect(api_name).toBe('trade_cal')
    return JSON.stringify({ code: 40101, msg: '您的token不对，请确认。', data: null })
  })
})
afterAll(() => provider.close())

test('feed status says what is on, what each gives and who is asked first, and no secret', async () => {
  const [status, json, asked, wrong] = await Promise.all([
    convexa(on, 'feed', 'status'),
    convexa(on, 'feed', 'status', '--json'),
    convexa({ ...on, TUSHARE_URL: provider.url }, 'feed', 'status', '--ask', '--only', 'tushare'),
    convexa({ FEEDS: 'tushare,yahoo' }, 'feed', 'status'),
  ])
  expect(status.exit).toBe(0)
  expect(status.out).toMatch(/tushare +Tushare Pro +启用 +已设置 +交易日历、股票日线/)
  expect(status.out).toMatch(/sina +新浪 +未启用 +不需要 +实时行情/)
  expect(status.out).toMatch(/实时行情 +tencent → jisilu/)
  expect(status.out).toContain('行情与交易日历到哪一天：服务没有运行')
  expect(JSON.parse(json.out)).toMatchObject({
    feeds: [
      { name: 'tushare', on: true, credentials: 'set' },
      { name: 'baostock', on: false, credentials: null },
      {},
      {},
      {},
      { name: 'jisilu' },
      { name: 'xtdata', on: false, credentials: 'set' },
      { name: 'file', credentials: 'missing' },
    ],
    order: { 'bond-list': ['tushare', 'jisilu'] },
  })
  // A source that does not answer is no success.
  expect(asked).toMatchObject({
    exit: 1,
    out: expect.stringMatching(/异常（\d+ 毫秒）：Tushare 不接受所设置的 token，请检查 TUSHARE_TOKEN/),
  })
  expect(wrong).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('现在有“yahoo”') })
  for (const { out, err } of [status, json, asked, wrong]) expect(out + err).not.toContain('canary')
})

test('feed status names the parts of published days that have not come', async () => {
  const database = await testDatabase()
  try {
    const day = lastClosedDay(new Date())
    const told = { day, asked_at: new Date(), expected: 120 }
    await database.db
      .insertInto('day_part')
      .values([
        { ...told, market: 'stk', part: 'factors', state: 'part', found: 119, lacking: '["688101.SH"]', source: 'tushare' },
        { ...told, market: 'stk', part: 'bars', state: 'whole', found: 120, lacking: '[]', source: 'tushare' },
        { ...told, market: 'cb', part: 'sizes', state: 'missing', expected: 1, found: 0, lacking: '[]', source: null, closed: true },
      ])
      .execute()
    const { out, exit } = await convexa({ ...on, DATABASE_URL: database.url }, 'feed', 'status')
    expect(exit).toBe(0)
    const [, below = ''] = out.split('未到齐的数据')
    const lines = below
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/))
      .filter(([market]) => market === '股票' || market === '可转债')
    expect(lines).toEqual([
      ['可转债', day, '剩余规模没有应答', '不再询问'],
      ['股票', day, '复权因子 119/120（缺 688101.SH）', '会再询问'],
    ])
  } finally {
    await database.drop()
  }
})

test('a source that turned the address away is asked again once it has answered an operator', async () => {
  const database = await testDatabase()
  const answers = await standIn(({ body }) => {
    const { params } = JSON.parse(body) as { params: { start_date: string } }
    return JSON.stringify({ code: 0, msg: '', data: { fields: ['cal_date', 'is_open'], items: [[params.start_date, 1]], has_more: false } })
  })
  try {
    let asked = 0
    const feed = {
      ...{ name: 'tushare', label: 'Tushare Pro' },
      offers: {
        calendar: async () => {
          if (asked++ === 0) throw new FeedError('blocked', '拒绝本机的地址')
          return []
        },
      },
    }
    const server = chain([feed], Date.now, { hasReleased: (source, since) => hasAnsweredSince(database.db, source, since) })
    const ask = () => server.ask('calendar', { from: '2026-11-20', to: '2026-11-20' }, { signal: new AbortController().signal })
    await expect(ask()).rejects.toMatchObject({ kind: 'blocked' })
    await expect(ask()).rejects.toMatchObject({ kind: 'blocked' })
    expect(asked).toBe(1)
    const env = { ...on, DATABASE_URL: database.url, TUSHARE_URL: answers.url }
    expect(await convexa(env, 'feed', 'status', '--ask', '--only', 'tushare')).toMatchObject({ exit: 0 })
    await ask().catch(() => {})
    expect(asked).toBe(2)
  } finally {
    await answers.close()
    await database.drop()
  }
})
