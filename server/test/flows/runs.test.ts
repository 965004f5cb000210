import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BacktestBody, BacktestListItem, DayDetail, Page, Parameters, Report, SharedReport, StrategyOptions } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shanghaiDay } from '../../src/quant/run-state.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { type Api, call, newUser, openStream, type Process, startApiProcess, startWorkerProcess, until } from '../processes.ts'
import { request, slowRequest } from '../requests.ts'
import { eventsOf, statusOf } from '../run-rows.ts'
import { publishSmallMarket } from '../small-market.ts'

// A user's runs over HTTP: one api and one worker as real processes.

let database: TestDatabase
let dataDir: string
let api: Api
let worker: Process

const start = '2019-01-02'
const end = '2022-12-30'
const path = '/v1/quant/convertible-bond/advanced-backtest'
const detail = (id: string, day: string) => `/v1/quant/convertible-bond/backtest/${id}/detail/${day}`
const files = ['bonds.parquet', 'tushare/bond-day/2022-12-29', 'tushare/bond-list/2022-12-30']
const quick = (note?: string) => request('cb', { factor: 'dblow', start, end, ...(note !== undefined && { note }) })
let slowCount = 0
const slow = () => slowRequest('cb', { start, end, weight: ++slowCount })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-runs-'))
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  ;[api, worker] = await Promise.all([startApiProcess(env), startWorkerProcess(env, database.db)])
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: start, to: end, securities: 300, files })
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: start, to: end, securities: 30 })
})

afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a run is queued, computed, told, stored, and can be read as soon as its result is told', async () => {
  const user = await newUser(database.db)
  const stream = openStream(api, user, path, quick('第一次'))
  const last = await stream.ended
  const events = stream.told.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  expect(events[0]).toMatchObject({ type: 'queued', position: 1 })
  expect(events.filter(({ type }) => type === 'stage').map(({ stage }) => stage)).toEqual(['load', 'factors', 'simulate', 'report'])
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(new Set(events.map(({ run_id }) => run_id)).size).toBe(1)
  const percents = events.filter(({ type }) => type === 'progress').map(({ percent }) => Number(percent))
  expect(percents).toEqual([...percents].sort((a, b) => a - b))
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const id = String(last.event['backtest_id'])

  const { data: report } = await call<Report>(api, user, 'GET', detail(id, 'report'))
  const told = { data_mode: 'demo', data_sources: ['bonds.parquet', 'Tushare Pro'] }
  expect(report).toMatchObject({ backtest_id: id, kind: 'cb', note: '第一次', partial: false, ...told })
  expect(last.event).toMatchObject({ metrics: report.metrics, params_hash: report.params_hash, data_version: report.data_version })
  const curve = events.filter(({ type }) => type === 'curve').flatMap(({ dates }) => dates as string[])
  expect(curve).toEqual(report.curves.dates)

  const { data: day } = await call<DayDetail>(api, user, 'GET', detail(id, '2020-06-01'))
  expect(day.trade_date).toBe('2020-06-01')
  expect(day.positions).toHaveLength(5)
  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(list.list_items).toMatchObject([{ backtest_id: id, status: 2, trial_no: 1, note: '第一次', metrics: report.metrics, ...told }])
})

test('a result whose commit fails is never told', async () => {
  await sql`create function full_disk() returns trigger language plpgsql as $$
    begin
      if exists (select from backtest_run where id = new.run_id and note = '存不下') then raise exception 'not stored'; end if;
      return null;
    end $$`.execute(database.db)
  await sql`create constraint trigger full_disk after insert on run_report deferrable initially deferred
    for each row execute function full_disk()`.execute(database.db)
  const user = await newUser(database.db)
  const last = await openStream(api, user, path, quick('存不下')).ended
  expect(last).toMatchObject({ kind: 'error', code: 23023 })
  const { data } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(data.list_items.map(({ metrics }) => metrics)).toEqual([null])
})

