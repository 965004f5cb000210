import type {
  CustomizedFactor,
  FactorMeta,
  FactorVersions,
  RealtimeFactors,
  Report,
  ScreenResult,
  SecurityFactors,
} from '@convexa/contract'
import { describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/usage/limits.ts'
import { call, newUser, openStream } from '../fixtures/processes.ts'
import { parameters, request } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// A user's own factors, from the first save to a run that keeps its version.

const { database, api } = await testSite({ markets: [{ kind: 'cb', from: '2022-01-04', to: '2022-12-30', securities: 40 }] })

const cb = '/v1/quant/convertible-bond'
const save = (body: object, who = user) => call<CustomizedFactor>(api, who, 'POST', `${cb}/customized-factors`, body)
const change = (id: string, body: object, who = user) => call<CustomizedFactor>(api, who, 'PUT', `${cb}/customized-factors/${id}`, body)
const remove = (id: string, force = '', who = user) => call(api, who, 'DELETE', `${cb}/customized-factors/${id}${force}`)
const screen = (factor: string, who = user) =>
  call<ScreenResult>(api, who, 'POST', `${cb}/realtime-screen`, { parameters: parameters('cb', factor, 5, 5) })
const values = (keys: string[], who = user) =>
  call<RealtimeFactors>(
    api,
    who,
    'GET',
    `${cb}/realtime-factors?${new URLSearchParams([['with_values', '1'], ...keys.map((key) => ['keys', key])])}`,
  )

const user = await newUser(database.db)
const other = await newUser(database.db, 1)

describe('a custom factor', () => {
  let made: CustomizedFactor

  test('is saved with its key, its canonical text and its look-back', async () => {
    const answer = await save({ factor_name: ' 双低均值 ', formula: 'MA(收盘价 + 转股溢价率*100, 5)', unit: '元', prefer_default: 'small' })
    expect(answer).toMatchObject({
      status: 200,
      code: 0,
      data: { version: 1, formula: 'ts_mean(close + conv_prem * 100, 5)', lookback: 4 },
    })
    made = answer.data
    expect(made.factor_key).toMatch(/^custom_[a-z2-9]{6}$/)
    // A list may come before its shares are counted.
    const data = await vi.waitUntil(
      async () => {
        const list = (await call<FactorMeta[]>(api, user, 'GET', `${cb}/factors/custom`)).data
        return list[0]?.coverage !== null && list
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(data).toMatchObject([
      {
        id: made.id,
        factor_key: made.factor_key,
        factor_name: '双低均值',
        factor_type: 1,
        category: '自定义',
        available: true,
        coverage: 1,
        unit: '元',
        prefer_default: 'small',
        formula: 'MA(收盘价 + 转股溢价率*100, 5)',
        version: 1,
        used_by: 0,
      },
    ])
    const all = await call<FactorMeta[]>(api, user, 'GET', `${cb}/factors/all`)
    expect(all.data.at(-1)?.factor_key).toBe(made.factor_key)
    expect((await call<FactorMeta[]>(api, user, 'GET', `${cb}/factors/base`)).data.some(({ factor_type }) => factor_type === 1)).toBe(false)
  })

  test('ranks a screen, is usable in formulas and listed with a security’s factors', async () => {
    const own = await screen(made.factor_key)
    const same = await screen(`formula: ${made.formula}`)
    expect(own.data.list_items.map(({ code }) => code)).toEqual(same.data.list_items.map(({ code }) => code))
    expect(own.data.list_items[0]?.score_parts).toHaveProperty(made.factor_key)
    const { data } = await values([made.factor_key, `formula: ${made.factor_key} * 2`, 'formula: `双低均值` * 2'])
    expect(data.values?.[1]).toEqual(data.values?.[0]?.map((value) => Number(value) * 2))
    expect(data.values?.[2]).toEqual(data.values?.[1])
    const one = await call<SecurityFactors>(api, user, 'GET', `${cb}/factors/900003.DM?history=10&keys=close,${made.factor_key}`)
    expect(one.data.values.find(({ factor_key }) => factor_key === made.factor_key)).toMatchObject({ population: 40 })
    expect(one.data.history?.dates).toHaveLength(10)
    expect(Object.keys(one.data.history?.series ?? {})).toEqual(['close', made.factor_key])
    expect(one.data.history?.series[made.factor_key]?.at(-1)).toBe(data.values?.[0]?.[data.codes!.indexOf('900003.DM')])
  })

  test('is unknown by key and missing by id to other users', async () => {
    expect(await screen(made.factor_key, other)).toMatchObject({ status: 400, code: 22009 })
    expect(await values([`formula: ${made.factor_key}`], other)).toMatchObject({ status: 400, code: 22009 })
    expect(await save({ factor_name: '偷来的', formula: made.factor_key }, other)).toMatchObject({ status: 400, code: 22009 })
    expect(await change(made.id, { factor_name: 'x', formula: 'close' }, other)).toMatchObject({ status: 404, code: 40004 })
    expect(await remove(made.id, '', other)).toMatchObject({ status: 404, code: 40004 })
    expect((await call<FactorMeta[]>(api, other, 'GET', `${cb}/factors/custom`)).data).toEqual([])
    expect(await call(api, user, 'DELETE', `/v1/quant/stock/customized-factors/${made.id}`)).toMatchObject({ status: 404, code: 40004 })
  })

  test('a run keeps the version that it was computed with; another formula is another run', async () => {
    const body = request('cb', { factor: made.factor_key, start: '2022-03-01', end: '2022-06-30' })
    const run = async () => {
      const ended = await openStream(api, user, `${cb}/advanced-backtest`, body).ended
      if (ended.kind !== 'event') throw new Error(JSON.stringify(ended))
      const { data } = await call<Report>(api, user, 'GET', `${cb}/backtest/${ended.event['backtest_id']}/detail/report`)
      return data
    }
    const first = await run()
    expect(first.factor_versions).toEqual({ [made.factor_key]: 1 })
    // The same formula in other words is the same version.
    const again = { factor_name: '双低均值', formula: 'ts_mean(close + 100 * 0 + conv_prem*100, 5)' }
    expect((await change(made.id, { ...again, formula: '均值: 1' })).code).toBe(22002)
    expect((await change(made.id, { ...again, formula: made.formula })).data.version).toBe(1)
    expect((await change(made.id, { ...again, formula: 'close' })).data.version).toBe(2)
    const second = await run()
    expect(second.factor_versions).toEqual({ [made.factor_key]: 2 })
    expect(second.params_hash).not.toBe(first.params_hash)
    expect((await run()).backtest_id).toBe(second.backtest_id)
    const kept = await database.db.selectFrom('custom_factor_version').select(['version', 'canonical']).orderBy('version').execute()
    expect(kept).toEqual([
      { version: 1, canonical: made.formula },
      { version: 2, canonical: 'close' },
    ])
    const told = await call<FactorVersions>(api, user, 'GET', `${cb}/customized-factors/${made.id}/versions`)
    expect(told.data.list_items.map(({ version, formula }) => [version, formula])).toEqual([
      [2, 'close'],
      [1, 'MA(收盘价 + 转股溢价率*100, 5)'],
    ])
    expect(await call(api, other, 'GET', `${cb}/customized-factors/${made.id}/versions`)).toMatchObject({ status: 404, code: 40004 })
  })
})

test('a factor is listed with its users, strategies before other factors', async () => {
  const who = await newUser(database.db)
  const { data: one } = await save({ factor_name: '甲', formula: 'close' }, who)
  const { data: two } = await save({ factor_name: '乙', formula: `${one.factor_key} * 2` }, who)
  const body = { strategy_name: '双低', detail: parameters('cb', one.factor_key, 5, 5) }
  const { data: strategy } = await call<{ id: string }>(api, who, 'POST', `${cb}/strategy`, body)
  const { data } = await call<FactorMeta[]>(api, who, 'GET', `${cb}/factors/custom`)
  const users = [
    { type: 'strategy', id: strategy.id, name: '双低' },
    { type: 'factor', id: two.id, name: '乙' },
  ]
  expect(data.map(({ used_by, users: told }) => [used_by, told])).toEqual([
    [2, users],
    [0, []],
  ])
})

test.each<[string, object, number, RegExp]>([
  ['an empty formula', { factor_name: '甲', formula: ' ' }, 22002, /为空/],
  ['no formula', { factor_name: '甲', formula: '' }, 22002, /为空/],
  ['half a formula', { factor_name: '甲', formula: 'close +' }, 22002, /第1行第8列/],
  ['an unknown function, on its line', { factor_name: '甲', formula: 'close +\n nobody(close)' }, 22006, /第2行第2列/],
  ['an unknown factor', { factor_name: '甲', formula: 'closs' }, 22009, /是否指 close/],
  ['a field that the data lack', { factor_name: '甲', formula: 'ytm' }, 22009, /到期收益率/],
  ['too few arguments', { factor_name: '甲', formula: 'ts_mean(close)' }, 22007, /ts_mean/],
  ['the future', { factor_name: '甲', formula: 'ref(close, -1)' }, 22008, /未来/],
  ['a window too long', { factor_name: '甲', formula: 'ts_mean(close, 501)' }, 22008, /500/],
  ['too long', { factor_name: '甲', formula: `close${' + 1'.repeat(600)}` }, 22001, /过长/],
  ['too deep', { factor_name: '甲', formula: `${'('.repeat(40)}close${')'.repeat(40)}` }, 22004, /嵌套/],
  ['too many parts', { factor_name: '甲', formula: `close${'+1'.repeat(200)}` }, 22003, /复杂/],
  ['looking back too far', { factor_name: '甲', formula: 'ts_mean(ts_mean(ts_mean(close, 500), 500), 500)' }, 22005, /回看/],
  ['itself', { factor_name: '自己', formula: '自己 + 1' }, 22010, /循环/],
  ['a name that a field has', { factor_name: '收盘价', formula: 'close' }, 21003, /已存在/],
  ['a text for a formula', { factor_name: '甲', formula: `close${' + 1'.repeat(2_000)}` }, 22001, /过长/],
  ['no name', { factor_name: '', formula: 'close' }, 21004, /名称/],
  ['a name that nobody can see', { factor_name: '\u200b', formula: 'close' }, 21004, /名称/],
  ['a name too long', { factor_name: '长'.repeat(51), formula: 'close' }, 21004, /名称/],
  ['a control character in a name', { factor_name: 'a\u0007', formula: 'close' }, 40000, /因子名称/],
  ['a unit that is a story', { factor_name: '甲', formula: 'close', unit: 'x'.repeat(13) }, 40000, /单位/],
])('%s is refused', async (_name, body, code, msg) => {
  const answer = await save(body)
  expect(answer).toMatchObject({ code, data: null })
  expect(answer.msg).toMatch(msg)
})

test('a name is unique in its market, whatever its spelling', async () => {
  const who = await newUser(database.db)
  expect((await save({ factor_name: 'Ａ 甲', formula: 'close' }, who)).code).toBe(0)
  expect(await save({ factor_name: 'Ａ甲', formula: 'open' }, who)).toMatchObject({ status: 409, code: 21003 })
  const { data: second } = await save({ factor_name: '乙', formula: 'open' }, who)
  expect(await change(second.id, { factor_name: 'Ａ甲', formula: 'open' }, who)).toMatchObject({ status: 409, code: 21003 })
})

test('nested factors: at most three levels, no cycle, and no change that breaks a dependent', async () => {
  const who = await newUser(database.db)
  const made = async (factor_name: string, formula: string) => (await save({ factor_name, formula }, who)).data
  const one = await made('一', 'close')
  const two = await made('二', '一 + 1')
  const three = await made('三', '二 + 1')
  expect(three.formula).toBe(`${two.factor_key} + 1`)
  expect(await save({ factor_name: '四', formula: '三 + 1' }, who)).toMatchObject({ status: 400, code: 22004 })
  // What stands deeper is no less deep where the formula has named its parts before.
  expect(await save({ factor_name: '四', formula: '一 + 二 + 三' }, who)).toMatchObject({ status: 400, code: 22004 })
  expect(await screen(`formula: ${one.factor_key} + ${three.factor_key}`, who)).toMatchObject({ status: 200 })
  expect(await change(one.id, { factor_name: '一', formula: '三' }, who)).toMatchObject({ status: 409, code: 22010 })
  const zero = await made('零', 'open')
  expect(await change(one.id, { factor_name: '一', formula: '零' }, who)).toMatchObject({ status: 400, code: 22004 })
  // Nor by an edit: the second names one that is known already, and would carry the third a layer deeper.
  expect(await change(two.id, { factor_name: '二', formula: '零 + 一' }, who)).toMatchObject({ status: 200 })
  expect(await change(zero.id, { factor_name: '零', formula: '一' }, who)).toMatchObject({ status: 400, code: 22004 })
  expect(await change(two.id, { factor_name: '二', formula: '一 + 1' }, who)).toMatchObject({ status: 200 })
  // Another name is no harm to those that use it.
  expect((await change(one.id, { factor_name: '壹', formula: 'close' }, who)).code).toBe(0)
  expect((await screen(three.factor_key, who)).code).toBe(0)
  const metas = (await call<FactorMeta[]>(api, who, 'GET', `${cb}/factors/custom`)).data
  expect(metas.map(({ factor_name, used_by }) => [factor_name, used_by])).toEqual([
    ['壹', 2],
    ['二', 1],
    ['三', 0],
    ['零', 0],
  ])
  expect(await remove(one.id, '', who)).toMatchObject({ status: 409, code: 21010, msg: '该因子正被2个自定义因子使用，确认后可删除' })
  expect(await remove(one.id, '?force=1', who)).toMatchObject({ status: 200, code: 0 })
  expect(await remove(one.id, '?force=1', who)).toMatchObject({ status: 404, code: 40004 })
  expect(await remove(zero.id, '', who)).toMatchObject({ status: 200 })
  const left = (await call<FactorMeta[]>(api, who, 'GET', `${cb}/factors/custom`)).data
  expect(left.map(({ available, reason, coverage }) => [available, Boolean(reason), coverage])).toEqual([
    [false, true, null],
    [false, true, null],
  ])
  expect(await screen(three.factor_key, who)).toMatchObject({ status: 400, code: 22009 })
})

test('two concurrent changes do not make a cycle', async () => {
  const who = await newUser(database.db)
  const [left, right] = await Promise.all([
    save({ factor_name: '左', formula: 'close' }, who),
    save({ factor_name: '右', formula: 'close' }, who),
  ])
  const answers = await Promise.all([
    change(left.data.id, { factor_name: '左', formula: '右' }, who),
    change(right.data.id, { factor_name: '右', formula: '左' }, who),
  ])
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 22010])
})

test('a plan limits the number of factors', async () => {
  const who = await newUser(database.db)
  const most = limits.free.customFactors
  const answers = await Promise.all(
    Array.from({ length: most + 5 }, (_, i) => save({ factor_name: `因子${i}`, formula: `close + ${i}` }, who)),
  )
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(most)
  expect(answers.find(({ code }) => code !== 0)).toMatchObject({
    status: 409,
    code: 21005,
    msg: `自定义因子数量已达上限（${most} 个）；会员可提升额度（自定义因子 ${limits.vip.customFactors} 个）`,
  })
})
