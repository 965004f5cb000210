import { type RawBuilder, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { parameters } from '../../test/fixtures/requests.ts'
import { insertUser } from '../../test/fixtures/run-rows.ts'
import { releaseSnapshots, retainRuns, stopRetention } from './retention.ts'
import { trialsOf } from './trials.ts'

let database: TestDatabase
let user: string

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`delete from app_user`.execute(database.db)
  // Since long ago: what a test makes is no run of before.
  await sql`insert into retention (started_at) values (now() - interval '10 years')
    on conflict (only_row) do update set started_at = excluded.started_at, after_user = null`.execute(database.db)
  user = await insertUser(database.db)
})

const inDays = (days: number): RawBuilder<Date> => sql<Date>`now() + make_interval(days => ${days})`

/** Finished runs of so many days ago, the first the youngest by a minute each; every one with a report and a core. */
async function ran(
  count: number,
  daysAgo: number,
  over: { strategyId?: string; status?: number; factors?: unknown } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into backtest_run (id, user_id, kind, status, strategy_id, request, params_hash, trial_no, data_mode, data_version, engine_version,
      owner_id, metrics, created_at, finished_at)
    select gen_random_uuid(), ${user}, 'cb', ${over.status ?? 2}, ${over.strategyId ?? null}::uuid,
      jsonb_build_object('parameters', ${JSON.stringify(over.factors ?? parameters('cb', 'close', 5, 1))}::jsonb), ${uuid()} || i,
      i + coalesce((select max(trial_no) from backtest_run where user_id = ${user}), 0), 'demo', 'v', '0', ${uuid()}::uuid, '{}',
      at, at
    from (select i, now() - make_interval(days => ${daysAgo}, mins => i) as at from generate_series(1, ${count}) i) made
    returning id`.execute(database.db)
  const ids = rows.map(({ id }) => id)
  await sql`insert into run_report (run_id, report, headless) select id, 'x', true from unnest(${ids}::uuid[]) id`.execute(database.db)
  await sql`insert into run_core (run_id, format, bytes, inline) select id, 1, 1, 'x' from unnest(${ids}::uuid[]) id`.execute(database.db)
  return ids
}

/** What is left of runs: 2 whole, 1 question and figures, 0 nothing. */
async function kept(ids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: string; kept: number; whole: boolean }>`
    select r.id, r.kept, exists (select from run_report where run_id = r.id) and exists (select from run_core where run_id = r.id) as whole
    from backtest_run r where r.id = any(${[...ids]}::uuid[])`.execute(database.db)
  // A run that says one thing and holds another would be neither.
  return ids.map((id) => rows.filter((row) => row.id === id).map((row) => (row.whole === (row.kept === 2) ? row.kept : -1))[0] ?? 0)
}

const memberUntil = (until: RawBuilder<Date> | null) =>
  database.db.updateTable('app_user').set({ vip_level: 1, vip_until: until }).where('id', '=', user).execute()

describe('a plan keeps', () => {
  test('free: the newest 100 of 90 days whole, then question and figures for a year', async () => {
    const [old, aged] = [await ran(2, 366), await ran(2, 91)]
    const recent = await ran(105, 1)
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 7, removed: 2 })
    expect(await kept(recent)).toEqual([...Array(100).fill(2), ...Array(5).fill(1)])
    expect([await kept(aged), await kept(old)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    // The same again finds nothing.
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 0, removed: 0 })
    expect(await retainRuns(database.db, inDays(90))).toMatchObject({ reduced: 100, removed: 0 })
    expect(await retainRuns(database.db, inDays(365))).toMatchObject({ reduced: 0, removed: 107 })
  })

  test('member: the newest 2,000 of two years whole, then question and figures for three years', async () => {
    await memberUntil(null)
    const [old, aged, whole] = [await ran(1, 1_096), await ran(1, 731), await ran(2, 729)]
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 1, removed: 1 })
    expect([await kept(old), await kept(aged), await kept(whole)]).toEqual([[0], [1], [2, 2]])
    await ran(1_999, 1)
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 1, removed: 0 })
    expect(await kept(whole)).toEqual([2, 1])
  })

  test('a lapsed member: as a member for 90 days, then free; the figures that were promised stay for a year more', async () => {
    await memberUntil(sql<Date>`now()`)
    const [recent, older] = [await ran(101, 10), await ran(1, 600)]
    expect(await retainRuns(database.db, inDays(89))).toMatchObject({ reduced: 0, removed: 0 })
    expect(await retainRuns(database.db, inDays(91))).toMatchObject({ reduced: 102, removed: 0 })
    expect(new Set(await kept([...recent, ...older]))).toEqual(new Set([1]))
    expect(await retainRuns(database.db, inDays(90 + 364))).toMatchObject({ removed: 0 })
    expect(await retainRuns(database.db, inDays(90 + 366))).toMatchObject({ removed: 102 })
  })

  test('a run that failed counts among no newest, and goes after a year', async () => {
    const failed = await ran(150, 2, { status: 3 })
    const done = await ran(100, 3)
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 0, removed: 0 })
    expect(new Set(await kept([...failed, ...done]))).toEqual(new Set([2]))
    expect(await retainRuns(database.db, inDays(361))).toMatchObject({ removed: 0 })
    expect(await retainRuns(database.db, inDays(366))).toMatchObject({ removed: 250 })
  })
})

describe('whatever its age stays', () => {
  const share = (run: string, ends: RawBuilder<Date>, db = database.db) =>
    db
      .insertInto('report_share')
      .values({ id: uuid(), user_id: user, run_id: run, token_hash: Buffer.from(uuid()), expires_at: ends })
      .execute()

  test('a favourite, a shared run, the newest run of a saved strategy; each only as long as it is one', async () => {
    const strategyId = uuid()
    await sql`
      insert into strategy (id, user_id, kind, name, remark, tags, detail, factor_versions)
      values (${strategyId}, ${user}, 'cb', '双低', '', '{}', '{}', '{}')`.execute(database.db)
    const [favourite = '', shared = '', ended = '', plain = ''] = await ran(4, 400)
    const [newest = '', before = ''] = await ran(2, 401, { strategyId })
    const [unsaved = ''] = await ran(1, 402, { strategyId: uuid() })
    await database.db.updateTable('backtest_run').set({ favourite: true }).where('id', '=', favourite).execute()
    await share(shared, inDays(30))
    await share(ended, inDays(-1))
    const all = [favourite, shared, newest, ended, plain, before, unsaved]
    await retainRuns(database.db)
    // An ended link still says what became of it.
    expect(await kept(all)).toEqual([2, 2, 2, 1, 0, 0, 0])
    await database.db.updateTable('backtest_run').set({ favourite: false }).where('id', '=', favourite).execute()
    await sql`delete from report_share`.execute(database.db)
    await sql`delete from strategy`.execute(database.db)
    await retainRuns(database.db)
    expect(await kept(all)).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('a run that is being shared at this moment', async () => {
    const [run = ''] = await ran(1, 100)
    await database.db.transaction().execute(async (tx) => {
      await sql`select id from backtest_run where id = ${run} for share`.execute(tx)
      await share(run, inDays(1), tx)
      expect(await retainRuns(database.db)).toMatchObject({ reduced: 0 })
    })
    expect(await retainRuns(database.db)).toMatchObject({ reduced: 0 })
    expect(await kept([run])).toEqual([2])
  })
})

test('what was stored before is touched 30 days after the first start at the earliest, and again so after it was off', async () => {
  const before = await ran(2, 100)
  await stopRetention(database.db)
  expect(await retainRuns(database.db)).toMatchObject({ reduced: 0 })
  expect(await retainRuns(database.db, inDays(29))).toMatchObject({ reduced: 0 })
  await stopRetention(database.db)
  expect(await retainRuns(database.db, inDays(31))).toMatchObject({ reduced: 0 })
  expect(await retainRuns(database.db, inDays(62))).toMatchObject({ reduced: 2 })
  expect(await kept(before)).toEqual([1, 1])
})

test('a run that goes counts as a trial all the same', async () => {
  const rule = parameters('cb', 'close', 5, 1)
  await ran(3, 400)
  const trials = () => trialsOf(database.db, { userId: user, kind: 'cb', paramsHash: 'new', rules: [rule], before: inDays(1) })
  expect(await trials()).toBe(4)
  expect(await retainRuns(database.db)).toMatchObject({ removed: 3 })
  expect(await trials()).toBe(4)
})

test('a thousand runs at a time, users in turn', async () => {
  await ran(1_205, 91)
  const first = await retainRuns(database.db)
  const second = await retainRuns(database.db)
  expect([first.reduced, second.reduced]).toEqual([1_000, 205])
  await sql`insert into app_user (id, nickname) select gen_random_uuid(), 'x' from generate_series(1, 1_500)`.execute(database.db)
  await sql`update app_user set id = 'ffffffff-ffff-7fff-bfff-ffffffffffff' where id = (select max(id::text)::uuid from app_user where id <> ${user})`.execute(
    database.db,
  )
  user = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
  await ran(1, 91)
  const turns = [await retainRuns(database.db), await retainRuns(database.db), await retainRuns(database.db)]
  expect(turns.map(({ reduced }) => reduced)).toEqual([0, 1, 0])
  expect(turns.map(({ turn }) => turn.after === null)).toEqual([true, false, true])
})

test('a round that ends with a full turn begins again', async () => {
  await sql`insert into app_user (id, nickname) select gen_random_uuid(), 'x' from generate_series(1, 999)`.execute(database.db)
  const begins = [await retainRuns(database.db), await retainRuns(database.db), await retainRuns(database.db)]
  expect(begins.map(({ turn }) => [turn.after === null, turn.last === null])).toEqual([
    [true, false],
    [false, true],
    [true, false],
  ])
})

test('guests are no part of it: their day ends elsewhere', async () => {
  await database.db.updateTable('app_user').set({ is_demo: true }).where('id', '=', user).execute()
  const runs = await ran(1, 91)
  await retainRuns(database.db)
  expect(await kept(runs)).toEqual([2])
})

test('snapshots are held by whole runs alone', async () => {
  const snapshot = uuid()
  await sql`
    insert into market_snapshot (id, kind, data_mode, data_version, folder, manifest_sha256, first_date, last_date, securities, quality)
    values (${snapshot}, 'cb', 'demo', 'v', 'f', 'x', '2022-01-04', '2022-12-30', 1, '{}')`.execute(database.db)
  const [whole = ''] = await ran(1, 2)
  const [reduced = ''] = await ran(1, 91)
  const [failed = ''] = await ran(1, 2, { status: 3 })
  const [justFailed = ''] = await ran(1, 0, { status: 3 })
  const all = [whole, reduced, failed, justFailed]
  await sql`update backtest_run set snapshot_id = ${snapshot} where id = any(${all}::uuid[])`.execute(database.db)
  await retainRuns(database.db)
  expect(await releaseSnapshots(database.db)).toBe(1)
  const { rows } = await sql<{ id: string; data_version: string }>`
    select id, data_version from backtest_run where snapshot_id is not null`.execute(database.db)
  expect(rows.map(({ id }) => id).sort()).toEqual([whole, justFailed].sort())
  // Its version is named all the same.
  expect(await database.db.selectFrom('backtest_run').select('data_version').where('id', '=', reduced).executeTakeFirst()).toEqual({
    data_version: 'v',
  })
})