test('a report is shared whole, but for what is its owner’s', async () => {
  const user = await newUser(database.db)
  const { data: saved } = await call<{ id: string }>(api, user, 'POST', '/v1/quant/convertible-bond/strategy', {
    strategy_name: '双低五只',
    detail: quick().parameters,
  })
  const last = await openStream(api, user, path, { ...quick('自己的备注'), strategy_id: saved.id }).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const id = String(last.event['backtest_id'])
  const { data: report } = await call<Report>(api, user, 'GET', detail(id, 'report'))
  expect(report).toMatchObject({ backtest_id: id, strategy_id: saved.id, name: '双低五只', note: '自己的备注' })
  const { data: link } = await call<{ token: string }>(api, user, 'POST', '/v1/quant/share', { backtest_id: id, ttl_days: 1 })
  const read = await (await fetch(`${api.address}/v1/quant/share/${link.token}`)).json()
  const { backtest_id: _id, strategy_id: _strategy, note: _note, ...given } = report
  const { shared, ...rest } = (read as { data: SharedReport }).data
  expect(rest).toEqual(given)
  expect(shared).toMatchObject({ data_version: report.data_version, engine_version: report.engine_version })
  const foreign = openStream(api, await newUser(database.db), path, { ...quick(), strategy_id: saved.id })
  expect(await foreign.ended).toMatchObject({ kind: 'error', code: 40004 })
})

test('a group is run whole: its value is the sum of its members’, put back to their shares or not', async () => {
  const user = await newUser(database.db)
  const at = '/v1/quant/convertible-bond/strategy'
  const rules = [request('cb', { factor: 'dblow', start, end }).parameters, request('cb', { factor: 'close', start, end }).parameters]
  const members: { strategy_id: string; weight: number }[] = []
  for (const [i, detail] of rules.entries()) {
    const { data } = await call<{ id: string }>(api, user, 'POST', at, { strategy_name: `成员${i}`, detail })
    members.push({ strategy_id: data.id, weight: [0.75, 0.25][i]! })
  }
  const group = { group_name: '一主一辅', members, rebalance: 'never', duplicate: 'merge' }
  const { data } = await call<{ id: string }>(api, user, 'POST', `${at}/group`, group)
  const { settings } = quick()
  const run = async (note: string): Promise<Report> => {
    const stream = openStream(api, user, path, { group_id: data.id, settings, note })
    const last = await stream.ended
    if (last.kind !== 'event') throw new Error(JSON.stringify(last))
    const { data: report } = await call<Report>(api, user, 'GET', detail(String(last.event['backtest_id']), 'report'))
    const curves = stream.told.flatMap((one) => (one.kind === 'event' && one.event.type === 'curve' ? [one.event] : []))
    // Only a run that was known before is told without its curve.
    if (curves.length === 0) expect(note).toBe('每月')
    else {
      const told = curves.flatMap(({ nav }) => nav as number[])
      expect(told).toHaveLength(report.curves.nav.length)
      for (const [day, value] of told.entries()) expect(value).toBeCloseTo(report.curves.nav[day]!, 12)
    }
    return report
  }
  const alone: Report[] = []
  for (const parameters of rules) {
    const last = await openStream(api, user, path, { parameters, settings }).ended
    if (last.kind !== 'event') throw new Error(JSON.stringify(last))
    alone.push((await call<Report>(api, user, 'GET', detail(String(last.event['backtest_id']), 'report'))).data)
  }
  const never = await run('不再平衡')
  expect(never).toMatchObject({
    name: '一主一辅',
    note: '不再平衡',
    group_id: data.id,
    group: {
      rebalance: 'never',
      members: [
        { name: '成员0', weight: 0.75 },
        { name: '成员1', weight: 0.25 },
      ],
    },
  })
  expect(never).not.toHaveProperty('parameters')
  const sum = alone[0]!.curves.nav.map((value, day) => 0.75 * value! + 0.25 * alone[1]!.curves.nav[day]!)
  for (const [day, value] of never.curves.nav.entries()) expect(value).toBeCloseTo(sum[day]!, 9)
  expect(never.contributions.reduce((total, { share }) => total + share, 0)).toBeCloseTo(never.metrics.total_return!, 9)
  expect((await call<DayDetail>(api, user, 'GET', detail(never.backtest_id, '2020-06-01'))).data.nav).toBeCloseTo(
    sum[never.curves.dates.indexOf('2020-06-01')]!,
    9,
  )

  await call(api, user, 'PUT', `${at}/group/${data.id}`, { ...group, rebalance: 'monthly' })
  const monthly = await run('每月')
  expect(monthly.params_hash).not.toBe(never.params_hash)
  // By hand: parts follow their members and are put back when the month is another.
  let parts = [0.75, 0.25]
  let before = 1
  monthly.curves.dates.forEach((date, day) => {
    if (day > 0 && date.slice(0, 7) !== monthly.curves.dates[day - 1]!.slice(0, 7)) parts = [0.75 * before, 0.25 * before]
    parts = parts.map((part, k) => part * (alone[k]!.curves.nav[day]! / (day === 0 ? 1 : alone[k]!.curves.nav[day - 1]!)))
    before = parts[0]! + parts[1]!
    expect(monthly.curves.nav[day]).toBeCloseTo(before, 9)
  })
  const gained = monthly.daily_contribution.days.flatMap(({ value }) => value).reduce((total, value) => total + value, 0)
  expect(gained).toBeCloseTo(monthly.metrics.total_return!, 6)

  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', `/v1/quant/backtest/list?group_id=${data.id}`)
  expect(list.list_items.map(({ group_name, strategy_id }) => [group_name, strategy_id])).toEqual([
    ['一主一辅', null],
    ['一主一辅', null],
  ])
  // The same again is known; somebody else's group is missing; both at once is no request.
  expect((await run('每月')).backtest_id).toBe(monthly.backtest_id)
  const foreign = await openStream(api, await newUser(database.db), path, { group_id: data.id, settings }).ended
  expect(foreign).toMatchObject({ kind: 'error', code: 40004 })
  const both = await call(api, user, 'POST', path, { ...quick(), group_id: data.id })
  expect(both).toMatchObject({ status: 400, code: 40000 })
})

