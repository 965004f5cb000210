import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDatabaseAway } from '../src/base/api-error.ts'
import { StartError } from '../src/base/start-error.ts'
import { connect, listen } from '../src/db/connect.ts'
import { encodingWarning, migrate, pendingMigrations } from '../src/db/migrate.ts'
import { up as keepMeanings } from '../src/db/migrations/0037-kept-meanings.ts'
import { up as tellOfMendedBars } from '../src/db/migrations/0046-mended-bars.ts'
import { up as tellOfCounts } from '../src/db/migrations/0052-clauses-counted-anew.ts'
import { up as tellOfSettings } from '../src/db/migrations/0056-days-of-an-engine.ts'
import { checkSession } from '../src/db/session.ts'
import { strategyDetail } from '../src/strategy/strategies.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { newUser } from './processes.ts'
import { silentNetwork } from './silent-network.ts'

let own: TestDatabase
let empty: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
  empty = await testDatabase(null)
})

afterAll(async () => {
  await own.drop()
  await empty.drop()
})

test('a test database is migrated and empty', async () => {
  expect(await pendingMigrations(own.db)).toEqual([])
  expect(await own.db.selectFrom('app_user').selectAll().execute()).toEqual([])
})

test('two processes migrate at once: each migration is applied by one of them', async () => {
  const other = connect(empty.url)
  const [a, b] = await Promise.all([migrate(empty.db), migrate(other.db)])
  await other.close()
  expect([...a, ...b].sort()).toEqual([...new Set([...a, ...b])].sort())
  expect(a.length + b.length).toBeGreaterThanOrEqual(3)
  expect(await migrate(empty.db)).toEqual([])
})

test('tables that are of a newer version, damaged or not ours are told to the operator in a sentence', async () => {
  const [newer, foreign] = [await testDatabase(), await testDatabase(null)]
  const said = async ({ db }: TestDatabase) => migrate(db).catch((error: unknown) => (error instanceof StartError ? error.message : error))
  await sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(newer.db)
  expect(await said(newer)).toContain('数据库已由更新的版本升级（9999-later）')
  await sql`delete from kysely_migration where name <> '0002-market'`.execute(newer.db)
  expect(await said(newer)).toContain('已损坏')
  await sql`update kysely_migration set timestamp = 'once'`.execute(newer.db)
  expect(await said(newer)).toContain('已损坏')
  await sql`create table app_user (id int)`.execute(foreign.db)
  expect(await said(foreign)).toMatch(/^数据库升级 0001-accounts 无法完成，什么也没有改变：.*already exists/)
  await newer.drop()
  await foreign.drop()
})

describe("settings of the operator's own server", () => {
  const odd = ["datestyle = 'SQL, DMY'", "timezone = 'America/New_York'", "intervalstyle = 'iso_8601'", 'extra_float_digits = -3'].concat([
    "bytea_output = 'escape'",
    "default_transaction_isolation = 'serializable'",
    'search_path = elsewhere',
  ])

  test('dates, times, numbers and bytes are read the same under all of them', async () => {
    const database = await testDatabase()
    const name = sql.id(new URL(database.url).pathname.slice(1))
    await sql`create schema elsewhere`.execute(database.db)
    for (const setting of odd) await sql`alter database ${name} set ${sql.raw(setting)}`.execute(database.db)
    const { db, close } = connect(database.url)
    const { rows } = await sql`select date '2024-03-01' as day, timestamptz '2024-03-01 02:03:04+08' as at, interval '90 minutes' as span,
      0.1::float8 + 0.2::float8 as number, '\\x00ff'::bytea as bytes, current_schema() as schema`.execute(db)
    expect(rows).toEqual([
      {
        ...{ day: '2024-03-01', at: new Date('2024-02-29T18:03:04Z'), number: 0.1 + 0.2, bytes: Buffer.from([0, 255]), schema: 'public' },
        span: expect.objectContaining({ hours: 1, minutes: 30 }),
      },
    ])
    await close()
    // A pooler that drops what a session asks for gives it the server's own.
    const dropped = new pg.Client({ connectionString: database.url })
    await dropped.connect()
    await expect(checkSession(dropped, database.url)).rejects.toThrow(/^数据库会话的设置 DateStyle 应为 ISO, MDY，实际为 SQL, DMY：连接池/)
    await dropped.end()
    await database.drop()
  })

  test('an encoding that cannot hold Chinese is refused before anything is made; one that checks nothing is warned of', async () => {
    const inEncoding = async (encoding: string) => {
      const name = `test_${encoding.toLowerCase()}_${process.pid}`
      await own.pool.query(`create database ${name} template template0 encoding '${encoding}' locale 'C'`)
      const { db, close } = connect(own.url.replace(/(\/)test_[0-9a-f]+/, `$1${name}`), { max: 1 })
      const outcome = await migrate(db).catch((error: unknown) => (error as StartError).message)
      const found = [
        outcome,
        await encodingWarning(db),
        (await sql`select from pg_tables where schemaname = 'public'`.execute(db)).rows.length,
      ]
      await close()
      await own.pool.query(`drop database ${name} with (force)`)
      return found
    }
    expect(await inEncoding('LATIN1')).toEqual([expect.stringMatching(/^数据库的编码是 LATIN1，存不下中文/), expect.anything(), 0])
    const [applied, warning] = await inEncoding('SQL_ASCII')
    expect(applied).toContain('0001-accounts')
    expect(warning).toMatch(/^数据库的编码是 SQL_ASCII，可以使用/)
  })

  test('tables in another schema are not made a second time; the address may name it', async () => {
    const database = await testDatabase()
    await sql`alter schema public rename to own_place`.execute(database.db)
    await sql`create schema public`.execute(database.db)
    await expect(migrate(database.db)).rejects.toThrow(/^数据库里的表在模式 own_place，不在 public.*search_path%3Down_place$/)
    const named = connect(`${database.url}&options=-c%20search_path%3Down_place`)
    expect(await migrate(named.db)).toEqual([])
    await named.close()
    await database.drop()
  })
})

