import type {
  CustomizedFactor,
  FactorMeta,
  GroupDetail,
  GroupListItem,
  Parameters,
  Report,
  StrategyDetail,
  StrategyListItem,
  StrategySummary,
  Tracking,
} from '@convexa/contract'
import { engineVersion, usualRules } from '@convexa/engine'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { throwApiError } from '../../src/base/api-error.ts'
import { remoteCompute } from '../../src/compute/remote.ts'
import { followAll } from '../../src/strategy/daily.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser, openStream } from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// Glances of saved strategies, computed by a real worker, and the answers that are made of them.

const cb = '/v1/quant/convertible-bond'
const days = { from: '2020-01-02', to: '2022-12-30' }
const upTo = (to: string, seed = 1) => ({ kind: 'cb', from: days.from, to, securities: 40, seed }) as const
const { database, dataDir, api } = await testSite({ markets: [upTo(days.to)] })
const publish = (to: string, seed?: number) => publishSmallMarket(database.db, dataDir, upTo(to, seed))
const user = await newUser(database.db)

let count = 0
const save = async (detail: Parameters, over: object = {}): Promise<string> => {
  const body = { strategy_name: `策略${++count}`, detail, ...over }
  return (await call<{ id: string }>(api, user, 'POST', `${cb}/strategy`, body)).data.id
}
const refresh = (id: string, body?: object) => call<StrategySummary>(api, user, 'PUT', `${cb}/strategy/${id}/glance`, body)
const listed = async (id: string) =>
  (await call<{ list_items: StrategyListItem[] }>(api, user, 'GET', `${cb}/strategy/list`)).data.list_items.find((one) => one.id === id)!

describe('a strategy summary', () => {
  const rule = parameters('cb', 'dblow', 5, 5)
  const { settings } = request('cb', { start: '2021-03-01', end: '2022-06-30' })
  let id: string

  test('equals a run over the last three years of the data with the strategy’s settings', async () => {
    id = await save(rule, { settings })
    const { status, data: glance } = await refresh(id)
    expect(status).toBe(200)
    const body = { parameters: rule, settings: { ...settings, start_date: days.from, end_date: days.to }, strategy_id: id }
    const last = await openStream(api, user, `${cb}/advanced-backtest`, body).ended
    if (last.kind !== 'event') throw new Error(JSON.stringify(last))
    const run = String(last.event['backtest_id'])
    const { data: report } = await call<Report>(api, user, 'GET', `${cb}/backtest/${run}/detail/report`)
    const { dates, nav } = report.curves as { dates: string[]; nav: number[] }
    const end = nav.length - 1
    const year = dates.findLastIndex((date) => date <= '2021-12-30')
    expect(glance).toMatchObject({ as_of: days.to, data_mode: 'demo', stale: false, call_risk: [] })
    expect(glance.ret_1d).toBeCloseTo(nav[end]! / nav[end - 1]! - 1, 6)
    expect(glance.ret_20d).toBeCloseTo(nav[end]! / nav[end - 20]! - 1, 6)
    expect(glance.ret_1y).toBeCloseTo(nav[end]! / nav[year]! - 1, 6)
    expect(glance.sparkline).toHaveLength(60)
    expect(glance.sparkline_dates).toHaveLength(60)
    expect(glance.sparkline_dates?.at(-1)).toBe(glance.as_of)
    expect(glance.sparkline.at(-1)).toBeCloseTo(nav[end]!, 6)
    // Listed against what the run held the day before.
    const held = report.holdings.days.at(-2)!.code_index.map((i) => report.holdings.codes[i])
    const list = glance.list_items.map(({ code }) => code)
    expect(list).toHaveLength(5)
    expect(glance.diff.added.map(({ code }) => code)).toEqual(list.filter((code) => !held.includes(code)))
    expect(glance.diff.removed.map(({ code }) => code).sort()).toEqual(held.filter((code) => !list.includes(code!)).sort())
    expect(glance.list_items.map(({ weight }) => weight)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2])
    expect((await listed(id)).glance).toMatchObject({ ...glance, backtest_id: run })
    expect((await listed(id)).backtest_count).toBe(1)
  })

  test('is not computed again for the same rule, data and engine', async () => {
    const before = (await listed(id)).glance
    await sql`update strategy set glance_at = glance_at - interval '1 hour' where id = ${id}`.execute(database.db)
    const { data } = await refresh(id, {})
    expect(data.computed_at < before!.computed_at).toBe(true)
    expect({ ...data, computed_at: '' }).toEqual({ ...before, computed_at: '' })
  })

  test('is stale after a change of rule or data until it is refreshed', async () => {
    await call(api, user, 'PUT', `${cb}/strategy/${id}`, { detail: parameters('cb', 'dblow', 3, 5), base_version: 1 })
    expect((await listed(id)).glance?.stale).toBe(true)
    expect((await refresh(id)).data).toMatchObject({ stale: false, list_items: { length: 3 } })
    await publish('2023-01-06')
    expect((await listed(id)).glance).toMatchObject({ stale: true, as_of: '2022-12-30' })
    expect((await refresh(id)).data).toMatchObject({ stale: false, as_of: '2023-01-06' })
  })

  test('of a strategy saved without settings uses the default ones', async () => {
    const { status, data } = await refresh(await save(parameters('cb', 'close', 4, 1)))
    expect({ status, data }).toMatchObject({ status: 200, data: { as_of: '2023-01-06', list_items: { length: 4 } } })
  })

  test('uses the weights of the rule', async () => {
    const byPlace = { ...rule, hold_method: { ...rule.hold_method, hold_range_end: 4, hold_weight_type: 2 as const } }
    const { data } = await refresh(await save(byPlace))
    expect(data.list_items.map(({ weight }) => weight)).toEqual([0.4, 0.3, 0.2, 0.1])
  })

  test.each<[string, object, number, number]>([
    ['a range that ends before it begins', { start_date: '2022-02-01', end_date: '2022-01-04' }, 400, 21007],
    ['a range beyond the data', { start_date: '2010-01-04' }, 400, 21007],
    ['a fill that the data lack', { fill: 'next_vwap' }, 400, 23001],
  ])('with %s is refused, and what was kept stays', async (_name, over, status, code) => {
    const before = (await listed(id)).glance
    expect(await refresh(id, { settings: { ...settings, ...over } })).toMatchObject({ status, code })
    expect((await listed(id)).glance).toEqual(before)
  })

  test('is computed once for eight concurrent refreshes', async () => {
    const fresh = await save(parameters('cb', 'close', 6, 2))
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(fresh)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ data }) => data.ret_1y)).size).toBe(1)
  })

  test('says so when its market has no data', async () => {
    const stock = await call<{ id: string }>(api, user, 'POST', '/v1/quant/stock/strategy', {
      strategy_name: '股票',
      detail: parameters('stk', 'close', 5, 1),
    })
    expect(await call(api, user, 'PUT', `/v1/quant/stock/strategy/${stock.data.id}/glance`)).toMatchObject({ status: 503, code: 21008 })
  })
})