test('the report is the same text, packed for whoever takes gzip and plain for the others', async () => {
  const user = await newUser(database.db)
  const last = await openStream(api, user, path, quick()).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const url = `${api.address}${detail(String(last.event['backtest_id']), 'report')}`
  const read = async (accepted: string) => {
    const answer = await fetch(url, { headers: { 'access-token': user.token, 'accept-encoding': accepted } })
    const { request_id: _own, ...rest } = (await answer.json()) as { request_id: string; data: Report }
    return { encoding: answer.headers.get('content-encoding'), vary: answer.headers.get('vary'), rest }
  }
  const plain = await read('identity')
  expect(plain).toMatchObject({ encoding: null, vary: 'accept-encoding', rest: { code: 0, msg: '成功', data: { kind: 'cb' } } })
  expect(await read('br, gzip;q=0')).toEqual(plain)
  for (const accepted of ['gzip', 'deflate, gzip;q=0.5', '*']) expect(await read(accepted)).toEqual({ ...plain, encoding: 'gzip' })
})

test('what is not a day of the run, and whose run it is not, is missing', async () => {
  const [user, other] = [await newUser(database.db), await newUser(database.db)]
  const last = await openStream(api, user, path, quick()).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const id = String(last.event['backtest_id'])
  const missing = async (of: typeof user, path: string) => {
    const { status, code, data } = await call(api, of, 'GET', path)
    expect({ path, status, code, data }).toEqual({ path, status: 404, code: 40004, data: null })
  }
  for (const day of ['2020-06-06', '2018-12-28', '2023-01-03', '2020-13-01', 'nonsense']) await missing(user, detail(id, day))
  for (const day of ['report', '2020-06-01']) await missing(other, detail(id, day))
  await missing(user, `/v1/quant/stock/backtest/${id}/detail/report`)
  await missing(user, detail('0198c0de-0000-7000-8000-000000000000', 'report'))
  expect((await call<Page<BacktestListItem>>(api, other, 'GET', '/v1/quant/backtest/list')).data.list_items).toEqual([])
})

