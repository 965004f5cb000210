import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ConfigListItem, DryRun, Envelope, Fill, Targets } from '@convexa/contract'
import { endpoints } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { remoteCompute } from '../../src/compute/remote.ts'
import { buildApp } from '../../src/http/app.ts'
import { dryRun } from '../../src/qmt/dry-run.ts'
import { usesToday } from '../../src/quant/quota.ts'
import { addStrategy, changeStrategy } from '../../src/strategy/strategies.ts'
import { callerOf, openReAuth } from '../../src/user/sessions.ts'
import type { World } from '../../src/world.ts'
import { asking } from '../account.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { newUser, startWorkerProcess, type TestUser, type WorkerProcess } from '../processes.ts'
import { hasPython, python } from '../python.ts'
import { qmtAccount, qmtConfig, qmtTrading } from '../qmt.ts'
import { parameters } from '../requests.ts'
import { publishSmallMarket } from '../small-market.ts'
import { testWorld } from '../world.ts'
import { unzip } from '../zip-reader.ts'

// From a config to what its client is told, on a Monday before the close, by the data of the Friday before.

const friday = '2026-11-20'
const monday = '2026-11-23'
const mondayNoon = new Date(`${monday}T14:49:00+08:00`)

let database: TestDatabase
let dataDir: string
let worker: WorkerProcess
let world: World
let app: FastifyInstance
let user: TestUser
let now = mondayNoon
let ids: { account: string; trading: string; strategy: string }
let config: string
let key: string

const { ask: asked } = asking(() => app)
const ask = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  asked<T>(method, `/v1/quant/qmt${path}`, { token: user.token, ...(body && { body }) })
async function client<T>(method: 'GET' | 'POST', path: string, body?: object, apiKey = key) {
  const answer = await app.inject({
    method,
    url: `/v1/qmt-client${path}`,
    headers: { 'x-api-key': apiKey },
    ...(body && { payload: body }),
  })
  const { code, msg, data } = answer.json<Envelope<T>>()
  return { status: answer.statusCode, code, msg, data }
}
const pull = (date = monday, apiKey = key) => client<Targets>('GET', `/targets?config_id=${config}&date=${date}`, undefined, apiKey)
const rehearse = (body: object = {}) => ask<DryRun>('POST', `/config/${config}/dry-run`, body)
const showPassword = async (who = user) => openReAuth(database.db, (await callerOf(database.db, who.token)).sessionId)
const exported = (query = '') =>
  app.inject({ method: 'GET', url: `/v1/quant/qmt/config/export/${config}${query}`, headers: { 'access-token': user.token } })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'qmt-trading-'))
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-06-01', to: friday, securities: 20, real: true, calls: true })
  worker = await startWorkerProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir }, database.db)
  world = testWorld(database, { compute: remoteCompute(database.db), now: () => now, config: { dataDir } }).world
  app = await buildApp(world)
  user = await newUser(database.db)
  await showPassword()
  const id = async (path: string, body: object) => (await ask<{ id: string }>('POST', path, body)).data.id
  const strategy = (await addStrategy(world, user.id, 'cb', { strategy_name: '低价5', detail: parameters('cb', 'close', 5, 1) })).id
  ids = { account: await id('/account', qmtAccount()), trading: await id('/trading-config', qmtTrading({ hold_rank: 7 })), strategy }
  config = await id('/config', qmtConfig(ids))
  key = (await ask<{ api_key: string }>('PUT', '/apikey')).data.api_key
})

beforeEach(async () => {
  now = mondayNoon
  // Many calls of one key within a minute.
  await sql`delete from rate_use`.execute(database.db)
})

