import type { BacktestListItem, Checks, DayDetail, Page, Report, SharedReport } from '@convexa/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { clearDamage, markDamaged } from '../../src/market/damage.ts'
import { call, newUser, openStream } from '../fixtures/processes.ts'
import { request } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// A user's runs over HTTP, their events and what is kept of them: one api and one worker as real processes. How they start:
// run-starts.test.ts.

const start = '2019-01-02'
const end = '2022-12-30'
const path = '/v1/quant/convertible-bond/advanced-backtest'
const detail = (id: string, day: string) => `/v1/quant/convertible-bond/backtest/${id}/detail/${day}`
const files = ['bonds.parquet', 'tushare/bond-day/2022-12-29', 'tushare/bond-list/2022-12-30']
const quick = (note?: string) => request('cb', { factor: 'dblow', start, end, ...(note !== undefined && { note }) })

const { database, api } = await testSite({
  markets: [
    { kind: 'cb', from: start, to: end, securities: 300, files },
    { kind: 'stk', from: start, to: end, securities: 30 },
  ],
})

test('a run is queued, computed and stored, and readable as soon as its result is sent', async () => {
  const user = await newUser(database.db)
  const stream = openStream(api, user, path, quick('第一次'))
  const last = await stream.ended
  const events = stream.told.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  expect(events[0]).toMatchObject({ type: 'queued', position: 1 })
  expect(events.filter(({ type }) => type === 'stage').map(({ stage }) => stage)).toEqual(['load', 'factors', 'simulate', 'report'])
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(new Set(events.map(({ run_id }) => run_id)).size).toBe(1)
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(64 * 1024)
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
  // More days than one line holds.
  expect(events.filter(({ type }) => type === 'curve').length).toBeGreaterThan(1)

  const { data: day } = await call<DayDetail>(api, user, 'GET', detail(id, '2020-06-01'))
  expect(day.trade_date).toBe('2020-06-01')
  expect(day.positions).toHaveLength(5)
  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(list.list_items).toMatchObject([{ backtest_id: id, status: 2, trial_no: 1, note: '第一次', metrics: report.metrics, ...told }])
})

