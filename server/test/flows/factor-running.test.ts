import type { CustomizedFactor, FactorRunningBody, FactorRunningResult, RealtimeFactors, StrategyOptions } from '@convexa/contract'
import { expect, test } from 'vitest'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser } from '../fixtures/processes.ts'
import { testSite } from '../fixtures/site.ts'

// A factor looked at closely: what an editor's debugger shows.

const { database, dataDir, api } = await testSite()

const path = (segment = 'convertible-bond') => `/v1/quant/${segment}/customized-factor/running`
const run = (factors: FactorRunningBody['factors'], segment?: string, who = user) =>
  call<FactorRunningResult>(api, who, 'POST', path(segment), { factors })

async function probe(one: FactorRunningBody['factors'][number]) {
  const { data } = await run([one])
  const [result] = data.results
  if (!result?.ok) throw new Error(JSON.stringify(result))
  return result
}

const user = await newUser(database.db)

test('without data the preview says so', async () => {
  expect(await run([{ factor: 'close' }])).toMatchObject({ status: 503, code: 21008 })
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2022-12-30', securities: 40 })
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2022-01-04', to: '2022-12-30', securities: 30 })
})

test('values of all securities on a day, their distribution and statistics', async () => {
  const result = await probe({ factor: 'formula: 收盘价 + 转股溢价率*100', trade_date: '2022-10-04' })
  const { data } = await call<RealtimeFactors>(
    api,
    user,
    'GET',
    '/v1/quant/convertible-bond/realtime-factors?with_values=1&keys=dblow&date=2022-10-04',
  )
  // A holiday: the trading day before it.
  expect(result).toMatchObject({ formula: 'close + conv_prem * 100', trade_date: '2022-09-30', coverage: 1, missing: [], lookahead: false })
  expect(result.values).toEqual(data.codes!.map((code, i) => [code, data.values![0]![i]]))
  const sorted = result.values.map(([, value]) => Number(value)).sort((a, b) => a - b)
  expect(result.top.map(({ value }) => value)).toEqual(sorted.slice(-10).reverse())
  expect(result.bottom.map(({ value }) => value)).toEqual(sorted.slice(0, 10))
  expect(result.histogram.counts.reduce((sum, count) => sum + count)).toBe(40)
  expect(result.histogram.edges).toHaveLength(31)
  expect(result.quantiles.find(({ share }) => share === 0.5)?.value).toBeCloseTo((sorted[19]! + sorted[20]!) / 2, 9)
  expect(result.correlation[0]).toEqual({ factor_key: 'dblow', value: expect.closeTo(1, 9) })
  expect(result.elapsed_ms).toBeGreaterThanOrEqual(0)
  expect(result.warnings).toEqual([])
  expect(result.nodes).toBeUndefined()
  expect(result.series).toBeUndefined()
})

test('for one code every part of the formula has its place, value and history', async () => {
  const formula = 'm := ts_mean(close, 3);\n(close - m) / m > 0 ? 1 : -1'
  const result = await probe({ factor: `formula: ${formula}`, codes: ['900005.DM'], span: 5 })
  expect(result.values).toHaveLength(1)
  expect(result.series?.dates).toHaveLength(5)
  expect(result.series?.dates.at(-1)).toBe('2022-12-30')
  expect(result.series?.values['900005.DM']?.at(-1)).toBe(result.values[0]?.[1])
  const closes = await probe({ factor: 'close', codes: ['900005.DM'], span: 3 })
  const last = closes.series!.values['900005.DM']!.map(Number)
  const mean = last.reduce((sum, value) => sum + value) / 3
  const nodes = new Map(result.nodes?.map((node) => [node.text, node]))
  expect([...nodes.keys()]).toEqual([
    'ts_mean(close, 3)',
    'close',
    '3',
    '(close - m) / m > 0 ? 1 : -1',
    '(close - m) / m > 0',
    '(close - m) / m',
    '(close - m)',
    'm',
    '0',
    '1',
    '-1',
  ])
  expect(nodes.get('m')?.value).toBeCloseTo(mean, 9)
  expect(nodes.get('(close - m) / m')?.value).toBeCloseTo((last[2]! - mean) / mean, 9)
  expect(nodes.get('(close - m) / m > 0 ? 1 : -1')?.value).toBe(result.values[0]?.[1])
  expect(nodes.get('3')?.value).toBe(3)
  for (const { pos, text } of result.nodes!) expect(formula.slice(pos.start, pos.end)).toBe(text)
  expect(nodes.get('(close - m)')?.pos).toMatchObject({ line: 2, column: 1 })
})

test('for several codes values and series; an unknown code is an error', async () => {
  const result = await probe({ factor: 'close', codes: ['900001.DM', '900002.DM', '123.XX'], span: 2 })
  expect(result.values.map(([code]) => code)).toEqual(['900001.DM', '900002.DM'])
  expect(Object.keys(result.series?.values ?? {})).toEqual(['900001.DM', '900002.DM'])
  expect(result.warnings).toEqual(['不在当前行情数据中：123.XX'])
  expect(result.nodes).toBeUndefined()
})

