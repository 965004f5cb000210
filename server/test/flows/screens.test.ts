import {
  BinningResult,
  type FactorFunction,
  type FactorMeta,
  GridResult,
  type HistoryScreenResult,
  type MarketFigures,
  Parameters,
  QuickBacktestResult,
  type RealtimeFactors,
  type ScreenResult,
  type SecurityFactors,
  type StrategyOptions,
} from '@convexa/contract'
import { functionTable } from '@convexa/engine'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser, openStream, rawCall } from '../fixtures/processes.ts'
import { binning, parameters, request } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// Screens, factors and the builder's options over HTTP, before and after there is data.

const { database, dataDir, api, worker } = await testSite()

const cb = '/v1/quant/convertible-bond'
const get = <T>(path: string) => call<T>(api, user, 'GET', path)

const user = await newUser(database.db)

test('without data every call says so, and the options have no templates', async () => {
  for (const path of ['/market', '/factors/all', '/factors/900001.DM', '/realtime-factors']) {
    expect(await get(cb + path)).toMatchObject({ status: 503, code: 21008, data: null })
  }
  const screen = await call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', 'dblow', 5, 5) })
  expect(screen).toMatchObject({ status: 503, code: 21008 })
  const run = request('cb', { start: '2022-02-01', end: '2022-12-30' })
  for (const [path, body] of [
    ['/history-screen', { parameters: run.parameters, trade_date: '2022-02-01' }],
    ['/quick-backtest', run],
    ['/grid-backtest', { ...run, axes: [] }],
    ['/binning', binning('cb')],
  ] as const) {
    expect(await call(api, user, 'POST', cb + path, body), path).toMatchObject({ status: 503, code: 21008 })
  }
  expect(await openStream(api, user, `${cb}/advanced-backtest`, run).ended).toMatchObject({ kind: 'error', code: 21008 })
  const { data } = await get<StrategyOptions>('/v1/quant/strategy/options')
  expect(data.templates).toEqual([])
  expect(data.ranges).toEqual({ cb: null, stk: null })
  expect(data.benchmarks.every(({ available }) => !available)).toBe(true)
  // The default of the market first.
  const ofStocks = data.benchmarks.filter(({ kind }) => kind === 'stk').map(({ value }) => value)
  expect(ofStocks).toEqual(['000300', 'stk_ew', '000905', '000852', '932000'])
})

test('with data the options have templates that the contract accepts and the data support', async () => {
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2023-06-30', securities: 60 })
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2022-01-04', to: '2023-06-30', securities: 80 })
  const { data } = await get<StrategyOptions>('/v1/quant/strategy/options')
  expect(data.templates.map(({ key }) => key)).toEqual([
    'cb_double_low',
    'cb_low_premium',
    'cb_small_cheap',
    'cb_three_low',
    'stk_small_cap',
    'stk_reversal_5',
  ])
  for (const template of data.templates) expect(Parameters.safeParse(template.parameters).error).toBeUndefined()
  expect(data.ranges).toEqual({ cb: { start: '2022-01-04', end: '2023-06-30' }, stk: { start: '2022-01-04', end: '2023-06-30' } })
  expect(data.benchmarks.filter(({ available }) => available).map(({ value }) => value)).toEqual(['cb_ew', 'stk_ew'])
  expect(data.limits).toMatchObject({ runs_at_once: 1, daily: { backtest: { used: 0, max: 20 } } })
  for (const { kind, parameters } of data.templates.filter(({ parameters }) => parameters.rank_factors.length > 0)) {
    const market = kind === 'cb' ? cb : '/v1/quant/stock'
    const { code, data } = await call<ScreenResult>(api, user, 'POST', `${market}/realtime-screen`, { parameters })
    expect([code, data.selected > 0]).toEqual([0, true])
  }
})

test('a screen is the ranking of the last day, with the time of its data', async () => {
  const { data } = await call<ScreenResult>(api, user, 'POST', `${cb}/realtime-screen`, {
    parameters: parameters('cb', 'dblow', 5, 5),
    previous: ['900001.DM'],
  })
  expect(data).toMatchObject({
    trade_date: '2023-06-30',
    data_time: '2023-06-30T15:00:00+08:00',
    realtime: false,
    data_mode: 'demo',
    selected: 5,
  })
  const scores = data.list_items.map(({ score }) => score ?? 0)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
})

