import type { DayDetail, Report, ReportParts } from '@convexa/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { remoteCompute } from '../../src/compute/remote.ts'
import { packJson } from '../../src/http/packed-json.ts'
import { type Packed, packRuns } from '../../src/quant/pack-runs.ts'
import { call, newUser, openStream, type TestUser } from '../fixtures/processes.ts'
import { request } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// Reports of finished runs, whole and in parts: what is kept of a run, and what is computed again.

const start = '2021-01-04'
const end = '2022-12-30'
const path = '/v1/quant/convertible-bond/advanced-backtest'
const { database, api, dataDir } = await testSite({ markets: [{ kind: 'cb', from: start, to: end, securities: 60 }] })
let user: TestUser
let id: string

const detail = (what: string, of = id) => `/v1/quant/convertible-bond/backtest/${of}/detail/${what}`
const read = <T = ReportParts>(what: string, of = id, who = user) => call<T>(api, who, 'GET', detail(what, of))
const fetched = (what: string, headers: Record<string, string> = {}) =>
  fetch(`${api.address}${detail(what)}`, { headers: { 'access-token': user.token, ...headers } })
const changed = (values: Record<string, unknown>) => database.db.updateTable('backtest_run').set(values).where('id', '=', id).execute()

beforeAll(async () => {
  user = await newUser(database.db)
  const last = await openStream(api, user, path, request('cb', { factor: 'dblow', start, end, note: '分部分读' })).ended
  if (last.kind !== 'event') throw new Error(JSON.stringify(last))
  id = String(last.event['backtest_id'])
})

test('parts are the members of the whole report, and only those that were asked for', async () => {
  const { data: whole } = await read<Report>('report')
  const { trades, holdings, daily_contribution, ...rest } = whole
  expect((await read('report?parts=core')).data).toEqual({ ...rest, parts: ['core'] })
  expect((await read('report?parts=trades')).data).toEqual({ parts: ['trades'], trades })
  const all = await read('report?parts=trades,holdings,%20daily_contribution,core,trades')
  expect(all.data).toEqual({ ...whole, parts: ['core', 'daily_contribution', 'holdings', 'trades'] })
  expect((await read('report?parts=holdings,daily_contribution')).data).toEqual({
    ...{ parts: ['daily_contribution', 'holdings'] },
    ...{ daily_contribution, holdings },
  })
  const kept = await sql<{ bytes: number; reports: number }>`
    select bytes, (select count(*)::int from run_report) as reports from run_core where run_id = ${id}`.execute(database.db)
  expect(kept.rows[0]!.reports).toBe(0)
  expect(kept.rows[0]!.bytes).toBeLessThan(60_000)
})

test('a part that does not exist is refused by its name; another’s run is missing', async () => {
  expect(await read('report?parts=core,charts')).toMatchObject({ status: 400, code: 40000, msg: expect.stringContaining('“charts”') })
  expect(await read('report?parts=')).toMatchObject({ status: 400, code: 40000 })
  const stranger = await newUser(database.db)
  for (const what of ['report', 'report?parts=core', 'report?parts=trades', '2022-06-01'])
    expect(await read(what, id, stranger)).toMatchObject({ status: 404, code: 40004 })
})

test('a client that holds a part is told that it is the same; a changed note is another core', async () => {
  for (const what of ['report', 'report?parts=core', 'report?parts=trades']) {
    const tag = (await fetched(what)).headers.get('etag')!
    expect([tag.length > 50, (await fetched(what, { 'if-none-match': tag })).status]).toEqual([true, 304])
  }
  const tags = async () => [
    (await fetched('report?parts=core')).headers.get('etag'),
    (await fetched('report?parts=trades')).headers.get('etag'),
  ]
  const before = await tags()
  await changed({ note: '改过' })
  const after = await tags()
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true])
})

test('a ledger that comes out otherwise is told with the difference; the figures stay those that were stored', async () => {
  const [{ ledger_sha256: ledger, engine_version: engine }] = (await database.db
    .selectFrom('backtest_run')
    .select(['ledger_sha256', 'engine_version'])
    .where('id', '=', id)
    .execute()) as [{ ledger_sha256: Buffer; engine_version: string }]
  const { data: whole } = await read<Report>('report')
  await changed({ ledger_sha256: Buffer.alloc(32, 1), engine_version: '0.0.1' })
  try {
    const recomputed = { engine_version: engine, nav_difference: 0 }
    expect((await read('report?parts=trades')).data).toEqual({ parts: ['trades'], trades: whole.trades, recomputed })
    expect((await read<Report>('report')).data).toEqual({ ...whole, recomputed })
    expect((await read<DayDetail>('2022-06-01')).data).toMatchObject({ trade_date: '2022-06-01', recomputed })
    expect((await read('report?parts=core')).data).not.toHaveProperty('recomputed')
  } finally {
    await changed({ ledger_sha256: ledger, engine_version: engine })
  }
})

