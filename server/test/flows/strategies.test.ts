import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  CustomizedFactor,
  GroupBody,
  GroupDetail,
  GroupListItem,
  Parameters,
  StrategyDetail,
  StrategyListItem,
  StrategyVersion,
} from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { limits } from '../../src/usage/limits.ts'
import { sweepAccounts } from '../../src/user/deletion.ts'
import { asking } from '../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { hostile } from '../fixtures/hostile.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { newUser, type TestUser } from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'
import { testWorld } from '../fixtures/world.ts'

// Strategies and groups as their owner keeps them.

let database: TestDatabase
let dataDir: string
let app: FastifyInstance
let user: TestUser

const { ask } = asking(() => app)
const cb = '/v1/quant/convertible-bond'
const rule = (factor = 'close', hold = 5): Parameters => parameters('cb', factor, hold, 1)
const save = (strategy_name: string, over: object = {}, at = cb, who = user) =>
  ask<{ id: string } | null>('POST', `${at}/strategy`, { token: who.token, body: { strategy_name, detail: rule(), ...over } })
const saved = async (strategy_name: string, over: object = {}, at = cb): Promise<string> => {
  const { data, msg } = await save(strategy_name, over, at)
  if (!data) throw new Error(msg)
  return data.id
}
const change = (id: string, base_version: number, over: object = {}) =>
  ask<{ id: string; version: number }>('PUT', `${cb}/strategy/${id}`, {
    token: user.token,
    body: { detail: rule(), base_version, ...over },
  })
const detail = async (id: string) => (await ask<StrategyDetail>('GET', `${cb}/strategy/detail/${id}`, { token: user.token })).data
const list = async (at = cb, who = user) =>
  (await ask<{ list_items: StrategyListItem[] }>('GET', `${at}/strategy/list`, { token: who.token })).data.list_items
