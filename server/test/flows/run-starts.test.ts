import type { BacktestBody, BacktestListItem, Page, Parameters, Report, StrategyOptions } from '@convexa/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { shanghaiDay } from '../../src/base/time.ts'
import { call, newUser, openStream, until } from '../fixtures/processes.ts'
import { request, slowRequest } from '../fixtures/requests.ts'
import { eventsOf, statusOf, usedRuns } from '../fixtures/run-rows.ts'
import { testSite } from '../fixtures/site.ts'

// What a run's start is answered with, over HTTP: from the history, once for two clicks, paid back, refused, one after the other; one api
// and one worker as real processes.

const start = '2019-01-02'
const end = '2022-12-30'
const path = '/v1/quant/convertible-bond/advanced-backtest'
const detail = (id: string, day: string) => `/v1/quant/convertible-bond/backtest/${id}/detail/${day}`
const quick = (note?: string) => request('cb', { factor: 'dblow', start, end, ...(note !== undefined && { note }) })
let slowCount = 0
const slow = () => slowRequest('cb', { start, end, weight: ++slowCount })

const { database, api } = await testSite({
  // Two slots and ten a slot: twenty.
  api: { QUEUE_PER_SLOT: '10' },
  markets: [
    { kind: 'cb', from: start, to: end, securities: 300 },
    { kind: 'stk', from: start, to: end, securities: 30 },
  ],
})

test('a repeated request is answered from the history and uses no quota', async () => {
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
  // A request without a note takes the run under the note that it has; a page notes what was changed, and the second time nothing was.
  const fourth = await openStream(api, user, path, quick()).ended
  expect(fourth).toMatchObject({ kind: 'event', event: { backtest_id: third.event['backtest_id'] } })
  expect(await usedRuns(database.db, user.id)).toBe(2)
})

test('two clicks with one client_run_id are one run', async () => {
  const user = await newUser(database.db)
  const body = { ...slow(), client_run_id: 'click-1' }
  const streams = [openStream(api, user, path, body), openStream(api, user, path, body)]
  const [first, second] = await Promise.all(streams.map((stream) => stream.first('queued')))
  expect(first!['run_id']).toBe(second!['run_id'])
  expect(await usedRuns(database.db, user.id)).toBe(1)
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
  expect(await usedRuns(database.db, user.id)).toBe(0)
})

test('an error found by the engine gives the quota back', async () => {
  const user = await newUser(database.db)
  // The first trading day of the range cannot be out of sample.
  const stream = openStream(api, user, path, withSettings(quick(), { start_date: '2020-01-01', oos_start: '2020-01-02' }))
  expect(await stream.ended).toMatchObject({ kind: 'error', code: 23001 })
  expect(stream.told.length).toBeGreaterThan(1)
  expect(await usedRuns(database.db, user.id)).toBe(0)
})

test('a result that the database rejects is one error line, leaves no rows and gives the quota back', async () => {
  const user = await newUser(database.db)
  await sql`alter table run_core add constraint disk_full check (bytes < 0) not valid`.execute(database.db)
  try {
    const stream = openStream(api, user, path, quick('写到一半'))
    expect(await stream.ended).toMatchObject({ kind: 'error', code: 23023, message: '结果保存失败，请重试' })
  } finally {
    await sql`alter table run_core drop constraint disk_full`.execute(database.db)
  }
  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(list.list_items).toMatchObject([{ status: 3, metrics: null }])
  const reports = database.db
    .selectFrom('run_core as r')
    .innerJoin('backtest_run as b', 'b.id', 'r.run_id')
    .where('b.user_id', '=', user.id)
  expect(await reports.select('r.run_id').execute()).toEqual([])
  expect(await usedRuns(database.db, user.id)).toBe(0)
  const again = await openStream(api, user, path, quick('写到一半')).ended
  expect(again.kind, JSON.stringify(again)).toBe('event')
})