test('a custom factor has the number of strategies that use it', async () => {
  const factor = { factor_name: '两倍', formula: 'close * 2' }
  const { data: own } = await call<CustomizedFactor>(api, user, 'POST', `${cb}/customized-factors`, factor)
  const used = async () => (await call<FactorMeta[]>(api, user, 'GET', `${cb}/factors/custom`)).data.map(({ used_by }) => used_by)
  expect(await used()).toEqual([0])
  const id = await save(parameters('cb', `formula: ${own.factor_key} + 1`, 3, 5))
  expect(await used()).toEqual([1])
  // The glance is of the formula that it is now.
  const before = (await refresh(id)).data.list_items
  await call(api, user, 'PUT', `${cb}/customized-factors/${own.id}`, { ...factor, formula: '0 - close' })
  expect((await refresh(id)).data.list_items).not.toEqual(before)
})

test('a group is made of the summaries of its members', async () => {
  const members = [await save(parameters('cb', 'dblow', 5, 5)), await save(parameters('cb', 'close', 5, 5))]
  const group = await call<{ id: string }>(api, user, 'POST', `${cb}/strategy/group`, {
    group_name: '两条腿',
    members: members.map((strategy_id, i) => ({ strategy_id, weight: [0.6, 0.4][i] })),
    rebalance: 'monthly',
    duplicate: 'merge',
  })
  const read = async () => (await call<GroupDetail>(api, user, 'GET', `${cb}/strategy/group/detail/${group.data.id}`)).data
  await refresh(members[0]!)
  expect(await read()).toMatchObject({
    glance: null,
    combined_list: { length: 5 },
    correlation: [
      [1, null],
      [null, 1],
    ],
  })
  await refresh(members[1]!)
  const { glance, combined_list: combined, correlation, members: told } = await read()
  expect(combined.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
  expect(combined.length).toBe(new Set(combined.map(({ code }) => code)).size)
  expect(combined.filter(({ from }) => from.length === 2).every(({ weight }) => Math.abs(weight - 0.2) < 1e-12)).toBe(true)
  expect(correlation[0]![1]).toBeCloseTo(correlation[1]![0]!, 12)
  expect(Math.abs(correlation[0]![1]!)).toBeLessThan(1)
  expect(told.map(({ correlation: own }) => own! > correlation[0]![1]!)).toEqual([true, true])
  const { data } = await call<{ list_items: GroupListItem[] }>(api, user, 'GET', `${cb}/strategy/group/list`)
  expect(data.list_items[0]?.glance).toEqual(glance)
  expect(glance).toMatchObject({ as_of: '2023-01-06', securities: combined.length })
})

test('a strategy lists others with similar holdings', async () => {
  const [own, near, apart] = [
    await save(parameters('cb', 'conv_prem', 5, 5)),
    await save(parameters('cb', 'conv_prem', 4, 5)),
    await save(parameters('cb', 'formula: 0 - conv_prem', 5, 5)),
  ]
  const read = async () => (await call<StrategyDetail>(api, user, 'GET', `${cb}/strategy/detail/${own}`)).data
  expect((await read()).similar).toEqual([])
  for (const id of [own, near, apart]) await refresh(id)
  const { similar } = await read()
  // Four of five on every day.
  expect(similar[0]).toMatchObject({ strategy_id: near, overlap: expect.closeTo(0.8, 9), days: 244 })
  expect(similar[0]!.correlation).toBeGreaterThan(0.8)
  expect(similar.map(({ strategy_id }) => strategy_id)).not.toContain(apart)
  const stranger = await newUser(database.db)
  expect(await call(api, stranger, 'GET', `${cb}/strategy/detail/${own}`)).toMatchObject({ status: 404 })
})

test('the record of a strategy since it was saved is not changed by later data', async () => {
  const id = await save(parameters('cb', 'close', 3, 2))
  const tracking = async () => (await call<Tracking>(api, user, 'GET', `${cb}/strategy/${id}/tracking`)).data
  // Saved after the data's last day: nothing to follow yet.
  await refresh(id)
  expect(await tracking()).toMatchObject({ version: 1, dates: [], days: [] })
  await sql`update strategy_version set created_at = '2022-12-26T10:00:00+08:00' where strategy_id = ${id}`.execute(database.db)
  await sql`update strategy set glance_key = null where id = ${id}`.execute(database.db)
  await refresh(id)
  const first = await tracking()
  // The market beside it, from its close of the first day on.
  expect(first.market).toMatchObject({ label: '可转债等权', nav: expect.arrayContaining([1]) })
  expect(first.market!.nav).toHaveLength(first.dates.length)
  expect(first.dates[0]).toBe('2022-12-26')
  expect(first.dates.at(-1)).toBe('2023-01-06')
  expect(first.now).toEqual(first.nav)
  expect(first.days.map(({ on_time }) => on_time)).toEqual(first.dates.map((date) => date === '2023-01-06'))
  expect(first.days[0]).toMatchObject({ codes: { length: 3 }, added: first.days[0]!.codes, removed: [] })
  expect(first.engines).toEqual([{ from: '2022-12-26', version: engineVersion }])
  // As if an engine of before had written the first days.
  await sql`update strategy_day set engine_version = null where strategy_id = ${id} and date < '2022-12-29'`.execute(database.db)
  // Other numbers for all days, and a week more.
  await publish('2023-01-13', 2)
  await refresh(id)
  const later = await tracking()
  const known = first.dates.length
  expect(later.dates.slice(0, known)).toEqual(first.dates)
  expect(later.nav.slice(0, known)).toEqual(first.nav)
  expect(later.days.slice(0, known)).toEqual(first.days)
  expect(later.now).not.toEqual(later.nav)
  expect(later.days.at(-1)).toMatchObject({ date: '2023-01-13', on_time: true })
  expect(later.engines).toEqual([
    { from: '2022-12-26', version: null },
    { from: '2022-12-29', version: engineVersion },
  ])
  // Nobody looks, the worker follows: what is behind the data is refreshed, once.
  await publish('2023-01-20', 2)
  const now = () => new Date()
  const deps = { db: database.db, config: { dataDir, tradingRules: usualRules }, now, compute: remoteCompute(database.db) }
  const never = new AbortController().signal
  // A rule that ends the process that computes it holds up itself alone: the round ends, the next one has it last.
  let deadly: string | null = null
  const dying: typeof deps.compute = {
    ...deps.compute,
    call: (name, data, input, options) => {
      deadly ??= JSON.stringify(input)
      return JSON.stringify(input) === deadly ? throwApiError(23020) : deps.compute.call(name, data, input, options)
    },
  }
  await expect(followAll({ ...deps, compute: dying }, never)).rejects.toThrow()
  await expect(followAll({ ...deps, compute: dying }, never)).rejects.toThrow()
  expect((await tracking()).days.at(-1)).toMatchObject({ date: '2023-01-20', on_time: true })
  await publish('2023-01-20', 3)
  expect(await followAll(deps, never)).toBeGreaterThan(5)
  expect((await tracking()).days.at(-1)).toMatchObject({ date: '2023-01-20', on_time: true })
  expect(await followAll(deps, never)).toBe(0)
  // Another rule begins anew.
  await call(api, user, 'PUT', `${cb}/strategy/${id}`, { detail: parameters('cb', 'close', 4, 2), base_version: 1 })
  expect(await tracking()).toMatchObject({ version: 2, dates: [] })
})