test('errors of a screen have their codes', async () => {
  const ask = (factor: string) => call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', factor, 5, 5) })
  expect(await ask('formula: close +')).toMatchObject({ status: 400, code: 22002, data: null })
  expect(await ask('nobody')).toMatchObject({ status: 400, code: 22009 })
  expect(await ask('ytm')).toMatchObject({ status: 400, code: 40000 })
})

test.each<[string, (given: Parameters) => Parameters]>([
  ['a schedule that is none', (given) => ({ ...given, rebalance_method: { rebalance_type: 2, rebalance_value: 0 } })],
  [
    'a percentile beyond 1',
    (given) => ({
      ...given,
      filter_factors: [{ factor_key: 'close', action: 'exclude', operation: 'lt_rank', value: -1, enable: true }],
    }),
  ],
  ['a NUL in a formula', (given) => ({ ...given, rank_factors: [{ ...given.rank_factors[0]!, factor_key: 'formula: close\u0000' }] })],
  ['half a character', (given) => ({ ...given, exclude: { ...given.exclude, areas: ['\ud800'] } })],
])('%s is 40000', async (_name, change) => {
  const body = { parameters: change(parameters('cb', 'close', 5, 5)) }
  expect(await call(api, user, 'POST', `${cb}/realtime-screen`, body)).toMatchObject({ status: 400, code: 40000 })
})

test('factors by scope and by security; others are missing', async () => {
  // A list may come before its shares are counted.
  const all = await vi.waitUntil(
    async () => {
      const { data } = await get<FactorMeta[]>(`${cb}/factors/all`)
      return data.some(({ coverage }) => coverage !== null) && data
    },
    { timeout: 20_000, interval: 200 },
  )
  const dblow = all.find(({ factor_key }) => factor_key === 'dblow')
  expect(dblow).toMatchObject({ factor_name: '双低', available: true, coverage: 1 })
  const missing = all.find(({ factor_key }) => factor_key === 'bond_prem')
  expect(missing).toMatchObject({ available: false, coverage: null })
  expect(missing?.reason).toBeTruthy()
  expect((await get<FactorMeta[]>(`${cb}/factors/custom`)).data).toEqual([])

  const { data: one } = await get<SecurityFactors>(`${cb}/factors/900003.DM`)
  expect(one).toMatchObject({ code: '900003.DM', name: '演示3', trade_date: '2023-06-30', data_time: '2023-06-30T15:00:00+08:00' })
  expect(one.values.find(({ factor_key }) => factor_key === 'dblow')).toMatchObject({ population: 60 })
  for (const id of ['999999.DM', 'nonsense', '123']) expect(await get(`${cb}/factors/${id}`)).toMatchObject({ status: 404, code: 40004 })
})

test('the cross-section of factors and formulas on a day', async () => {
  const query = new URLSearchParams([
    ['with_values', '1'],
    ['keys', 'close,dblow'],
    ['keys', 'formula: cs_rank(close)'],
    ['date', '2022-10-04'],
  ])
  const { data } = await get<RealtimeFactors>(`${cb}/realtime-factors?${query}`)
  // A holiday: the trading day before it.
  expect(data).toMatchObject({ trade_date: '2022-09-30', data_time: '2022-09-30T15:00:00+08:00' })
  expect(data.columns).toEqual(['close', 'dblow', 'formula: cs_rank(close)'])
  expect(data.codes).toHaveLength(60)
  expect(data.values?.map(({ length }) => length)).toEqual([60, 60, 60])
  expect(await get(`${cb}/realtime-factors?with_values=1&keys=close&date=2000-01-04`)).toMatchObject({ status: 400, code: 21007 })
  expect((await get<RealtimeFactors>(`${cb}/realtime-factors`)).data.columns).toBeUndefined()
  const { data: whole } = await get<RealtimeFactors>(`${cb}/realtime-factors?with_values=1`)
  expect(whole.columns).toContain('dblow')
  // What the browser is to say of prices that its factors read comes with the named ones.
  expect(data.price_remarks).toEqual(Array(3).fill({ level: null, raw: null }))
  expect(whole.price_remarks).toBeUndefined()
})