test('the same request once more is answered from the history, and costs no quota', async () => {
  const user = await newUser(database.db)
  const first = await openStream(api, user, path, quick()).ended
  const second = await openStream(api, user, path, quick()).ended
  if (first.kind !== 'event' || second.kind !== 'event') throw new Error('no result')
  expect(second.event['backtest_id']).toBe(first.event['backtest_id'])
  const third = await openStream(api, user, path, quick('换个备注')).ended
  if (third.kind !== 'event') throw new Error('no result')
  expect(third.event['backtest_id']).not.toBe(first.event['backtest_id'])
  expect(third.event['params_hash']).toBe(first.event['params_hash'])
  const [a, b] = await Promise.all(
    [first, third].map(async ({ event }) => (await call<Report>(api, user, 'GET', detail(String(event['backtest_id']), 'report'))).data),
  )
  const { backtest_id: _a, note: _b, created_at: _c, ...same } = a!
  expect(b).toMatchObject(same)
  expect(await used(user.id)).toBe(2)
})

test('two clicks with one client_run_id are one run', async () => {
  const user = await newUser(database.db)
  const body = { ...slow(), client_run_id: 'click-1' }
  const streams = [openStream(api, user, path, body), openStream(api, user, path, body)]
  const [first, second] = await Promise.all(streams.map((stream) => stream.first('queued')))
  expect(first!['run_id']).toBe(second!['run_id'])
  expect(await used(user.id)).toBe(1)
  for (const stream of streams) stream.close()
  await until(async () => (await statusOf(database.db, String(first!['run_id']))) === 4, 'the run is cancelled')
})

test.each<[string, Partial<BacktestBody> | ((body: BacktestBody) => BacktestBody), number]>([
  ['a formula that cannot be read', (body) => withFactor(body, 'formula: close +'), 22002],
  ['an unknown factor', (body) => withFactor(body, 'wonder'), 22009],
  ['dates before the data', (body) => withSettings(body, { start_date: '2001-01-02' }), 21007],
  ['an end before the start', (body) => withSettings(body, { start_date: end, end_date: start }), 21007],
  ['a benchmark that is not loaded', (body) => withSettings(body, { benchmark: '000905' }), 23001],
  ['a schedule that is none', (body) => withParameters(body, { rebalance_method: { rebalance_type: 1, rebalance_value: 6 } }), 23001],
  [
    'a percentile beyond 1',
    (body) =>
      withParameters(body, {
        filter_factors: [{ factor_key: 'close', action: 'exclude', operation: 'gt_rank', value: 2, enable: true }],
      }),
    23001,
  ],
  [
    'a holding that ends before it starts',
    (body) => withParameters(body, { hold_method: { ...body.parameters.hold_method, hold_range_start: 5, hold_range_end: 1 } }),
    23001,
  ],
  [
    'a factor that costs what a member may and a free user may not',
    (body) => withParameters(withFactor(body, dear(4)), { rebalance_method: { rebalance_type: 0, rebalance_value: 1 } }),
    21001,
  ],
  [
    'a factor that costs more than anybody may',
    (body) => withParameters(withFactor(body, dear(15)), { rebalance_method: { rebalance_type: 0, rebalance_value: 1 } }),
    22005,
  ],
])('%s is one error line after HTTP 200, and costs no quota', async (_name, change, code) => {
  const user = await newUser(database.db)
  const body = typeof change === 'function' ? change(quick()) : { ...quick(), ...change }
  const stream = openStream(api, user, path, body)
  expect(await stream.ended).toMatchObject({ kind: 'error', code })
  expect(stream.told).toHaveLength(1)
  expect(await used(user.id)).toBe(0)
})

test('what only the engine finds wrong is paid back', async () => {
  const user = await newUser(database.db)
  // The first trading day of the range cannot be out of sample.
  const stream = openStream(api, user, path, withSettings(quick(), { start_date: '2020-01-01', oos_start: '2020-01-02' }))
  expect(await stream.ended).toMatchObject({ kind: 'error', code: 23001 })
  expect(stream.told.length).toBeGreaterThan(1)
  expect(await used(user.id)).toBe(0)
})