const remove = (id: string) => ask('DELETE', `${cb}/strategy/${id}`, { token: user.token })

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'strategies-'))
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2022-01-04', to: '2022-03-31', securities: 12 })
  app = await buildApp(testWorld(database, { config: { dataDir } }).context)
})
beforeEach(async () => {
  user = await newUser(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a strategy', () => {
  test('is saved, listed and read unchanged', async () => {
    const { settings } = request('cb', { start: '2022-01-04', end: '2022-03-31' })
    const given = { remark: '持有5只\n等权', detail: rule('dblow'), settings, tags: ['双低', ' 双低 ', '小规模'] }
    const id = await saved(' 双低10 ', given)
    const found = await detail(id)
    expect(found).toMatchObject({ id, strategy_name: '双低10', remark: given.remark, detail: given.detail, settings, version: 1 })
    expect(found).toMatchObject({ tags: ['双低', '小规模'], glance: null, own_factors: [], previous: null, groups: [], backtest_count: 0 })
    const {
      detail: _rule,
      settings: _settings,
      own_factors: _own,
      previous: _previous,
      groups: _groups,
      kept_meanings,
      similar,
      ...listed
    } = found
    expect(kept_meanings).toEqual([])
    expect(similar).toEqual([])
    expect(await list()).toEqual([listed])
    expect(await list('/v1/quant/stock')).toEqual([])
  })

  test('keeps its last twenty versions', async () => {
    const id = await saved('甲', { settings: request('cb', { start: '2022-01-04', end: '2022-03-31' }).settings })
    expect((await change(id, 1, { detail: rule('dblow'), tags: ['新'] })).data).toEqual({ id, version: 2 })
    const found = await detail(id)
    expect(found).toMatchObject({ version: 2, detail: rule('dblow'), tags: ['新'], previous: { version: 1, detail: rule() } })
    // What a change leaves out stays.
    expect(found.settings).toEqual(found.previous?.settings)
    for (let version = 2; version < 25; version++) await change(id, version)
    const kept = (await ask<{ list_items: StrategyVersion[] }>('GET', `${cb}/strategy/${id}/versions`, { token: user.token })).data
      .list_items
    expect(kept.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, i) => 25 - i))
    expect(kept[0]).toEqual({ version: 25, detail: rule(), settings: found.settings, saved_at: kept[0]?.saved_at })
  })

  test('lists changes by a newer engine until it is saved again', async () => {
    const id = await saved('甲')
    const told = ['持有到赎回兑付自引擎 0.5 起按赎回价、在兑付日到账']
    await database.db.updateTable('strategy').set({ kept_meanings: told }).where('id', '=', id).execute()
    expect((await detail(id)).kept_meanings).toEqual(told)
    await ask('PUT', `${cb}/strategy/${id}/name`, { token: user.token, body: { strategy_name: '乙' } })
    expect((await detail(id)).kept_meanings).toEqual(told)
    await change(id, 1)
    expect((await detail(id)).kept_meanings).toEqual([])
  })

  test('is saved by one of several concurrent requests; the others get 40009 and change nothing', async () => {
    const id = await saved('甲')
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => change(id, 1, { detail: rule('close', i + 1) })))
    expect(answers.map(({ status, code }) => `${status} ${code}`).sort()).toEqual(['200 0', ...Array(7).fill('409 40009')])
    const first = answers.findIndex(({ code }) => code === 0)
    expect(await detail(id)).toMatchObject({ version: 2, detail: rule('close', first + 1) })
    expect((await change(id, 3)).code).toBe(40009)
  })

  test('gets another name or note without a new version', async () => {
    const id = await saved('甲')
    const put = (what: string, body: object) => ask('PUT', `${cb}/strategy/${id}/${what}`, { token: user.token, body })
    expect(await put('name', { strategy_name: '乙' })).toMatchObject({ status: 200, data: {} })
    expect(await put('remark', { remark: '第一句', tags: ['双低', ' 双低 '] })).toMatchObject({ status: 200, data: {} })
    // Tags that are not named stay.
    expect(await put('remark', { remark: '第二句' })).toMatchObject({ status: 200, data: {} })
    expect(await detail(id)).toMatchObject({ strategy_name: '乙', remark: '第二句', tags: ['双低'], version: 1 })
    await saved('丙')
    expect(await put('name', { strategy_name: '丙' })).toMatchObject({ status: 409, code: 21003 })
    expect(await put('name', { strategy_name: ' ' })).toMatchObject({ status: 400, code: 21004 })
    expect(await put('remark', { remark: '长'.repeat(201) })).toMatchObject({ status: 400, code: 40000 })
  })

  test.each([
    ['', 21004],
    ['  ', 21004],
    ['五'.repeat(51), 21004],
    ['五'.repeat(50), 0],
    ['e\u0301', 0],
    ['\u200b', 21004],
    ['a\u0000', 40000],
  ])('called %j is %i', async (name, code) => {
    expect((await save(name)).code).toBe(code)
  })

  test('has a name that is unique in its market, ignoring case', async () => {
    await saved('Low 10')
    expect(await save('low 10')).toMatchObject({ status: 409, code: 21003 })
    expect((await save('LOW 10', {}, '/v1/quant/stock')).code).toBe(0)
    const answers = await Promise.all(Array.from({ length: 6 }, () => save('同名')))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(5).fill(21003)])
  })

  test.each<[string, object, number, RegExp]>([
    ['an unknown factor', rule('closs'), 22009, /closs/],
    ['half a formula', rule('formula: close +'), 22002, /语法/],
    ['no factor at all', { ...rule(), rank_factors: [] }, 40000, /./],
    ['a member that is none', { ...rule(), formula: 'x' }, 40000, /策略条件中不认识的字段「formula」/],
  ])('with %s is refused', async (_name, given, code, words) => {
    const { status, ...answer } = await save('甲', { detail: given })
    expect([status, answer.code]).toEqual([400, code])
    expect(answer.msg).toMatch(words)
    expect(await list()).toEqual([])
  })

  test('counts against the limit of the plan', async () => {
    const id = await saved('第一')
    const { strategies } = limits.free
    await sql`insert into strategy (id, user_id, kind, name, remark, tags, detail, factor_versions)
      select gen_random_uuid(), user_id, kind, 'n' || n, '', '{}', detail, '{}' from strategy, generate_series(1, ${strategies - 2}::int) n where id = ${id}`.execute(
      database.db,
    )
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => save(`还有${i}`)))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(4).fill(21005)])
    expect(answers.find(({ code }) => code === 21005)?.msg).toBe(
      `策略数量已达上限（每个市场 ${strategies} 个）；会员可提升额度（保存的策略 每个市场 ${limits.vip.strategies} 个）`,
    )
    expect((await save('那边', {}, '/v1/quant/stock')).code).toBe(0)
  })

  test('stores forty hostile texts unchanged or rejects them', async () => {
    for (const [i, text] of hostile.entries()) {
      const given = { strategy_name: `n${i}`, remark: text, tags: [text] }
      const { status, code, data } = await save(given.strategy_name, given)
      expect([i, status === 200 || status === 400, code === 0]).toEqual([i, true, status === 200])
      if (!data) continue
      expect(await detail(data.id)).toMatchObject({ remark: text, tags: [text.normalize('NFC').trim()].filter(Boolean) })
      await remove(data.id)
    }
  })
})