test('without its data a run has its core; without its core its question alone', async () => {
  const row = await database.db.selectFrom('backtest_run').select('snapshot_id').where('id', '=', id).executeTakeFirstOrThrow()
  await changed({ snapshot_id: null })
  expect(await read('report?parts=core')).toMatchObject({ status: 200 })
  for (const what of ['report', 'report?parts=trades', '2022-06-01'])
    expect(await read(what)).toMatchObject({ status: 409, code: 21012, msg: '该回测所用的数据版本已不再保留，请用当前数据重新运行' })
  await changed(row)
  const core = await database.db.selectFrom('run_core').selectAll().where('run_id', '=', id).executeTakeFirstOrThrow()
  await database.db.deleteFrom('run_core').where('run_id', '=', id).execute()
  await changed({ kept: 1 })
  for (const what of ['report', 'report?parts=core', '2022-06-01'])
    expect(await read(what)).toMatchObject({ status: 409, code: 21012, msg: '该回测仅保留参数与指标，可重新运行' })
  await changed({ kept: 2 })
  await database.db.insertInto('run_core').values(core).execute()
  expect(await read('report')).toMatchObject({ status: 200 })
})

/** The same run as a row of its own, without a core. */
async function copied(): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into backtest_run
    select (jsonb_populate_record(null::backtest_run, to_jsonb(r) || jsonb_build_object('id', gen_random_uuid(), 'ledger_sha256', null, 'spark', null))).*
    from backtest_run r where id = ${id} returning id`.execute(database.db)
  return rows[0]!.id
}

test('a run from before there were cores is read from its report and its days, in parts too', async () => {
  const { data: whole } = await read<Report>('report')
  const { data: day } = await read<DayDetail>('2022-06-01')
  const { backtest_id, name, note, data_sources, ...stored } = whole
  const old = await copied()
  await database.db
    .insertInto('run_report')
    .values({ run_id: old, report: await packJson(stored, 'members'), headless: true })
    .execute()
  await database.db
    .insertInto('run_days')
    .values({ run_id: old, first_date: '2022-06-01', last_date: '2022-06-01', days: await packJson([day]) })
    .execute()
  expect((await read<Report>('report', old)).data).toEqual({ ...whole, backtest_id: old })
  expect((await read('report?parts=trades', old)).data).toEqual({ parts: ['trades'], trades: whole.trades })
  const { trades, holdings, daily_contribution, ...rest } = whole
  expect((await read('report?parts=core', old)).data).toEqual({ ...rest, backtest_id: old, parts: ['core'] })
  expect((await read<DayDetail>('2022-06-01', old)).data).toEqual(day)
  expect(await read('2022-06-02', old)).toMatchObject({ status: 404 })

  // In an idle moment it becomes a core, of which the same is read.
  const compute = remoteCompute(database.db)
  const pack = async () => {
    const ended: (Packed | null)[] = []
    await packRuns(
      { db: database.db, config: { dataDir: dataDir }, compute },
      () => true,
      (run, how) => run === old && ended.push(how),
    )
    return ended
  }
  expect(await pack()).toEqual(['packed'])
  expect(await pack()).toEqual([])
  expect((await read<Report>('report', old)).data).toEqual({ ...whole, backtest_id: old })
  expect((await read('report?parts=core', old)).data).toEqual({ ...rest, backtest_id: old, parts: ['core'] })
  expect((await read<DayDetail>('2022-06-01', old)).data).toEqual(day)
  const own = database.db.selectFrom('backtest_run').select(['ledger_sha256', 'spark'])
  expect(await own.where('id', '=', old).executeTakeFirst()).toEqual(await own.where('id', '=', id).executeTakeFirst())
})

test('a run of before that comes out otherwise keeps its whole report', async () => {
  const { data: whole } = await read<Report>('report')
  const { backtest_id, name, note, data_sources, ...stored } = whole
  stored.curves = { ...stored.curves, nav: stored.curves.nav.map((value, at) => (at === 5 ? (value ?? 0) + 1e-12 : value)) }
  const old = await copied()
  await database.db
    .insertInto('run_report')
    .values({ run_id: old, report: await packJson(stored, 'members'), headless: true })
    .execute()
  const ended: (Packed | null)[] = []
  const deps = { db: database.db, config: { dataDir: dataDir }, compute: remoteCompute(database.db) }
  await packRuns(
    deps,
    () => true,
    (run, how) => run === old && ended.push(how),
  )
  expect(ended).toEqual(['other days'])
  expect((await read<Report>('report', old)).data).toEqual({ ...whole, ...stored, backtest_id: old })
})