test('a result that the store refuses in the middle is one error line: nothing half-written, and paid back', async () => {
  const user = await newUser(database.db)
  // The report goes in before the days: it must not stay.
  await sql`alter table run_days add constraint disk_full check (first_date > '9999-01-01') not valid`.execute(database.db)
  try {
    const stream = openStream(api, user, path, quick('写到一半'))
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23023, message: '结果保存失败，请重试' })
  } finally {
    await sql`alter table run_days drop constraint disk_full`.execute(database.db)
  }
  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(list.list_items).toMatchObject([{ status: 3, metrics: null }])
  const reports = database.db
    .selectFrom('run_report as r')
    .innerJoin('backtest_run as b', 'b.id', 'r.run_id')
    .where('b.user_id', '=', user.id)
  expect(await reports.select('r.run_id').execute()).toEqual([])
  expect(await used(user.id)).toBe(0)
  const again = await openStream(api, user, path, quick('写到一半')).ended
  expect(again.kind, JSON.stringify(again)).toBe('event')
})

test('the same click with another request is told so, and joins nothing', async () => {
  const user = await newUser(database.db)
  const click = { client_run_id: 'click-2' }
  const first = await openStream(api, user, path, { ...quick(), ...click }).ended
  if (first.kind !== 'event') throw new Error(JSON.stringify(first))
  const again = await openStream(api, user, path, { ...quick(), ...click }).ended
  expect(again).toMatchObject({ kind: 'event', event: { backtest_id: first.event['backtest_id'] } })
  const other = openStream(api, user, path, { ...withFactor(quick(), 'close'), ...click })
  expect(await other.ended).toMatchObject({ kind: 'error', code: 40009 })
  expect(other.told).toHaveLength(1)
  expect(await used(user.id)).toBe(1)
})

test('the demo account has the limits of a member', async () => {
  const user = await newUser(database.db)
  await database.db.updateTable('app_user').set({ is_demo: true }).where('id', '=', user.id).execute()
  await database.db.insertInto('quota_use').values({ user_id: user.id, day: shanghaiDay(), item: 'backtest', used: 20 }).execute()
  const streams = [slow(), slow()].map((body) => openStream(api, user, path, body))
  await until(async () => (await computing(user.id)) === 2, 'two are computed at once')
  for (const stream of streams) stream.close()
  await until(async () => (await open(user.id)) === 0, 'both are cancelled')
  const { data } = await call<StrategyOptions>(api, user, 'GET', '/v1/quant/strategy/options')
  expect(data.limits).toMatchObject({ runs_at_once: 2, daily: { backtest: { used: 22, max: 200 } } })
})

test('no login is HTTP 401, a body against the schema HTTP 400', async () => {
  const user = await newUser(database.db)
  expect(await call(api, { id: '', token: 'x' }, 'POST', path, quick())).toMatchObject({ status: 401, code: 40100 })
  expect(await call(api, user, 'POST', path, { parameters: {} })).toMatchObject({ status: 400, code: 40000 })
})

test('closing the socket cancels the run within a second and frees its place', async () => {
  const user = await newUser(database.db)
  const stream = openStream(api, user, path, slow())
  const { run_id: id } = await stream.first('stage')
  const next = openStream(api, user, path, quick('等待的'))
  await next.first('queued')
  expect(await statusOf(database.db, String(id))).toBe(1)
  const since = performance.now()
  stream.close()
  await until(async () => (await statusOf(database.db, String(id))) === 4, 'the run is cancelled')
  expect(performance.now() - since).toBeLessThan(1_000)
  const ended = await next.ended
  expect(ended, JSON.stringify(ended)).toMatchObject({ kind: 'event', event: { type: 'result' } })
  expect(await eventsOf(database.db, String(id))).toContainEqual(expect.objectContaining({ type: 'error', code: 23024 }))
  // A cancel is the user's wish: it stays counted.
  expect(await used(user.id)).toBe(2)
})