test('keys are unique and limited, a future day has no values', async () => {
  const some = Array.from({ length: 61 }, (_, i) => `bias_${20 + i}`)
  const { data } = await get<RealtimeFactors>(`${cb}/realtime-factors?with_values=1&keys=${'close,'.repeat(100)}&keys=close`)
  expect(data.columns).toEqual(['close'])
  const many = await get(`${cb}/realtime-factors?with_values=1&keys=${some.join(',')}`)
  expect(many).toMatchObject({ status: 400, code: 40000, msg: '请求参数有误：一次最多查询 60 个因子' })
  expect((await get(`${cb}/realtime-factors?with_values=1&keys=${some.slice(1).join(',')}`)).code).toBe(0)
  expect(await get(`${cb}/realtime-factors?with_values=1&keys=close&date=9999-12-31`)).toMatchObject({ status: 400, code: 21007 })
})

test('a screen compares with the previous list: new, kept, and removed with the reason', async () => {
  const ask = (body: object) =>
    call<ScreenResult>(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', 'dblow', 5, 5), ...body })
  const { data: plain } = await ask({})
  expect(plain.list_items.every(({ change }) => change === undefined)).toBe(true)
  const [best, second] = plain.list_items.map(({ code }) => code)
  const last = plain.list_items.at(-1)!.code
  const { data } = await ask({ previous: [best, last, '999999.DM'] })
  const row = (code: string | undefined) => data.list_items.find((one) => one.code === code)
  expect(row(best)).toMatchObject({ change: 'hold', reason: 'hold', reason_text: '名次 1，继续持有' })
  expect(row(second)).toMatchObject({ change: 'new', reason: 'enter', reason_text: '名次 2，新进' })
  expect(row(last)).toMatchObject({ change: 'out', reason: 'rank_out', reason_text: '名次 60，超出持有区间 5' })
  expect(data.warnings).toEqual(['名单中有 1 个代码不在当前行情数据中：999999.DM'])
  const given = parameters('cb', 'dblow', 5, 5)
  const banned = { ...given, universe: { ...given.universe, exclude_codes: [best!] } }
  const { data: without } = await ask({ parameters: banned, previous: [best] })
  expect(without.list_items.find(({ code }) => code === best)).toMatchObject({ rank: null, change: 'out', reason_text: '剔除：黑名单' })
})

test.each<[string[], (keyof ScreenResult)[]]>([
  [['list'], ['list_items']],
  [['funnel'], ['funnel']],
  [
    ['reserve', 'excluded'],
    ['reserve_items', 'excluded'],
  ],
])('a screen answers what is needed of it: %j', async (need, parts) => {
  const given = parameters('cb', 'dblow', 5, 5)
  const body = { parameters: { ...given, universe: { ...given.universe, exclude_codes: ['900001.DM'] } }, need }
  const { data } = await call<ScreenResult>(api, user, 'POST', `${cb}/realtime-screen`, body)
  const answered = (['list_items', 'reserve_items', 'excluded', 'funnel'] as const).filter((part) => (data[part] ?? []).length > 0)
  expect(answered.sort()).toEqual([...parts].sort())
  expect(data).toMatchObject({ total: 59, selected: 5 })
})

describe('a history screen', () => {
  const ask = (body: object, market = cb) =>
    call<HistoryScreenResult>(api, user, 'POST', `${market}/history-screen`, {
      parameters: parameters(market === cb ? 'cb' : 'stk', 'close', 5, 5),
      ...body,
    })
  const closesOf = async (date: string) => {
    const { data } = await get<RealtimeFactors>(`${cb}/realtime-factors?with_values=1&keys=close&date=${date}`)
    return new Map(data.codes!.map((code, i) => [code, Number(data.values![0]![i])]))
  }

  test('is the list of its day, with later returns of list, pool and securities', async () => {
    const { data, code } = await ask({ trade_date: '2023-05-31', forward: [1, 5] })
    expect(code).toBe(0)
    const [result] = data.results
    expect(result).toMatchObject({ trade_date: '2023-05-31', data_time: '2023-05-31T15:00:00+08:00', selected: 5, total: 60 })
    expect(result?.list_items).toHaveLength(60)
    const [now, next] = [await closesOf('2023-05-31'), await closesOf('2023-06-01')]
    const change = (one: string) => next.get(one)! / now.get(one)! - 1
    const mean = (codes: string[]) => codes.reduce((sum, one) => sum + change(one), 0) / codes.length
    const [day] = result!.forward
    const list = result!.list_items.filter(({ selected }) => selected).map(({ code }) => code)
    expect(day).toMatchObject({ horizon: 1 })
    expect(day?.list_mean).toBeCloseTo(mean(list), 12)
    expect(day?.pool_mean).toBeCloseTo(mean([...now.keys()]), 12)
    expect(day?.per_code['900007.DM']).toBeCloseTo(change('900007.DM'), 12)
  })

  test('of several days has each day once; later returns beyond the data are null', async () => {
    const { data } = await ask({ trade_dates: ['2023-06-29', '2022-06-30', '2023-06-29'], forward: [1, 20], need: ['list'] })
    expect(data.results.map(({ trade_date, list_items }) => [trade_date, list_items.length])).toEqual([
      ['2023-06-29', 5],
      ['2022-06-30', 5],
    ])
    const [late, early] = data.results
    expect(late?.forward.map(({ list_mean }) => list_mean === null)).toEqual([false, true])
    expect(Object.values(late!.forward[1]!.per_code)).toEqual([null, null, null, null, null])
    expect(early?.forward.every(({ pool_mean }) => pool_mean !== null)).toBe(true)
    expect(early).toMatchObject({ funnel: [] })
    expect(early?.reserve_items).toBeUndefined()
  })

  test('has the course up to the newest day with the days between', async () => {
    const { data } = await ask({ trade_date: '2023-06-26', forward: [1, 2], latest: true, path: 20, need: ['list'] })
    const [result] = data.results
    // 27, 28, 29 and 30 June are left.
    expect(result?.latest?.horizon).toBe(4)
    expect(result?.path?.list).toHaveLength(4)
    expect(result?.path?.list.slice(0, 2)).toEqual(result?.forward.map(({ list_mean }) => list_mean))
    expect(result?.path?.pool.at(-1)).toBe(result?.latest?.pool_mean)
    const last = await ask({ trade_date: '2023-06-30', latest: true, path: 5 })
    expect(last.data.results[0]).toMatchObject({ path: { list: [], pool: [] } })
    expect(last.data.results[0]?.latest).toBeUndefined()
  })

  test('of stocks answers the same', async () => {
    const { data } = await ask({ trade_date: '2023-05-31', forward: [5] }, '/v1/quant/stock')
    expect(data.results[0]?.forward[0]?.list_mean).toEqual(expect.any(Number))
  })

  test.each<[string, object, number, RegExp]>([
    ['a Sunday', { trade_date: '2023-06-04' }, 21007, /2023-06-04 不是交易日/],
    ['before the data', { trade_date: '2001-01-04' }, 21007, /2022-01-04 至 2023-06-30/],
    ['one of many that is none', { trade_dates: ['2023-06-01', '2023-06-04'] }, 21007, /2023-06-04/],
    ['no day', {}, 40000, /交易日与交易日列表/],
    ['a day and days', { trade_date: '2023-06-01', trade_dates: ['2023-06-01'] }, 40000, /交易日与交易日列表/],
    ['a day that never was', { trade_date: '2023-02-30' }, 40000, /：交易日$/],
    ['thirteen days', { trade_dates: Array(13).fill('2023-06-01') }, 40000, /：交易日列表$/],
    ['a horizon that is none', { trade_date: '2023-06-01', forward: [0] }, 40000, /后续天数第 1 项/],
    ['a field that the data lack', { trade_date: '2023-06-01', parameters: parameters('cb', 'ytm', 5, 5) }, 40000, /到期收益率/],
    ['half a formula', { trade_date: '2023-06-01', parameters: parameters('cb', 'formula: close +', 5, 5) }, 22002, /第1行/],
  ])('%s is refused, and counts for nothing', async (_name, body, code, msg) => {
    const used = async () => (await get<StrategyOptions>('/v1/quant/strategy/options')).data.limits.daily['history_screen']?.used
    const before = await used()
    const answer = await ask(body)
    expect(answer).toMatchObject({ status: 400, code, data: null })
    expect(answer.msg).toMatch(msg)
    expect(await used()).toBe(before)
  })

  test('counts against the daily quota', async () => {
    const who = await newUser(database.db)
    const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    await database.db.insertInto('quota_use').values({ user_id: who.id, day, item: 'history_screen', used: 99 }).execute()
    const body = { parameters: parameters('cb', 'close', 5, 5), trade_date: '2023-06-01' }
    const answers = await Promise.all([1, 2, 3].map(() => call(api, who, 'POST', `${cb}/history-screen`, body)))
    expect(answers.map(({ status, code }) => [status, code]).sort()).toEqual([
      [200, 0],
      [429, 21002],
      [429, 21002],
    ])
  })
})

test('the list of formula functions equals the engine’s', async () => {
  const { data } = await get<FactorFunction[]>('/v1/quant/factor-functions')
  expect(data.map(({ name }) => name)).toEqual(functionTable.map(({ name }) => name))
  expect(data.find(({ name }) => name === 'ts_mean')).toMatchObject({
    category: '时序',
    args: [
      { name: 'x', type: 'series', optional: false },
      { name: 'n', type: 'window', optional: false, min: 1, max: 500 },
      { name: 'mp', optional: true },
    ],
    lookback: null,
  })
  expect(data.find(({ name }) => name === 'abs')).toMatchObject({ lookback: 0, is_cross_section: false })
})

test('an answer of a worker is the same with compression and without', async () => {
  const body = JSON.stringify({ parameters: parameters('cb', 'dblow', 3, 5) })
  const screen = (headers: Record<string, string>) => rawCall(api, user, `${cb}/realtime-screen`, { body, ...headers })
  const [packed, plain] = [await screen({ 'accept-encoding': 'br, gzip;q=0.5' }), await screen({ 'accept-encoding': 'gzip;q=0, br' })]
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding', 'cache-control': 'no-store' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
  const of = ({ headers, text }: typeof packed) => text.replace(String(headers['x-request-id']), '')
  expect(of(packed)).toBe(of(plain))
  // What the engine finds wrong has its code still.
  const wrong = JSON.stringify({ parameters: parameters('cb', 'formula: close +', 3, 5) })
  expect(JSON.parse((await rawCall(api, user, `${cb}/realtime-screen`, { body: wrong, 'accept-encoding': 'gzip' })).text)).toMatchObject({
    code: 22002,
  })
})

test.each([
  '/v1/quant/factor-functions',
  '/v1/quant/strategy/options',
  '/v1/dictionary/items?keys=cb_rating',
  `${cb}/factors/base`,
  `${cb}/realtime-factors`,
])('%s is sent again only when it has changed', async (path) => {
  const first = await rawCall(api, user, path, { 'accept-encoding': 'gzip' })
  expect([first.status, first.headers['content-encoding'], first.headers['cache-control']]).toEqual([200, 'gzip', 'private, no-cache'])
  expect(JSON.parse(first.text)).toMatchObject({ code: 0, request_id: first.headers['x-request-id'] })
  const again = await rawCall(api, user, path, { 'if-none-match': String(first.headers.etag) })
  expect([again.status, again.bytes.length]).toEqual([304, 0])
  expect((await rawCall(api, user, path, { 'if-none-match': 'W/"another"' })).status).toBe(200)
})

test('market figures: series and statistics, each against the day before', async () => {
  const { data } = await get<MarketFigures>(`${cb}/market`)
  expect(data).toMatchObject({ trade_date: '2023-06-30', data_time: '2023-06-30T15:00:00+08:00', realtime: false, data_mode: 'demo' })
  // The data have no turnover: nothing is said of it.
  expect(data.items.map(({ key }) => key)).toEqual([
    ...['cb_ew', 'median_close', 'mean_close', 'mean_conv_prem', 'median_conv_prem', 'mean_dblow'],
    ...['share_up', 'traded', 'share_below_100', 'share_above_130'],
  ])
  const item = (key: string) => data.items.find((one) => one.key === key)
  const { data: days } = await get<RealtimeFactors>(`${cb}/realtime-factors?with_values=1&keys=close,conv_prem`)
  const [closes, premiums] = days.values!.map((column) => column.map(Number).sort((a, b) => a - b))
  expect(item('median_close')?.value).toBeCloseTo((closes![29]! + closes![30]!) / 2, 9)
  expect(item('mean_conv_prem')?.value).toBeCloseTo(premiums!.reduce((sum, value) => sum + value, 0) / 60, 9)
  const shareOf = (has: (close: number) => boolean) => closes!.filter(has).length / 60
  expect(item('mean_dblow')?.value).toBeCloseTo((item('mean_close')?.value ?? 0) + 100 * (item('mean_conv_prem')?.value ?? 0), 6)
  expect(item('median_conv_prem')?.value).toBeCloseTo((premiums![29]! + premiums![30]!) / 2, 9)
  expect(item('traded')?.value).toBe(60)
  expect(item('share_below_100')?.value).toBeCloseTo(
    shareOf((close) => close < 100),
    12,
  )
  expect(item('share_above_130')?.value).toBeCloseTo(
    shareOf((close) => close > 130),
    12,
  )
  expect(item('cb_ew')).toMatchObject({ label: '可转债等权', unit: '点' })
  expect(Math.abs(item('cb_ew')?.change ?? 1)).toBeLessThan(0.05)
  // With the days before it: the last is the day itself, and its change is against the one before.
  const { data: before } = await get<MarketFigures>(`${cb}/market?history=5`)
  for (const { value, change, unit, history } of before.items) {
    expect(history).toHaveLength(5)
    expect(history?.[4]).toBe(value)
    const [was, now] = [history?.[3] ?? Number.NaN, value ?? Number.NaN]
    expect(change).toBeCloseTo(unit === null ? now - was : now / was - 1, 12)
  }
})

test('the next screen reads new data that a worker has', async () => {
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2023-07-31', securities: 61, seed: 2 })
  const ask = () => call<ScreenResult>(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', 'dblow', 5, 5) })
  const { data } = await ask()
  expect([data.trade_date, data.total]).toEqual(['2023-07-31', 61])
})

test('built-in and custom factors are binned; an error is one sentence', async () => {
  const ask = (body: object) => call<BinningResult>(api, user, 'POST', `${cb}/binning`, body)
  const { status, data } = await ask(binning('cb'))
  expect(status).toBe(200)
  expect(BinningResult.safeParse(data).error?.issues ?? []).toEqual([])
  expect(data.bins).toHaveLength(5)
  expect(data.data_mode).toBe('demo')
  const formula = await ask(
    binning('cb', {
      factor: 'formula: ts_mean(close, 5)',
      weight: 'cap',
      pool_mode: 'filtered',
      parameters: parameters('cb', 'close', 5, 5),
    }),
  )
  expect(formula).toMatchObject({ status: 200, code: 0 })
  expect(await ask(binning('cb', { factor: 'formula: close +' }))).toMatchObject({ status: 400, code: 22002 })
  expect(await ask(binning('cb', { bins: 20 }))).toMatchObject({ status: 400, code: 23001, msg: expect.stringContaining('每箱平均') })
  expect(await ask(binning('cb', { settings: { start_date: '2001-01-01', end_date: '2001-12-31', benchmark: 'cb_ew' } }))).toMatchObject({
    status: 400,
    code: 21007,
  })
  expect(await ask({ ...binning('cb'), bins: 1 })).toMatchObject({ status: 400, code: 40000 })
  const { parameters: _left, ...unfiltered } = binning('cb', { pool_mode: 'filtered' })
  expect(await ask(unfiltered)).toMatchObject({ status: 400, code: 40000, msg: '请求参数有误：策略条件' })
})

test('a factor of a missing series is rejected by name', async () => {
  const factor = "formula: ts_corr(pct_chg, mkt('000300', 'pct'), 20)"
  const screen = await call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', factor, 5, 5) })
  expect(screen).toMatchObject({ status: 400, msg: expect.stringContaining('000300') })
  expect(await call(api, user, 'POST', `${cb}/binning`, binning('cb', { factor }))).toMatchObject({
    status: 400,
    msg: expect.stringContaining('000300'),
  })
})

const rule = () => request('cb', { start: '2022-02-01', end: '2022-12-30' })

test('a quick run is neither stored nor counted, and aborted by the next', async () => {
  const ask = (body: object) => call<QuickBacktestResult>(api, user, 'POST', `${cb}/quick-backtest`, body)
  const { status, data } = await ask(rule())
  expect(status).toBe(200)
  expect(QuickBacktestResult.safeParse(data).error?.issues ?? []).toEqual([])
  const { data: history } = await get<{ total: number }>('/v1/quant/backtest/list')
  expect(history.total).toBe(0)
  expect(await ask({ ...rule(), settings: { ...rule().settings, benchmark: 'nobody' } })).toMatchObject({ status: 400, code: 23001 })
  // Of several at once the one that came last is answered; those before it are answered too, or told that it came.
  const answers = await Promise.all(
    [0, 1, 2, 3].map((buy_rate) => ask({ ...rule(), settings: { ...rule().settings, cost: { buy_rate: buy_rate / 1000, sell_rate: 0 } } })),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status, code } of answers) expect([`200 0`, `409 23024`]).toContain(`${status} ${code}`)
})

test('a grid has every cell, its luck threshold and its trials; too many cells or no numbers are rejected', async () => {
  const path = `${cb}/grid-backtest`
  const holding = { path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [3, 5, 8] }
  const cost = { path: 'settings.cost.buy_rate', label: '买入费率', values: [0, 0.002] }
  const ask = (axes: object[], who = user) =>
    call<GridResult>(api, who, 'POST', path, { ...rule(), axes, oos: { type: 'ratio', value: 0.2 } })
  const { status, data } = await ask([holding, cost])
  expect(status).toBe(200)
  expect(GridResult.safeParse(data).error?.issues ?? []).toEqual([])
  expect(data).toMatchObject({ done: 6, total: 6, partial: false, robustness: { trials: 6 } })
  const kept = await database.db.selectFrom('grid_trial').select(['cells']).where('user_id', '=', user.id).execute()
  expect(kept).toEqual([{ cells: 6 }])
  const sized = (count: number) => ({ ...cost, values: Array.from({ length: count }, (_, k) => k / 200_000) })
  const { rows } = await sql<{ used: number }>`select used from quota_use where user_id = ${user.id} and item = 'grid'`.execute(database.db)
  expect(rows).toEqual([{ used: 1 }])
  for (const [axes, code, text] of [
    [[sized(201)], 21001, '网格组合数超过 200 组需要开通会员（最多 2,000 组），当前 201 组'],
    [[sized(2_000), holding], 40000, '2000'],
    [[holding, holding], 40000, '重复'],
    [[{ ...holding, path: 'settings.benchmark' }], 40000, '不是请求里的数字'],
    [[{ ...holding, values: [5, -3] }], 40000, '-3'],
    [[{ ...holding, path: 'parameters.__proto__.x' }], 40000, ''],
  ] as const) {
    expect(await ask([...axes])).toMatchObject({ code, msg: expect.stringContaining(text) })
  }
})

// The last: nobody answers after it.
test('without a worker a screen says that the service is busy', async () => {
  await worker.kill()
  const ask = await call(api, user, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', 'dblow', 6, 5) })
  expect(ask).toMatchObject({ status: 503, code: 50301 })
})