describe('a custom factor in a strategy', () => {
  const factor = (factor_name: string, formula: string) =>
    ask<CustomizedFactor>('POST', `${cb}/customized-factors`, { token: user.token, body: { factor_name, formula } })
  const drop = (id: string, query = '') => ask('DELETE', `${cb}/customized-factors/${id}${query}`, { token: user.token })

  test('is deleted only after confirmation, and the strategy names the missing factor', async () => {
    const { data: own } = await factor('我的', 'close * 2')
    const id = await saved('甲', { detail: rule(own.factor_key) })
    await saved('乙', { detail: rule(`formula: ${own.factor_key} + 1`) })
    expect(await drop(own.id)).toMatchObject({ status: 409, code: 21010, msg: '该因子正被2个策略使用，确认后可删除' })
    expect((await detail(id)).own_factors).toEqual([{ factor_key: own.factor_key, factor_name: '我的', saved_version: 1, version: 1 }])
    await ask('PUT', `${cb}/customized-factors/${own.id}`, { token: user.token, body: { factor_name: '我的', formula: 'close * 3' } })
    expect((await detail(id)).own_factors).toMatchObject([{ saved_version: 1, version: 2 }])
    await change(id, 1, { detail: rule(own.factor_key) })
    expect((await detail(id)).own_factors).toMatchObject([{ saved_version: 2, version: 2 }])
    expect(await drop(own.id, '?force=1')).toMatchObject({ status: 200 })
    expect((await detail(id)).own_factors).toMatchObject([{ factor_name: own.factor_key, saved_version: 2, version: null }])
  })

  test('used by another factor of the strategy counts as well: its change changes the strategy', async () => {
    const { data: inner } = await factor('内', 'close * 2')
    const { data: outer } = await factor('外', '内 + 1')
    const id = await saved('嵌套', { detail: rule(outer.factor_key) })
    await ask('PUT', `${cb}/customized-factors/${inner.id}`, { token: user.token, body: { factor_name: '内', formula: 'close * 3' } })
    expect((await detail(id)).own_factors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ factor_key: inner.factor_key, saved_version: 1, version: 2 }),
        expect.objectContaining({ factor_key: outer.factor_key, saved_version: 1, version: 1 }),
      ]),
    )
    for (const one of [outer, inner]) await drop(one.id, '?force=1')
  })

  test('named by its label is stored by its key, so a rename changes nothing', async () => {
    const { data: own } = await factor('我的', 'close * 2')
    const id = await saved('甲', { detail: rule('formula: `我的` * 2 + open') })
    expect((await detail(id)).detail.rank_factors[0]?.factor_key).toBe(`formula: ${own.factor_key} * 2 + open`)
    expect((await drop(own.id)).code).toBe(21010)
    // Another one's own factor is unknown.
    const other = await newUser(database.db)
    expect((await save('偷', { detail: rule(own.factor_key) }, cb, other)).code).toBe(22009)
  })
})