test('a free user computes one run, three wait with their places, the fifth is refused', async () => {
  const user = await newUser(database.db)
  const streams = Array.from({ length: 4 }, () => openStream(api, user, path, slow()))
  await Promise.all(streams.map((stream) => stream.first('queued')))
  expect(await openStream(api, user, path, quick()).ended).toMatchObject({
    kind: 'error',
    code: 23002,
    message: '等待中的回测已满，请等待完成；会员可提升额度（同时运行的回测 2 个）',
  })
  await until(async () => (await computing(user.id)) === 1, 'one is computed')
  // Another user does not wait for these.
  expect(await openStream(api, await newUser(database.db), path, quick()).ended).toMatchObject({ kind: 'event', event: { type: 'result' } })
  expect(await computing(user.id)).toBe(1)
  for (const stream of streams) stream.close()
  await until(async () => (await open(user.id)) === 0, 'all are cancelled')
})

test('the queue of the whole installation holds twenty', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => newUser(database.db)))
  const streams = users.flatMap((user) => [1, 2, 3].map(() => openStream(api, user, path, slow())))
  const first = await Promise.all(streams.map((stream) => Promise.race([stream.first('queued').catch(() => 'refused'), stream.ended])))
  expect(first.filter((one) => one === 'refused' || (typeof one === 'object' && one['kind'] === 'error')).length).toBeGreaterThan(0)
  const codes = streams.flatMap(({ told }) => told).flatMap((one) => (one.kind === 'error' ? [one.code] : []))
  expect(new Set(codes)).toEqual(new Set([23003]))
  for (const stream of streams) stream.close()
  for (const { id } of users) await until(async () => (await open(id)) === 0, 'all are cancelled')
})

test('fifty starts at once with one left of the day: exactly one run', async () => {
  const user = await newUser(database.db)
  await database.db.insertInto('quota_use').values({ user_id: user.id, day: shanghaiDay(), item: 'backtest', used: 19 }).execute()
  const bodies = Array.from({ length: 50 }, (_, i) => quick(`第 ${i} 个`))
  // Ten streams of one user may be open at once.
  const told: Awaited<ReturnType<typeof openStream>['ended']>[] = []
  for (let i = 0; i < bodies.length; i += 10) {
    told.push(...(await Promise.all(bodies.slice(i, i + 10).map((body) => openStream(api, user, path, body).ended))))
  }
  expect(told.filter((one) => one.kind === 'event')).toHaveLength(1)
  expect(new Set(told.flatMap((one) => (one.kind === 'error' ? [one.code] : [])))).toEqual(new Set([21002]))
  expect(await used(user.id)).toBe(20)
})

function withFactor(body: BacktestBody, factor_key: string): BacktestBody {
  const [row] = body.parameters.rank_factors
  return { ...body, parameters: { ...body.parameters, rank_factors: [{ ...row!, factor_key }] } }
}

/** Reads two thousand values for one: with every security on every day too much for a free plan. */
const dear = (terms: number) => `formula: ${Array.from({ length: terms }, (_, i) => `ts_rank(close, ${500 - i})`).join(' + ')}`

const withParameters = (body: BacktestBody, over: Partial<Parameters>): BacktestBody => ({
  ...body,
  parameters: { ...body.parameters, ...over },
})

function withSettings(body: BacktestBody, over: Partial<BacktestBody['settings']>): BacktestBody {
  return { ...body, settings: { ...body.settings, ...over } }
}

async function used(userId: string): Promise<number> {
  const row = await database.db
    .selectFrom('quota_use')
    .select('used')
    .where('user_id', '=', userId)
    .where('item', '=', 'backtest')
    .executeTakeFirst()
  return row?.used ?? 0
}

async function count(userId: string, statuses: (0 | 1)[]): Promise<number> {
  const runs = database.db.selectFrom('backtest_run').select('id').where('user_id', '=', userId).where('status', 'in', statuses)
  return (await runs.execute()).length
}
const computing = (userId: string) => count(userId, [1])
const open = (userId: string) => count(userId, [0, 1])