test('an account that may make no tables is told to the operator, not taken for tables of somebody else', async () => {
  const bare = await testDatabase(null)
  const role = `limited_${process.pid}`
  await sql.raw(`create role ${role}`).execute(bare.db)
  const limited = connect(`${bare.url}&options=-c%20role%3D${role}`, { max: 1 })
  await expect(migrate(limited.db)).rejects.toThrow(/^数据库账号没有建立表的权限（permission denied.*）/)
  await limited.close()
  await sql.raw(`drop role ${role}`).execute(bare.db)
  await bare.drop()
})

test('what was saved before names of factors changed is written in names that mean the same, and says so', async () => {
  const { db, drop } = await testDatabase()
  for (const table of ['strategy', 'strategy_version', 'custom_factor'])
    await sql`alter table ${sql.table(table)} drop column kept_meanings`.execute(db)
  const { id: owner } = await newUser(db)
  const rule = (...keys: string[]) => JSON.stringify({ rank_factors: keys.map((key) => ({ factor_key: key })) })
  const [old, plain, shares, factor, run] = Array.from({ length: 5 }, () => randomUUID())
  const rules = [
    [old, 'cb', '旧', rule('volatility', 'formula: 强赎触发价比率 * 2')],
    [plain, 'cb', '新', rule('close', 'volatility_stk')],
    [shares, 'stk', '股', rule('formula: volatility_20')],
  ]
  for (const [id, kind, name, detail] of rules) {
    await sql`insert into strategy (id, user_id, kind, name, remark, tags, detail, factor_versions)
      values (${id}, ${owner}, ${kind}, ${name}, '', '{}', ${detail}::jsonb, '{}')`.execute(db)
    await sql`insert into strategy_version (strategy_id, version, user_id, detail) values (${id}, 1, ${owner}, ${detail}::jsonb)`.execute(
      db,
    )
  }
  await sql`insert into custom_factor (id, user_id, kind, factor_key, name, formula, canonical, description, decimals, prefer_default)
    values (${factor}, ${owner}, 'cb', 'custom_aaaaaa', '我的', '年化波动率 / close', 'volatility / close', '', 2, 'small')`.execute(db)
  const request = JSON.stringify({
    parameters: JSON.parse(rule('volatility')),
    custom: [{ key: 'custom_aaaaaa', formula: 'volatility / close' }],
  })
  await sql`insert into backtest_run (id, user_id, kind, request, params_hash, trial_no, data_mode, data_version, engine_version, owner_id)
    values (${run}, ${owner}, 'cb', ${request}::jsonb, 'x', 1, 'demo', 'x', '0.3.2', ${owner})`.execute(db)

  await keepMeanings(db as never)

  const saved = await strategyDetail({ db, config: { dataDir: '' }, now: () => new Date() }, owner, 'cb', old as string)
  expect(saved?.detail).toEqual(JSON.parse(rule('volatility_60', 'formula: redeem_price_rate * 2')))
  expect(saved?.kept_meanings).toEqual([expect.stringMatching(/60 日/), expect.stringMatching(/正股价\/强赎触发价/)])
  const versions = await db.selectFrom('strategy_version').select(['strategy_id', 'detail', 'kept_meanings']).execute()
  expect(versions.find((row) => row.strategy_id === old)).toMatchObject({ detail: saved?.detail, kept_meanings: saved?.kept_meanings })
  expect(versions.find((row) => row.strategy_id === plain)).toMatchObject({
    detail: JSON.parse(rule('close', 'volatility_stk')),
    kept_meanings: [],
  })
  expect(versions.find((row) => row.strategy_id === shares)?.kept_meanings).toEqual([])
  expect(await db.selectFrom('custom_factor').select(['formula', 'canonical']).executeTakeFirst()).toEqual({
    formula: 'volatility_60 / close',
    canonical: 'volatility_60 / close',
  })
  expect((await db.selectFrom('backtest_run').select('request').executeTakeFirst())?.request).toEqual({
    parameters: JSON.parse(rule('volatility_60')),
    custom: [{ key: 'custom_aaaaaa', formula: 'volatility_60 / close' }],
  })

  // A rule with functions of the bar is as it was, and says once that these read adjusted prices now.
  const bars = JSON.stringify({ rank_factors: [{ factor_key: 'formula: kdj_k() - 50' }, { factor_key: 'atr_14' }] })
  await sql`update strategy set detail = ${bars}::jsonb where id = ${shares}`.execute(db)
  await sql`update custom_factor set kind = 'stk', formula = 'wr(10)', canonical = 'wr(10)' where id = ${factor}`.execute(db)
  await tellOfMendedBars(db as never)
  const mended = await strategyDetail({ db, config: { dataDir: '' }, now: () => new Date() }, owner, 'stk', shares as string)
  expect([mended?.detail, mended?.kept_meanings]).toEqual([JSON.parse(bars), [expect.stringContaining('自引擎 0.5 起按复权价计算')]])
  const told = await db.selectFrom('custom_factor').select('kept_meanings').executeTakeFirst()
  expect(told?.kept_meanings.at(-1)).toContain('自引擎 0.5 起按复权价计算')
  expect(
    (await strategyDetail({ db, config: { dataDir: '' }, now: () => new Date() }, owner, 'cb', plain as string))?.kept_meanings,
  ).toEqual([])
  await drop()
})