describe('a group', () => {
  let members: string[]
  beforeEach(async () => {
    members = [await saved('甲'), await saved('乙', { detail: rule('dblow') }), await saved('丙')]
  })
  const body = (over: object = {}): GroupBody => ({
    group_name: '稳健组合',
    members: members.map((strategy_id, i) => ({ strategy_id, weight: [0.4, 0.3, 0.3][i]! })),
    rebalance: 'monthly',
    duplicate: 'merge',
    ...over,
  })
  const add = (over: object = {}, at = cb) => ask<{ id: string }>('POST', `${at}/strategy/group`, { token: user.token, body: body(over) })
  const read = async (id: string) => (await ask<GroupDetail>('GET', `${cb}/strategy/group/detail/${id}`, { token: user.token })).data
  const groups = async () =>
    (await ask<{ list_items: GroupListItem[] }>('GET', `${cb}/strategy/group/list`, { token: user.token })).data.list_items

  test('is created, listed, read, changed and deleted; its members stay', async () => {
    const { data } = await add({ remark: '三只脚' })
    const listed = { id: data.id, group_name: '稳健组合', remark: '三只脚', rebalance: 'monthly', duplicate: 'merge', glance: null }
    const named = ['甲', '乙', '丙'].map((strategy_name, i) => ({ strategy_id: members[i], strategy_name, weight: [0.4, 0.3, 0.3][i] }))
    expect(await groups()).toMatchObject([{ ...listed, members: named }])
    expect(await read(data.id)).toMatchObject({
      ...listed,
      members: named.map((one, i) => ({ ...one, detail: rule(i === 1 ? 'dblow' : 'close'), as_of: null, correlation: null })),
      combined_list: [],
      correlation: [
        [1, null, null],
        [null, 1, null],
        [null, null, 1],
      ],
    })
    const two = { members: [members[2], members[0]].map((strategy_id) => ({ strategy_id, weight: 0.5 })), duplicate: 'separate' }
    const put = await ask('PUT', `${cb}/strategy/group/${data.id}`, { token: user.token, body: body({ ...two, rebalance: 'never' }) })
    expect(put).toMatchObject({ status: 200, data: { id: data.id } })
    expect(await read(data.id)).toMatchObject({
      remark: '三只脚',
      rebalance: 'never',
      duplicate: 'separate',
      members: [{ strategy_name: '丙' }, { strategy_name: '甲' }],
    })
    expect((await detail(members[0]!)).groups).toEqual([{ id: data.id, group_name: '稳健组合' }])
    expect(await ask('DELETE', `${cb}/strategy/group/${data.id}`, { token: user.token })).toMatchObject({ status: 200, data: {} })
    expect(await groups()).toEqual([])
    expect(await list()).toHaveLength(3)
  })

  test('protects its members from deletion', async () => {
    const { data } = await add()
    expect(await remove(members[1]!)).toMatchObject({ status: 409, code: 21006 })
    await ask('DELETE', `${cb}/strategy/group/${data.id}`, { token: user.token })
    expect(await remove(members[1]!)).toMatchObject({ status: 200 })
  })

  const half = (strategy_id: string) => ({ strategy_id, weight: 0.5 })
  test.each<[string, () => object, number, string]>([
    [
      'shares of 95 %',
      () => ({ members: members.slice(0, 2).map((strategy_id) => ({ strategy_id, weight: 0.475 })) }),
      40000,
      '请求参数有误：资金占比合计须为 100%（当前 95%）',
    ],
    ['one member', () => ({ members: [{ strategy_id: members[0], weight: 1 }] }), 40000, '请求参数有误：成员'],
    ['the same member twice', () => ({ members: [half(members[0]!), half(members[0]!)] }), 40000, '请求参数有误：同一策略只能加入一次'],
    ['a member that is nobody’s', () => ({ members: [half(members[0]!), half(uuid())] }), 40004, '内容不存在或已被删除'],
    ['no name', () => ({ group_name: ' ' }), 21004, '名称需为1至50个字符'],
    ['another rhythm', () => ({ rebalance: 'weekly' }), 40000, '请求参数有误：再平衡'],
  ])('with %s is refused', async (_name, over, code, msg) => {
    expect(await add(over())).toMatchObject({ code, msg })
    expect(await groups()).toEqual([])
  })

  test('has members of its own market and its own user only', async () => {
    expect((await add({}, '/v1/quant/stock')).code).toBe(40004)
    const other = await newUser(database.db)
    const theirs = (await save('别人的', {}, cb, other)).data!.id
    expect((await add({ members: [half(members[0]!), half(theirs)] })).code).toBe(40004)
    const { data } = await add()
    const put = (over: object) => ask('PUT', `${cb}/strategy/group/${data.id}`, { token: user.token, body: body(over) })
    expect(await put({ members: [half(members[0]!), half(theirs)] })).toMatchObject({ status: 404, code: 40004 })
    expect((await read(data.id)).members.map(({ strategy_id }) => strategy_id)).toEqual(members)
    // What a statement forgot, the keys of the table hold.
    const row = { group_id: data.id, strategy_id: theirs, user_id: user.id, kind: 'cb' as const, weight: 0.1, place: 9 }
    await expect(database.db.insertInto('strategy_group_member').values(row).execute()).rejects.toThrow(/foreign key/)
  })

  test('has a unique name and counts against the limit of the plan', async () => {
    await add()
    expect((await add()).code).toBe(21003)
    const { data: second } = await add({ group_name: '第二个' })
    const renamed = await ask('PUT', `${cb}/strategy/group/${second.id}`, { token: user.token, body: body() })
    expect(renamed).toMatchObject({ status: 409, code: 21003 })
    expect(await ask('DELETE', `${cb}/strategy/group/${second.id}`, { token: user.token })).toMatchObject({ status: 200 })
    const answers = await Promise.all(Array.from({ length: limits.free.groups + 2 }, (_, i) => add({ group_name: `组${i}` })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(limits.free.groups - 1)
    expect(answers.find(({ code }) => code === 21005)?.msg).toBe(
      `策略组数量已达上限（每个市场 ${limits.free.groups} 个）；会员可提升额度（策略组 每个市场 ${limits.vip.groups} 个）`,
    )
  })

  test('is deleted with its account and part of its export', async () => {
    await add()
    await sql`update session set re_auth_until = now() + interval '1 minute' where user_id = ${user.id}`.execute(database.db)
    const { data } = await ask<Record<string, { name?: string }[]>>('GET', '/v1/user/export', { token: user.token })
    expect(data['strategies']?.map(({ name }) => name)).toEqual(['甲', '乙', '丙'])
    expect(data['strategy_groups']).toMatchObject([{ name: '稳健组合' }])
    expect(data['strategy_group_members']).toHaveLength(3)
    expect(data['strategy_versions']).toHaveLength(3)
    await sql`update app_user set deletion_at = now() - interval '1 second' where id = ${user.id}`.execute(database.db)
    expect(await sweepAccounts(database.db)).toMatchObject({ deleted: 1 })
    for (const table of ['strategy', 'strategy_version', 'strategy_group', 'strategy_group_member'] as const) {
      expect(await database.db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()).toEqual([])
    }
  })
})