test('the check grid of a run is computed once for all tabs, and its cells are trials', async () => {
  const [user, stranger] = [await newUser(database.db), await newUser(database.db)]
  const last = await openStream(api, user, path, quick()).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const id = String(last.event['backtest_id'])
  const checks = (who: typeof user) => call<Checks>(api, who, 'POST', `/v1/quant/convertible-bond/backtest/${id}/checks`)
  const read = async () => (await call<Report>(api, user, 'GET', detail(id, 'report'))).data
  const listed = async () => (await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list')).data.list_items[0]!
  const before = await read()
  expect(before.robustness.checks.filter(({ lack }) => lack === 'grid').map(({ key }) => key)).toEqual(['overfitting', 'neighbours'])
  expect(before.robustness.checks[0]).toMatchObject({ key: 'luck', lack: 'trials', ok: null })
  expect((await listed()).verdict).toMatchObject({ worth: before.worth!.state, trust: before.robustness.verdict, judged: 3 })
  expect(await checks(stranger)).toMatchObject({ status: 404, code: 40004 })
  // Sixty a day, on no plan's quota; and only on the data that the run was made on.
  await sql`insert into quota_use (user_id, day, item, used)
    values (${user.id}, (now() at time zone 'Asia/Shanghai')::date, 'checks', 60)`.execute(database.db)
  expect(await checks(user)).toMatchObject({ status: 429, code: 21002 })
  await sql`update quota_use set used = 0 where user_id = ${user.id} and item = 'checks'`.execute(database.db)
  const { snapshot_id } = await database.db.selectFrom('backtest_run').select('snapshot_id').where('id', '=', id).executeTakeFirstOrThrow()
  const onData = (snapshot: string | null) =>
    database.db.updateTable('backtest_run').set({ snapshot_id: snapshot }).where('id', '=', id).execute()
  await onData(null)
  expect(await checks(user)).toMatchObject({ code: 21008, msg: '数据版本已更新，请重新运行后再查' })
  await onData(snapshot_id)
  await markDamaged(database.db, snapshot_id!, 'wrong checksum')
  expect(await checks(user)).toMatchObject({ status: 503, code: 21011, msg: '行情文件已损坏，请联系管理员' })
  await clearDamage(database.db, snapshot_id!)

  const [one, other] = await Promise.all([checks(user), checks(user)])
  expect(one).toMatchObject({ status: 200, code: 0 })
  expect(other.data).toEqual(one.data)
  const { robustness, grid } = one.data
  const [rows, columns] = grid.axes
  expect(grid.sharpe.map((row) => row.length)).toEqual(rows!.values.map(() => columns!.values.length))
  expect(rows!.values[grid.own[0]]).toBe(5)
  // The cell of the rule itself is the run.
  expect(grid.sharpe[grid.own[0]]![grid.own[1]]).toBeCloseTo(before.metrics.sharpe!, 9)
  // One of them is the rule itself.
  const cells = rows!.values.length * columns!.values.length - 1
  expect(robustness).toMatchObject({ trials: 1 + cells, judged: 6, worst_year_dropped: before.robustness.worst_year_dropped })
  expect(robustness.checks.every(({ ok }) => ok !== null)).toBe(true)
  expect(Buffer.byteLength(JSON.stringify({ robustness, grid }))).toBeLessThan(8 * 1024)

  const after = await read()
  expect(after.checks).toEqual({ robustness, grid })
  expect(after.robustness).toEqual(before.robustness)
  expect((await listed()).verdict).toMatchObject({ trust: robustness.verdict, judged: 6, passed: robustness.passed })
  expect((await checks(user)).data).toEqual(one.data)
  const tried = await database.db.selectFrom('grid_trial').select(['cells', 'checks']).where('user_id', '=', user.id).execute()
  expect(tried).toEqual([{ cells, checks: true }])
  const share = await call<{ token: string }>(api, user, 'POST', '/v1/quant/share', { backtest_id: id, ttl_days: 1 })
  const shared = await call<SharedReport>(api, stranger, 'GET', `/v1/quant/share/${share.data.token}`)
  expect(shared.data.checks).toEqual({ robustness, grid })
})

test('the check grid of a stock run is of its own market', async () => {
  const user = await newUser(database.db)
  const { settings, ...asked } = request('stk', { factor: 'total_mv', start, end })
  const body = { ...asked, settings: { ...settings, adjust: 'qfq' } }
  const last = await openStream(api, user, '/v1/quant/stock/backtest', body).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  const id = String(last.event['backtest_id'])
  const before = (await call<Report>(api, user, 'GET', `/v1/quant/stock/backtest/${id}/detail/report`)).data
  const { status, data } = await call<Checks>(api, user, 'POST', `/v1/quant/stock/backtest/${id}/checks`)
  expect(status).toBe(200)
  const { own, sharpe } = data.grid
  expect(sharpe[own[0]]![own[1]]).toBeCloseTo(before.metrics.sharpe!, 9)
  expect(data.robustness.checks.every(({ ok }) => ok !== null)).toBe(true)
  // By the path of the other market there is no such run.
  expect(await call(api, user, 'POST', `/v1/quant/convertible-bond/backtest/${id}/checks`)).toMatchObject({ status: 404, code: 40004 })
})

test('list and report count the same trials of a run', async () => {
  const user = await newUser(database.db)
  const numbers: [string, number][] = []
  for (const [factor, hold] of [
    ['dblow', 5],
    ['close', 5],
    ['close', 8],
  ] as const) {
    const note = `${factor} ${hold}`
    const last = await openStream(api, user, path, request('cb', { factor, hold, start, end, note })).ended
    if (last.kind !== 'event') throw new Error(JSON.stringify(last))
    const { data: report } = await call<Report>(api, user, 'GET', detail(String(last.event['backtest_id']), 'report'))
    numbers.unshift([note, report.robustness.trials])
  }
  expect(numbers.map(([, trials]) => trials)).toEqual([2, 1, 1])
  const { data: list } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list')
  expect(list.list_items.map(({ note, trial_no }) => [note, trial_no])).toEqual(numbers)
})

test('a result whose commit fails is never sent', async () => {
  await sql`create function full_disk() returns trigger language plpgsql as $$
    begin
      if exists (select from backtest_run where id = new.run_id and note = '存不下') then raise exception 'not stored'; end if;
      return null;
    end $$`.execute(database.db)
  await sql`create constraint trigger full_disk after insert on run_core deferrable initially deferred
    for each row execute function full_disk()`.execute(database.db)
  const user = await newUser(database.db)
  const last = await openStream(api, user, path, quick('存不下')).ended
  expect(last).toMatchObject({ kind: 'error', code: 23023 })
  const { data } = await call<Page<BacktestListItem>>(api, user, 'GET', '/v1/quant/backtest/list?kind=cb')
  expect(data.list_items.map(({ metrics }) => metrics)).toEqual([null])
})

test('a shared report is complete except for data of its owner', async () => {
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
  const { backtest_id: _id, strategy_id: _strategy, note: _note, favourite: _favourite, ...given } = report
  const { shared, ...rest } = (read as { data: SharedReport }).data
  expect(rest).toEqual(given)
  expect(shared).toMatchObject({ data_version: report.data_version, engine_version: report.engine_version })
  const foreign = openStream(api, await newUser(database.db), path, { ...quick(), strategy_id: saved.id })
  expect(await foreign.ended).toMatchObject({ kind: 'error', code: 40004 })

  // The same rule by another engine: its owner gets both versions, a reader of the link does not.
  await database.db.updateTable('backtest_run').set({ engine_version: '0.4.0' }).where('id', '=', id).execute()
  const again = await openStream(api, user, path, { ...quick('再跑一次'), strategy_id: saved.id }).ended
  if (again.kind !== 'event') throw new Error(JSON.stringify(again))
  const { data: anew } = await call<Report>(api, user, 'GET', detail(String(again.event['backtest_id']), 'report'))
  expect(anew.backtest_id).not.toBe(id)
  expect(anew.earlier_engine).toEqual({ engine_version: '0.4.0', finished_at: expect.any(String) })
  const { data: other } = await call<{ token: string }>(api, user, 'POST', '/v1/quant/share', {
    backtest_id: anew.backtest_id,
    ttl_days: 1,
  })
  const open = (await (await fetch(`${api.address}/v1/quant/share/${other.token}`)).json()) as { data: SharedReport }
  expect(open.data.earlier_engine).toBeUndefined()
})

test('the value of a group run is the sum of its members, with and without rebalancing', async () => {
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
    // Only a run that was known before comes without its curve.
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

test('the report is the same text with gzip and without', async () => {
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

test('a day outside the run and another user’s run are missing', async () => {
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