test('what was saved before clauses were counted anew and redemptions paid stays as it was, and says each once', async () => {
  const { db, drop } = await testDatabase()
  const { id: owner } = await newUser(db)
  const plain = { rank_factors: [{ factor_key: 'close' }], exclude: { call_status: [] } }
  const counting = { ...plain, rank_factors: [{ factor_key: 'formula: if(is_call = 1, 0, redeem_count)' }] }
  const hold = { call_handling: 'hold_to_redemption' }
  const sold = { call_handling: 't_minus_1_close' }
  const rules = [
    { kind: 'cb', detail: counting, settings: hold, says: [/强赎、下修、回售的计数/, /持有到赎回兑付/] },
    { kind: 'cb', detail: { ...plain, exclude: { call_status: ['announced'] } }, settings: sold, says: [/强赎、下修、回售的计数/] },
    {
      kind: 'cb',
      detail: { ...plain, exclude: { call_status: [], call_remain_days: 5 } },
      settings: null,
      says: [/强赎、下修、回售的计数/],
    },
    {
      kind: 'cb',
      detail: { ...plain, filter_factors: [{ factor_key: '距最后交易日' }] },
      settings: null,
      says: [/强赎、下修、回售的计数/],
    },
    { kind: 'cb', detail: plain, settings: hold, says: [/持有到赎回兑付/] },
    { kind: 'cb', detail: plain, settings: sold, says: [] },
    { kind: 'stk', detail: { ...plain, rank_factors: [{ factor_key: 'formula: redeem_count' }] }, settings: null, says: [] },
    // Saved when these were so already.
    { kind: 'cb', detail: plain, settings: hold, says: [], isNew: true },
  ].map((rule) => ({ ...rule, id: randomUUID() }))
  const kept = ['一句在先']
  for (const [i, { id, kind, detail, settings, isNew }] of rules.entries()) {
    const saved = [JSON.stringify(detail), settings && JSON.stringify(settings)] as const
    await sql`insert into strategy (id, user_id, kind, name, remark, tags, detail, settings, version, factor_versions, kept_meanings)
      values (${id}, ${owner}, ${kind}, ${`规则${i}`}, '', '{}', ${saved[0]}::jsonb, ${saved[1]}::jsonb, 2, '{}', ${kept})`.execute(db)
    for (const version of [1, 2])
      await sql`insert into strategy_version (strategy_id, version, user_id, detail, settings, created_at, kept_meanings)
        values (${id}, ${version}, ${owner}, ${version === 1 ? JSON.stringify(plain) : saved[0]}::jsonb, ${version === 1 ? null : saved[1]}::jsonb,
          ${isNew ? sql`now() + interval '1 hour'` : sql`'2026-01-05T10:00:00+08:00'::timestamptz`}, ${kept})`.execute(db)
  }
  const factors = [
    ['custom_aaaaaa', 'redeem_left_days / 2'],
    ['custom_bbbbbb', 'close * 2'],
  ] as const
  for (const [factor_key, formula] of factors)
    await sql`insert into custom_factor (id, user_id, kind, factor_key, name, formula, canonical, description, decimals, prefer_default)
      values (${randomUUID()}, ${owner}, 'cb', ${factor_key}, ${factor_key}, ${formula}, ${formula}, '', 2, 'small')`.execute(db)
  await sql`insert into strategy_day (strategy_id, version, user_id, date, codes, nav, data_version, on_time)
    values (${rules[0]!.id}, 2, ${owner}, '2026-01-06', '{110001.SH}', 1.02, 'v', true)`.execute(db)
  await sql`alter table strategy_day drop column engine_version`.execute(db)
  const days = async () => (await sql`select * from strategy_day`.execute(db)).rows
  const before = await days()

  await tellOfCounts(db as never)
  await tellOfSettings(db as never)

  for (const { id, kind, detail, settings, says } of rules) {
    const row = await db.selectFrom('strategy').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect([row.kind, row.detail, row.settings]).toEqual([kind, detail, settings])
    expect(row.kept_meanings).toEqual([...kept, ...says.map((words) => expect.stringMatching(words))])
    const versions = db.selectFrom('strategy_version').select(['detail', 'kept_meanings']).where('strategy_id', '=', id)
    expect(await versions.orderBy('version').execute()).toEqual([
      { detail: plain, kept_meanings: kept },
      { detail, kept_meanings: row.kept_meanings },
    ])
  }
  const told = await db.selectFrom('custom_factor').select(['formula', 'kept_meanings']).orderBy('factor_key').execute()
  expect(told).toEqual([
    { formula: 'redeem_left_days / 2', kept_meanings: [expect.stringMatching(/强赎、下修、回售的计数/)] },
    { formula: 'close * 2', kept_meanings: [] },
  ])
  // Recorded days stay as they are, of an engine that nobody noted.
  expect(await days()).toEqual(before.map((day) => ({ ...(day as object), engine_version: null })))
  await drop()
})