afterAll(async () => {
  await app.close()
  await worker.stop()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const checksumOf = ({ config_id, config_version, date, signal_date, money, items }: Targets) =>
  createHash('sha256')
    .update(
      [
        `${config_id},${config_version},${date},${signal_date},${money.toFixed(2)}`,
        ...items.map((i) => `${i.code},${i.rank},${i.weight.toFixed(6)},${i.ref_price.toFixed(3)},${i.lot_min},${i.lot_step}`),
      ].join('\n'),
    )
    .digest('hex')

describe('a dry run', () => {
  test('of nothing held buys the list, each line with its reason, lots, money and share of the turnover', async () => {
    const { code, data } = await rehearse({ holdings: [] })
    expect(code).toBe(0)
    expect(data).toMatchObject({
      trade_date: monday,
      signal_date: friday,
      data_mode: 'imported',
      holdings_from: 'given',
      targets: 5,
      warnings: [],
    })
    expect(data.rows).toHaveLength(5)
    for (const row of data.rows) {
      expect(row).toMatchObject({ action: 'buy', held: 0, difference: row.target })
      expect(row.target % 10).toBe(0)
      expect(row.amount).toBeCloseTo(row.target * row.price!, 2)
      expect(row.fee).toBeCloseTo(row.amount! * 0.001, 2)
      expect(row.reason_text).toMatch(/^(新进|未持有)：名次 \d/)
    }
    expect(data.buy_amount).toBeLessThanOrEqual(98_000)
    expect(data.buy_amount + data.unused_cash).toBeCloseTo(100_000, 2)
  })

  test('against a pasted table keeps the buffer, sells what left with its ranks, buys what came', async () => {
    const first = (await rehearse({ holdings: [] })).data
    const [best, second] = first.rows
    const { items } = (await pull()).data
    const buffered = items.find(({ weight, rank }) => weight === 0 && rank === 6)!
    const worst = await database.db.selectFrom('qmt_targets').select('body').executeTakeFirstOrThrow()
    expect(worst.body.items).toHaveLength(7)
    const outside = ['110901', '110905', '110908', '110910', '110903', '110902', '110904'].find((code) =>
      items.every((one) => !one.code.startsWith(code)),
    )!
    const text = `证券代码,证券名称,当前拥股\n${best!.code},甲,${best!.target}\n${buffered.code.slice(0, 6)},乙,150\n${outside},丙,57\n`
    const { data } = await rehearse({ holdings_text: text })
    const row = (code: string) => data.rows.find((one) => one.code === code)!
    expect(row(best!.code)).toMatchObject({ action: 'keep', difference: 0 })
    expect(row(buffered.code).action).not.toBe('sell')
    expect(row(second!.code).action).toBe('buy')
    expect(row(`${outside}.SH`)).toMatchObject({
      action: 'sell',
      held: 57,
      target: 0,
      reason_text: expect.stringMatching(/^移出：名次 \d+/),
    })
    expect(data.rows.filter(({ target }) => target > 0)).toHaveLength(5)
  })

  test('shows beside each line what is known of a call', async () => {
    const { data } = await rehearse({ holdings_text: '110901.SH 100\n123901.SZ 100' })
    const warningsOf = (code: string) => data.rows.find((one) => one.code === code)!.warnings
    expect([warningsOf('110901.SH'), warningsOf('123901.SZ')]).toEqual([['强赎计数 8/15'], ['已公告强赎']])
    expect(data.rows.flatMap(({ code, warnings }) => (['110901.SH', '123901.SZ'].includes(code) ? [] : warnings))).toEqual([])
  })

  test('names what the config itself leaves out: what it ignores, and what is beyond the ranks it buys', async () => {
    const listed = (await rehearse({ holdings: [] })).data.rows
    const ignored = listed[0]!.code
    const rules = qmtTrading({ name: '只买前三', buy_rank: 3, hold_rank: 7, ignore_codes: [ignored] })
    const trading = (await ask<{ id: string }>('POST', '/trading-config', rules)).data.id
    const other = (await ask<{ id: string }>('POST', '/config', qmtConfig({ ...ids, trading }, { name: '只买前三' }))).data.id
    const { data } = await ask<DryRun>('POST', `/config/${other}/dry-run`, { holdings: [] })
    expect(data.rows.map(({ code }) => code)).toEqual([listed[1]!.code, listed[2]!.code])
    expect(data.dropped.map(({ code, reason }) => [code, reason])).toEqual([
      [listed[3]!.code, '名次 4，超出买入名次 3'],
      [listed[4]!.code, '名次 5，超出买入名次 3'],
      [ignored, '在忽略名单中，不买不卖'],
    ])
    expect((await ask('DELETE', `/config/${other}`)).code).toBe(0)
  })

  test('that cannot be read says where', async () => {
    expect(await rehearse({ holdings_text: '999999 10' })).toMatchObject({ status: 400, code: 40000 })
    expect((await rehearse({ holdings_text: 'x' })).msg).toContain('第 1 行没有证券代码')
  })

  test('is confirmed by its hash and by no other; another one has to be confirmed again', async () => {
    const { data } = await rehearse({ holdings: [] })
    expect(await ask('POST', `/config/${config}/confirm`, { hash: 'a'.repeat(64) })).toMatchObject({ status: 409, code: 40009 })
    expect((await ask('POST', `/config/${config}/confirm`, { hash: data.hash })).code).toBe(0)
    const told = async () => (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]!
    expect(await told()).toMatchObject({ diff_count: 5, confirmed_at: expect.any(String) })
    expect((await rehearse({ holdings: [] })).data.hash).toBe(data.hash)
    expect((await told()).confirmed_at).not.toBeNull()
    await rehearse({ holdings: [{ code: data.rows[0]!.code, volume: 10 }] })
    expect((await told()).confirmed_at).toBeNull()
  })

  test('is nothing to be confirmed once the way of trading was changed', async () => {
    const { data } = await rehearse({ holdings: [] })
    await ask('PUT', `/trading-config/${ids.trading}`, qmtTrading({ hold_rank: 7, heartbeat: '09:16' }))
    expect(await ask('POST', `/config/${config}/confirm`, { hash: data.hash })).toMatchObject({ status: 409, code: 40009 })
  })

  test('that ends late is not confirmed by what was agreed to meanwhile', async () => {
    const row = async () => (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]!
    await rehearse({ holdings: [] })
    const other = [{ code: '110901.SH', volume: 10 }]
    let meanwhile = async () => {
      meanwhile = async () => undefined
      const { data } = await rehearse({ holdings: other })
      await ask('POST', `/config/${config}/confirm`, { hash: data.hash })
      expect((await row()).confirmed_at).not.toBeNull()
    }
    const compute: World['compute'] = {
      ...world.compute,
      call: async (...given) => {
        const answer = await world.compute.call(...given)
        await meanwhile()
        return answer
      },
    }
    await dryRun({ ...world, compute }, user.id, config, { holdings: [] }, new AbortController().signal)
    expect((await row()).confirmed_at).toBeNull()
  })
})

describe('an export', () => {
  test('is a zip of the config and the client, marked while nobody has looked, with no secret in it', async () => {
    const answer = await exported()
    expect(answer.statusCode).toBe(200)
    const name = decodeURIComponent(/filename\*=UTF-8''(.+)$/.exec(String(answer.headers['content-disposition']))![1]!)
    expect(name).toBe('双低实盘-20261123_未确认.zip')
    expect(answer.headers['x-sha256']).toBe(createHash('sha256').update(answer.rawPayload).digest('hex'))
    const files = unzip(answer.rawPayload)
    const settings = JSON.parse(files.get('config.json')!.toString('utf8'))
    expect(settings).toMatchObject({
      format: 1,
      api_key: '',
      config_id: config,
      account: { label: '主账户 ****0001' },
      trading: { dry_run: true },
    })
    expect([...files.keys()]).toContain('convexa_qmt/__init__.py')
    expect(files.get('config.json')!.toString('utf8')).not.toMatch(/70010001|qmt_/)
  })

  test('has no mark once it was confirmed', async () => {
    const { data } = await rehearse({ holdings: [] })
    await ask('POST', `/config/${config}/confirm`, { hash: data.hash })
    expect(decodeURIComponent(String((await exported()).headers['content-disposition']))).toContain('双低实盘-20261123.zip')
  })

  test('with a key carries a new one, and needs the password', async () => {
    await database.db.updateTable('session').set({ re_auth_until: null }).execute()
    expect((await exported('?with_key=1')).json()).toMatchObject({ code: 11013 })
    await showPassword()
    const settings = JSON.parse(
      unzip((await exported('?with_key=1')).rawPayload)
        .get('config.json')!
        .toString('utf8'),
    )
    expect((await pull(monday, settings.api_key)).code).toBe(0)
    // The old one lives ten minutes more.
    expect((await pull()).code).toBe(0)
    key = settings.api_key
  })

  test('and a confirmation are refused while trading is stopped (24005)', async () => {
    await ask('PUT', '/kill-switch', { on: true })
    expect((await exported()).json()).toMatchObject({ code: 24005 })
    expect(await ask('POST', `/config/${config}/confirm`, { hash: 'a'.repeat(64) })).toMatchObject({ status: 409, code: 24005 })
    await ask('PUT', '/kill-switch', { on: false })
  })
})

describe('a client', () => {
  test('pulls targets of its day: once made they stay the same, with a checksum it can count', async () => {
    const { data } = await pull()
    expect(data).toMatchObject({ date: monday, signal_date: friday, halt: false, valid_until: `${monday}T15:00:00+08:00`, money: 98_000 })
    expect(data.items.filter(({ weight }) => weight > 0).map(({ weight }) => weight)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2])
    expect(data.items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(checksumOf(data)).toBe(data.checksum)
    now = new Date(`${monday}T14:52:00+08:00`)
    expect((await pull()).data).toEqual(data)
    expect((await ask('GET', '/apikey')).data).toMatchObject({ last_used_at: expect.any(String), last_ip: '127.0.0.1' })
  })

  test('pulls for no other day, and nothing after the close', async () => {
    expect(await pull('2026-11-24')).toMatchObject({ status: 400, code: 21007 })
    now = new Date(`${monday}T15:00:01+08:00`)
    expect(await pull()).toMatchObject({ status: 400, code: 21007 })
    // Nobody brought the data of Monday: on Tuesday there is no signal.
    now = new Date('2026-11-24T14:49:00+08:00')
    expect(await pull('2026-11-24')).toMatchObject({ status: 409, code: 24006 })
    // By its name Monday is pulled on Monday only; to rehearse, the next day to come is, and on Monday they are the same.
    now = new Date('2026-11-22T20:00:00+08:00')
    const sunday = await pull()
    expect(sunday).toMatchObject({ status: 400, code: 21007 })
    expect(sunday.msg).toContain(`今天是 2026-11-22，下一个可交易日是 ${monday}`)
    const ahead = await client<Targets>('GET', `/targets?config_id=${config}`)
    expect(ahead.data).toMatchObject({ date: monday, signal_date: friday, halt: false })
    now = mondayNoon
    expect((await pull()).data.items).toEqual(ahead.data.items)
  })

  test('gets what its rule says now: neither a rehearsal nor a pull of before binds it until something was ordered', async () => {
    const places = async () => (await pull()).data.items.filter(({ weight }) => weight > 0).length
    const change = async (count: number) => {
      const { version } = await database.db
        .selectFrom('strategy')
        .select('version')
        .where('id', '=', ids.strategy)
        .executeTakeFirstOrThrow()
      await changeStrategy(world, user.id, 'cb', ids.strategy, { detail: parameters('cb', 'close', count, 1), base_version: version })
    }
    await database.db.deleteFrom('qmt_targets').execute()
    expect((await client<Targets>('GET', `/targets?config_id=${config}`)).data.items.filter(({ weight }) => weight > 0)).toHaveLength(5)
    await change(3)
    expect(await places()).toBe(3)
    await change(5)
    expect(await places()).toBe(5)
    expect((await client<Targets>('GET', `/targets?config_id=${config}`)).data).toEqual((await pull()).data)
  })

  test('is halted at its next pull by the kill switch, by a config or an account that is off', async () => {
    await ask('PUT', '/kill-switch', { on: true })
    const began = performance.now()
    const { data } = await pull()
    expect(data).toMatchObject({ halt: true, halt_reason: '自动交易已急停', items: [] })
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(checksumOf(data)).toBe(data.checksum)
    await ask('PUT', '/kill-switch', { on: false })
    await ask('PUT', `/config/${config}`, qmtConfig(ids, { enabled: false }))
    expect((await pull()).data).toMatchObject({ halt: true, halt_reason: '运行配置已停用' })
    await ask('PUT', `/config/${config}`, qmtConfig(ids))
    const { account_no: _no, ...account } = qmtAccount({ is_enabled: false })
    await ask('PUT', `/account/${ids.account}`, account)
    expect((await pull()).data).toMatchObject({ halt: true, halt_reason: '账户已停用' })
    await ask('PUT', `/account/${ids.account}`, { ...account, is_enabled: true })
    expect((await pull()).data.halt).toBe(false)
  })

  const fill = (over: Partial<Fill> = {}): Fill => ({
    ...{ order_id: 'ABCD2345', trade_date: monday, code: '110901.SH', side: 'buy', volume: 100, filled: 40, price: 101.5 },
    ...{ status: 'open', note: '', dry_run: false, ordered_at: `${monday}T14:50:01+08:00`, ...over },
  })

  test('tells fills: again is once, what it knew earlier never undoes what it knows', async () => {
    for (const one of [fill(), fill(), fill({ filled: 100, status: 'filled' }), fill({ filled: 40 })]) {
      expect((await client('POST', '/fills', { config_id: config, fills: [one] })).code).toBe(0)
    }
    const { data } = await ask<{ total: number; list_items: object[] }>('GET', `/config/${config}/fills`)
    expect(data).toMatchObject({ total: 1, list_items: [{ order_id: 'ABCD2345', filled: 100, amount: 10_150, status: 'filled' }] })
  })

  test('tells an order as open when it has ended already: a call that was late changes nothing', async () => {
    const told = [fill({ order_id: 'LATE2345', status: 'part_cancelled' }), fill({ order_id: 'LATE2345' })]
    for (const one of told) await client('POST', '/fills', { config_id: config, fills: [one] })
    const { data } = await ask<{ list_items: { order_id: string; status: string }[] }>('GET', `/config/${config}/fills`)
    expect(data.list_items.find((one) => one.order_id === 'LATE2345')).toMatchObject({ filled: 40, status: 'part_cancelled' })
    await database.db.deleteFrom('qmt_fill').where('order_id', '=', 'LATE2345').execute()
  })

  test('that has traded keeps the targets of the day, whatever is changed of the config', async () => {
    const before = (await pull()).data
    await ask('PUT', `/config/${config}`, qmtConfig(ids, { capital: 20 }))
    expect((await pull()).data).toEqual(before)
    await database.db.deleteFrom('qmt_fill').execute()
    expect((await pull()).data).toMatchObject({ money: 196_000, config_version: before.config_version + 1 })
  })

  test('tells what it holds: the next dry run reads it', async () => {
    const holdings = [{ code: '110901.SH', volume: 100 }]
    const beat = { config_id: config, client_version: '1.0.0', dry_run: true, holdings }
    expect((await client('POST', '/heartbeat', beat)).data).toMatchObject({ halt: false, halt_reason: '' })
    expect((await rehearse()).data).toMatchObject({ holdings_from: 'heartbeat', holdings, holdings_at: expect.any(String) })
  })

  test('that remembers nothing of what it holds is halted, and one on paper takes nothing back', async () => {
    const live = (body: object) => client('POST', '/heartbeat', { config_id: config, client_version: '1.2.0', dry_run: false, ...body })
    const held = async () => (await rehearse()).data.holdings
    const holdings = [{ code: '110901.SH', volume: 100 }]
    // What was told on paper stops nobody who begins.
    expect((await live({ holdings: [], fresh: true })).data).toMatchObject({ halt: false })
    await live({ holdings, fresh: false })
    // The archive unpacked in another folder.
    expect((await live({ holdings: [], fresh: true })).data).toMatchObject({
      halt: true,
      halt_reason: expect.stringContaining('持有的 1 只证券'),
    })
    expect(await held()).toEqual(holdings)
    // All of it was found again in the terminal's list of today.
    expect((await live({ holdings, fresh: true })).data).toMatchObject({ halt: false })
    await showPassword()
    await ask('PUT', `/trading-config/${ids.trading}`, qmtTrading({ hold_rank: 7, dry_run: false }))
    await live({ holdings: [], dry_run: true })
    expect(await held()).toEqual(holdings)
    await ask('PUT', `/trading-config/${ids.trading}`, qmtTrading({ hold_rank: 7 }))
    await live({ holdings: [], dry_run: true })
    expect(await held()).toEqual([])
  })

  test('without a right key is refused in its own words and never as a lost login (24008)', async () => {
    for (const wrong of ['', 'qmt_', `qmt_${'a'.repeat(43)}`, user.token, "' or 1=1 --"]) {
      expect(await pull(monday, wrong)).toMatchObject({ status: 400, code: 24008, msg: 'API密钥无效' })
    }
    const anonymous = await app.inject({ method: 'GET', url: `/v1/qmt-client/targets?config_id=${config}&date=${monday}` })
    expect(anonymous.json()).toMatchObject({ code: 24008 })
    await sql`update qmt_key set expires_at = now() - interval '1 second'`.execute(database.db)
    expect(await pull()).toMatchObject({ status: 400, code: 24008 })
    await sql`update qmt_key set expires_at = null where tail = ${key.slice(-4)}`.execute(database.db)
    expect((await pull()).code).toBe(0)
  })

  test('of somebody else’s finds nothing, with the same words as for what is not there', async () => {
    const other = await newUser(database.db)
    await showPassword(other)
    const { data } = await asked<{ api_key: string }>('PUT', '/v1/quant/qmt/apikey', { token: other.token })
    const body = (config_id: string) => ({ config_id, client_version: '1', dry_run: true, holdings: [] })
    const calls: ((id: string) => Promise<unknown>)[] = [
      (id) => client('GET', `/targets?config_id=${id}&date=${monday}`, undefined, data.api_key),
      (id) => client('POST', '/heartbeat', body(id), data.api_key),
      (id) => client('POST', '/fills', { config_id: id, fills: [fill()] }, data.api_key),
    ]
    for (const call of calls) {
      const foreign = await call(config)
      expect(foreign).toMatchObject({ status: 404, code: 40004 })
      expect(foreign).toEqual(await call(uuid()))
    }
  })

  test('opens no other call with its key', async () => {
    for (const { method, path, auth } of endpoints.filter((one) => one.auth && !one.stream)) {
      if (!auth) continue
      const url = path.replace(/\{[^}]+\}/g, config)
      const answer = await app.inject({ method, url, headers: { 'x-api-key': key, 'access-token': key } })
      expect([path, answer.statusCode]).toEqual([path, 401])
    }
  })

  test('asks sixty times a minute and no more', async () => {
    const codes = []
    for (let i = 0; i < 62; i++) codes.push((await client('POST', '/heartbeat', {})).code)
    expect(codes.slice(0, 60).every((code) => code === 40000)).toBe(true)
    expect(codes.slice(60)).toEqual([40029, 40029])
  })
})

test('from a config to an export to a client in a simulator to its fills on the page', async ({ skip }) => {
  if (!hasPython) skip('python3 is not here: the client was not run')
  const folder = mkdtempSync(join(tmpdir(), 'qmt-client-'))
  try {
    for (const [name, bytes] of unzip((await exported('?with_key=1')).rawPayload)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), bytes)
    }
    const settings = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as object
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    // The evening before: a rehearsal needs no trading hours.
    now = new Date('2026-11-22T20:00:00+08:00')
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...settings, server: address }))
    const { status, said } = await python([join(folder, 'run_simulator.py')])
    expect([status, said]).toEqual([0, expect.stringMatching(/今日委托 [1-9]\d* 笔.*未到目标 0 只/)])
    // A rehearsal is a day once; the same day again has nothing left to do.
    expect((await python([join(folder, 'run_simulator.py')])).said).toContain(/今日委托.*/.exec(said)![0])
    const rehearsed = (await rehearse({ holdings: [] })).data.rows.map(({ code, target }) => [code, target])
    const { data } = await ask<{ list_items: { code: string; filled: number; dry_run: boolean }[] }>(
      'GET',
      `/config/${config}/fills?limit=100`,
    )
    const filled = new Map<string, number>()
    for (const one of data.list_items) filled.set(one.code, (filled.get(one.code) ?? 0) + one.filled)
    expect([...filled].sort()).toEqual(rehearsed.sort())
    expect(data.list_items.every(({ dry_run }) => dry_run)).toBe(true)
    expect((await rehearse()).data).toMatchObject({ holdings_from: 'heartbeat', buy_amount: 0, sell_amount: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('exports are counted by day; one that is refused is not, nor does it make a key', async () => {
  const used = async () => (await usesToday(database.db, user.id)).get('export') ?? 0
  const setUsed = (count: number) =>
    database.db.updateTable('quota_use').set({ used: count }).where('user_id', '=', user.id).where('item', '=', 'export').execute()
  const before = await used()
  expect((await exported()).statusCode).toBe(200)
  const head = await app.inject({
    method: 'HEAD',
    url: `/v1/quant/qmt/config/export/${config}?with_key=1`,
    headers: { 'access-token': user.token },
  })
  expect(head.statusCode).toBe(405)
  expect(await used()).toBe(before + 1)
  await ask('PUT', '/kill-switch', { on: true })
  expect((await exported()).json()).toMatchObject({ code: 24005 })
  await ask('PUT', '/kill-switch', { on: false })
  expect(await used()).toBe(before + 1)
  await setUsed(20)
  const known = (await ask('GET', '/apikey')).data
  const refused = await exported('?with_key=1')
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 21002, msg: expect.stringContaining('每日配置导出 200 次') }])
  expect((await ask('GET', '/apikey')).data).toEqual(known)
  await setUsed(before)
})

test('demo data are rehearsed and never exported (24011)', async () => {
  await publishSmallMarket(database.db, dataDir, { kind: 'stk', from: '2026-06-01', to: friday, securities: 10 })
  const strategy = (await addStrategy(world, user.id, 'stk', { strategy_name: '低价', detail: parameters('stk', 'close', 3, 1) })).id
  const body = qmtConfig({ ...ids, strategy }, { name: '演示', kind: 'stk' })
  const demo = (await ask<{ id: string }>('POST', '/config', body)).data.id
  const { data } = await ask<DryRun>('POST', `/config/${demo}/dry-run`, {})
  expect(data).toMatchObject({ data_mode: 'demo', warnings: ['演示数据仅供演练，不能导出与交易'] })
  expect(await ask('GET', `/config/export/${demo}`)).toMatchObject({ status: 409, code: 24011 })
  const pulled = await client('GET', `/targets?config_id=${demo}&date=${monday}`)
  expect(pulled).toMatchObject({ status: 409, code: 24011 })
})