test('a client_run_id with another request is rejected', async () => {
  const user = await newUser(database.db)
  const click = { client_run_id: 'click-2' }
  const first = await openStream(api, user, path, { ...quick(), ...click }).ended
  if (first.kind !== 'event') throw new Error(JSON.stringify(first))
  const again = await openStream(api, user, path, { ...quick(), ...click }).ended
  expect(again).toMatchObject({ kind: 'event', event: { backtest_id: first.event['backtest_id'] } })
  const other = openStream(api, user, path, { ...withFactor(quick(), 'close'), ...click })
  expect(await other.ended).toMatchObject({ kind: 'error', code: 40009 })
  expect(other.told).toHaveLength(1)
  expect(await usedRuns(database.db, user.id)).toBe(1)
})

test('demo guests have the features of a member and share one place among the runs', async () => {
  const guestOf = async (guest_source: string) => {
    const user = await newUser(database.db)
    await database.db.updateTable('app_user').set({ is_demo: true, guest_source }).where('id', '=', user.id).execute()
    return user
  }
  const [school, home] = ['0198c0de-0000-4000-8000-000000000001', '0198c0de-0000-4000-8000-000000000002']
  const [one, classmate, other] = [await guestOf(school), await guestOf(school), await guestOf(home)]
  const opened = [openStream(api, one, path, slow())]
  await until(async () => (await computing(one.id)) === 1, 'the first is computed')
  for (const user of [one, classmate, classmate, classmate]) {
    const stream = openStream(api, user, path, slow())
    await stream.first('queued')
    opened.push(stream)
  }
  expect(await openStream(api, one, path, slow()).ended).toMatchObject({ code: 23002 })
  opened.push(openStream(api, other, path, slow()))
  await opened.at(-1)!.first('queued')
  opened.push(openStream(api, other, path, slow()))
  await opened.at(-1)!.first('queued')
  expect(await openStream(api, other, path, slow()).ended).toMatchObject({ code: 23003 })
  // A member's run is computed beside them.
  const member = await newUser(database.db)
  expect((await openStream(api, member, path, quick()).ended).kind).toBe('event')
  expect(await Promise.all([one, classmate, other].map(({ id }) => computing(id)))).toEqual([1, 0, 0])
  for (const stream of opened) stream.close()
  await until(
    async () => (await Promise.all([one, classmate, other].map(({ id }) => open(id)))).every((count) => count === 0),
    'all are cancelled',
  )
  const { data } = await call<StrategyOptions>(api, one, 'GET', '/v1/quant/strategy/options')
  expect(data.limits).toMatchObject({ runs_at_once: 1, daily: { backtest: { used: 2, max: 200 } } })
})

test('no login is HTTP 401, a body against the schema HTTP 400', async () => {
  const user = await newUser(database.db)
  expect(await call(api, { id: '', token: 'x' }, 'POST', path, quick())).toMatchObject({ status: 401, code: 40100 })
  expect(await call(api, user, 'POST', path, { parameters: {} })).toMatchObject({ status: 400, code: 40000 })
})

test('a closed socket cancels the run and frees its place', async () => {
  const user = await newUser(database.db)
  const stream = openStream(api, user, path, slow())
  const { run_id: id } = await stream.first('stage')
  const next = openStream(api, user, path, quick('等待的'))
  await next.first('queued')
  expect(await statusOf(database.db, String(id))).toBe(1)
  stream.close()
  await until(async () => (await statusOf(database.db, String(id))) === 4, 'the run is cancelled')
  const ended = await next.ended
  expect(ended, JSON.stringify(ended)).toMatchObject({ kind: 'event', event: { type: 'result' } })
  expect(await eventsOf(database.db, String(id))).toContainEqual(expect.objectContaining({ type: 'error', code: 23024 }))
  // A cancel is the user's wish: it stays counted.
  expect(await usedRuns(database.db, user.id)).toBe(2)
})

test('of a free user one run is computed, three wait, the fifth is refused', async () => {
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

test('fifty concurrent starts with one left of the daily quota make one run', async () => {
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
  expect(await usedRuns(database.db, user.id)).toBe(20)
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

async function count(userId: string, statuses: (0 | 1)[]): Promise<number> {
  const runs = database.db.selectFrom('backtest_run').select('id').where('user_id', '=', userId).where('status', 'in', statuses)
  return (await runs.execute()).length
}
const computing = (userId: string) => count(userId, [1])
const open = (userId: string) => count(userId, [0, 1])