test('dates come as text, counts as numbers, numeric as text', async () => {
  const { rows } = await sql`select date '2024-02-29' as day, 9007199254740991::bigint as count, 1.10::numeric as money`.execute(own.db)
  expect(rows).toEqual([{ day: '2024-02-29', count: 9007199254740991, money: '1.10' }])
})

test('a listener whose connection was ended listens again and says so', async () => {
  const heard: string[] = []
  let again = 0
  const listening = await listen(
    own.url,
    ['news'],
    (channel, payload) => heard.push(`${channel} ${payload}`),
    () => again++,
  )
  await sql`notify news, 'one'`.execute(own.db)
  await expect.poll(() => heard).toEqual(['news one'])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'convexa-listen' and datname = current_database()`.execute(
    own.db,
  )
  await expect.poll(() => again).toBe(1)
  await sql`notify news, 'two'`.execute(own.db)
  await expect.poll(() => heard).toEqual(['news one', 'news two'])
  await listening.close()
})

test('a statement that takes too long is ended by the database', async () => {
  const hasty = connect(own.url, { statementTimeoutMs: 100 })
  await expect(hasty.pool.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
  await hasty.close()
})

test('a connection that breaks between two statements of a transaction fails the transaction, not the process', async () => {
  const told: string[] = []
  const other = connect(own.url, { onError: ({ message }) => told.push(message) })
  const broken = other.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(own.db)
    await expect.poll(() => told.length).toBeGreaterThan(0)
    await sql`select 1`.execute(tx)
  })
  await expect(broken).rejects.toThrow()
  expect((await sql`select 1 as one`.execute(other.db)).rows).toEqual([{ one: 1 }])
  await other.close()
})

test('a network that swallows what is sent fails a transaction in time, and the next has a connection of its own', async () => {
  const network = await silentNetwork(own.url)
  const { db, pool, close } = connect(network.url, { max: 1, answerTimeoutMs: 1_000 })
  const one = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const before = await one.execute(db)
  const fails = db.transaction().execute(async (tx) => {
    await one.execute(tx)
    network.swallows = true
    await one.execute(tx)
  })
  // Undoing it finds the connection ended.
  expect(isDatabaseAway(await fails.catch((error: unknown) => error))).toBe(true)
  network.swallows = false
  const after = await one.execute(db)
  expect(after.rows[0]!.pid).not.toBe(before.rows[0]!.pid)
  network.swallows = true
  await expect(one.execute(db)).rejects.toThrow('Query read timeout')
  expect(pool.totalCount).toBe(0)
  await close()
  network.close()
})