test('a wrong formula does not fail the others; each error has its position', async () => {
  const { code, data } = await run([
    { factor: 'formula: close +' },
    { factor: 'close' },
    { factor: 'formula: nobody(close)' },
    { factor: 'custom_nobody' },
    { factor: 'close', trade_date: '2001-01-04' },
    { factor: 'close', trade_date: '2099-01-05' },
    { factor: 'ytm' },
  ])
  expect(code).toBe(0)
  expect(data.results.map((one) => (one.ok ? 0 : one.code))).toEqual([22002, 0, 22006, 22009, 21007, 21007, 22009])
  expect(data.results[0]).toMatchObject({ formula: 'formula: close +', ok: false, pos: { start: 7, line: 1, column: 8 } })
  expect(data.results[2]).toMatchObject({ message: expect.stringMatching(/未知函数：nobody/), pos: { start: 0, end: 6 } })
})

test('custom factors are previewed by key and within other formulas', async () => {
  const saved = await call<CustomizedFactor>(api, user, 'POST', '/v1/quant/convertible-bond/customized-factors', {
    factor_name: '我的双低',
    formula: 'close + conv_prem * 100',
  })
  const key = saved.data.factor_key
  const { data } = await run([{ factor: key, codes: ['900001.DM'] }, { factor: `formula: ${key} - dblow` }])
  expect(data.results.map(({ ok }) => ok)).toEqual([true, true])
  const [whole, difference] = data.results
  expect(whole?.ok && whole.nodes?.[0]?.text).toBe('close + conv_prem * 100')
  expect(difference?.ok && difference.warnings).toEqual(['当日取值全部相同，没有区分度'])
  const stranger = await newUser(database.db)
  expect((await run([{ factor: key }], undefined, stranger)).data.results[0]).toMatchObject({ ok: false, code: 22009 })
})

test('missing and extreme values are reported', async () => {
  const none = await probe({ factor: 'formula: log(-close)' })
  expect(none).toMatchObject({
    coverage: 0,
    quantiles: [],
    top: [],
    histogram: { edges: [], counts: [] },
    warnings: ['当日没有任何证券有值'],
  })
  expect(none.missing).toHaveLength(40)
  const large = await probe({ factor: 'formula: close * 1e6' })
  expect(large.warnings).toEqual(['有 40 只的绝对值超过 100 万，请检查单位或除数'])
})

test('stocks are previewed likewise; an unknown market is rejected', async () => {
  expect((await run([{ factor: 'close' }], 'stock')).data.results[0]).toMatchObject({ ok: true, coverage: 1 })
  expect(await run([{ factor: 'close' }], 'gold')).toMatchObject({ status: 400, code: 40000 })
})

test.each<[string, object]>([
  ['no factor', { factors: [] }],
  ['twenty-one factors', { factors: Array(21).fill({ factor: 'close' }) }],
  ['a span of nothing', { factors: [{ factor: 'close', codes: ['900001.DM'], span: 0 }] }],
  ['a day that never was', { factors: [{ factor: 'close', trade_date: '2022-02-30' }] }],
  ['no codes at all', { factors: [{ factor: 'close', codes: [] }] }],
])('%s is 40000', async (_name, body) => {
  expect(await call(api, user, 'POST', path(), body)).toMatchObject({ status: 400, code: 40000 })
})

test('previews count against the daily quota, failed ones do not', async () => {
  const who = await newUser(database.db)
  const used = async () => (await call<StrategyOptions>(api, who, 'GET', '/v1/quant/strategy/options')).data.limits.daily['factor_running']
  await run([{ factor: 'formula: close +' }], undefined, who)
  expect(await used()).toEqual({ used: 0, max: 50 })
  await run([{ factor: 'close' }], undefined, who)
  expect(await used()).toEqual({ used: 1, max: 50 })
  await database.db.updateTable('quota_use').set({ used: 50 }).where('user_id', '=', who.id).execute()
  expect(await run([{ factor: 'close' }], undefined, who)).toMatchObject({
    status: 429,
    code: 21002,
    msg: '今日使用次数已达上限，次日零点恢复；会员可提升额度（每日因子试算 500 次）',
  })
  await database.db.updateTable('app_user').set({ vip_level: 1 }).where('id', '=', who.id).execute()
  expect(await run([{ factor: 'close' }], undefined, who)).toMatchObject({ status: 200 })
  await database.db.updateTable('quota_use').set({ used: 500 }).where('user_id', '=', who.id).execute()
  expect((await run([{ factor: 'close' }], undefined, who)).msg).toBe('今日使用次数已达上限，次日零点恢复')
})
