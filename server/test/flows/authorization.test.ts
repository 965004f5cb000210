import { endpoints, type GroupBody } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { v4 as randomId, v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/http/app.ts'
import { packMembers } from '../../src/http/packed-json.ts'
import { addAccount } from '../../src/qmt/accounts.ts'
import { addConfig } from '../../src/qmt/configs.ts'
import { addTradingConfig } from '../../src/qmt/trading-configs.ts'
import { addShare } from '../../src/quant/shares.ts'
import { addGroup } from '../../src/strategy/groups.ts'
import { addStrategy } from '../../src/strategy/strategies.ts'
import { disableUser } from '../../src/user/administration.ts'
import { callerOf, openReAuth, openSession } from '../../src/user/sessions.ts'
import type { World } from '../../src/world.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { insertOrder, insertPlan } from '../orders.ts'
import { type QmtIds, qmtAccount, qmtConfig, qmtTrading } from '../qmt.ts'
import { binning, parameters, request } from '../requests.ts'
import { insertRun, insertUser } from '../run-rows.ts'
import { testWorld } from '../world.ts'

// Every call of the contract × who may ask. A call without a row here is red.

/** What an owner has that a call can address. */
interface Owned {
  readonly id: string
  readonly token: string
  readonly runs: Record<'cb' | 'stk', string>
  /** Link to a report. */
  readonly share: string
  readonly upload: string
  /** Of a file that is there. */
  readonly uploaded: string
  readonly credential: string
  readonly factors: Record<'cb' | 'stk', string>
  readonly strategies: Record<'cb' | 'stk', string>
  /** Members of the groups: what is a member is not deleted. */
  readonly members: Record<'cb' | 'stk', readonly string[]>
  readonly groups: Record<'cb' | 'stk', string>
  readonly qmt: QmtOwned
  /** An order that can be paid. */
  readonly order: string
}

/** `config` runs on the account and the trading config; the spare ones are used by nothing. */
interface QmtOwned extends QmtIds {
  readonly config: string
  readonly spareAccount: string
  readonly spareTrading: string
}

type Row =
  /** Answered without a login, whatever token is sent along. */
  | { who: 'everybody' }
  /** Says or does something of the caller alone, or what is the same for all who are logged in. `status`: what the caller hears. */
  | { who: 'user'; status: number; body?: object }
  /** Addresses one thing by its id. Somebody else's is missing, with the same answer in every byte. */
  | { who: 'owner'; status: number; absent: number; of: (owned: Owned) => string; body?: (id: string) => object }

const everybody: Row = { who: 'everybody' }
const user = (status: number, body?: object): Row => ({ who: 'user', status, ...(body && { body }) })
const of = (thing: (owned: Owned) => string, status: number, more: Partial<Extract<Row, { who: 'owner' }>> = {}): Row => ({
  who: 'owner',
  status,
  absent: 404,
  of: thing,
  ...more,
})

const groupBody = (members: readonly string[]): GroupBody => ({
  group_name: '组合',
  members: members.map((strategy_id) => ({ strategy_id, weight: 1 / members.length })),
  rebalance: 'monthly',
  duplicate: 'merge',
})

const file = { 'content-type': 'multipart/form-data; boundary=b' }

const qmtBody = ({ account, trading, strategy }: QmtIds) => qmtConfig({ account, trading, strategy }, { name: '双低实盘' })

// The database of this test has no market: what computes says so (503).
const rows: Record<string, Row> = {
  'GET /v1/website': everybody,
  'GET /healthz': everybody,
  'GET /readyz': everybody,
  'POST /v1/authorize/access-token/by-password': everybody,
  'POST /v1/authorize/access-token/by-wechat-web': everybody,
  'PUT /v1/authorize/access-token': everybody,
  'DELETE /v1/authorize/sessions': user(200),
  'DELETE /v1/authorize/access-token': user(200),
  'GET /v1/user/info': user(200),
  'PUT /v1/user/info': user(200, {}),
  'GET /v1/user/login-records': user(200),
  'POST /v1/user/re-auth': user(400, { password: 'wrong' }),
  'DELETE /v1/user': user(200),
  'POST /v1/user/restore': user(200),
  'GET /v1/user/export': user(200),
  'GET /v1/user/{target}/register-code': everybody,
  'POST /v1/user/by-register': everybody,
  'GET /v1/user/{target}/reset-code': everybody,
  'POST /v1/user/{target}/new-password': everybody,
  'GET /v1/user/mobile/modification/{mobile}': user(400),
  'POST /v1/user/mobile/modification': user(400, { new_mobile: '1', new_verification_code: '123456', old_verification_code: '' }),
  'GET /v1/user/email/activation': user(400),
  'POST /user/email/activation': user(400, { activation_code: '123456' }),
  'POST /v1/user/email/activation': user(400, { activation_code: '123456' }),
  'GET /v1/human-check': everybody,
  'GET /v1/user/wechat-web-credential/list': user(200),
  'POST /v1/user/wechat-web-credential': user(400, {}),
  'DELETE /v1/user/wechat-web-credential/{id}': of(({ credential }) => credential, 200),
  'GET /v1/user/{target}/bind-wechat-code': everybody,
  'POST /v1/user/{target}/bind-wechat': everybody,
  'GET /v1/user/avatar/upload': user(200),
  'POST /v1/file/{id}': of(({ upload }) => upload, 400, { absent: 400 }),
  'PUT /v1/user/avatar': of(({ uploaded }) => uploaded, 200, { absent: 400, body: (upload_id) => ({ upload_id }) }),
  'GET /v1/dictionary/items': user(400),
  'GET /v1/quant/trade-calender/{year}/closed-dates': user(200),
  'GET /v1/quant/strategy/options': user(200),
  'GET /v1/quant/factor-functions': user(200),
  'GET /v1/quant/backtest/list': user(200),
  'PUT /v1/quant/backtest/{id}/note': of(({ runs }) => runs.stk, 200, { body: () => ({ note: '备注' }) }),
  'POST /v1/quant/share': user(404, { backtest_id: uuid(), ttl_days: 7 }),
  'GET /v1/quant/share/list': user(200),
  'DELETE /v1/quant/share/{token}': of(({ share }) => share, 200),
  'GET /v1/quant/share/{token}': everybody,
  'POST /v1/quant/convertible-bond/grid-backtest': user(503, { ...request('cb', { start: '2022-01-04', end: '2022-12-30' }), axes: [] }),
  // Sent to no market.
  'POST /v1/quant/{id}/customized-factor/running': user(400, { factors: [{ factor: 'close' }] }),
  ...Object.fromEntries(
    (['convertible-bond', 'stock'] as const).flatMap((segment) => {
      const kind = segment === 'stock' ? 'stk' : 'cb'
      const at = (call: string) => `${call.split(' ')[0]} /v1/quant/${segment}${call.split(' ')[1]}`
      return Object.entries({
        'GET /options': segment === 'stock' ? user(503) : everybody,
        'GET /factors/{id}': user(503),
        'GET /realtime-factors': user(503),
        'GET /market': user(503),
        'GET /data': user(503),
        'POST /customized-factors': user(503, { factor_name: '甲', formula: 'close' }),
        'PUT /customized-factors/{id}': of(({ factors }) => factors[kind], 503, { body: () => ({ factor_name: '甲', formula: 'close' }) }),
        'GET /customized-factors/{id}/versions': of(({ factors }) => factors[kind], 200),
        'DELETE /customized-factors/{id}': of(({ factors }) => factors[kind], 200),
        'POST /realtime-screen': user(503, { parameters: parameters(kind, 'close', 5, 1) }),
        'POST /binning': user(503, binning(kind)),
        'POST /quick-backtest': user(503, request(kind, { start: '2022-01-04', end: '2022-12-30' })),
        'POST /history-screen': user(503, { parameters: parameters(kind, 'close', 5, 1), trade_date: '2022-01-04' }),
        'GET /strategy/list': user(200),
        'GET /strategy/detail/{id}': of(({ strategies }) => strategies[kind], 200),
        'POST /strategy': user(200, { strategy_name: '甲', detail: parameters(kind, 'close', 5, 1) }),
        'PUT /strategy/{id}': of(({ strategies }) => strategies[kind], 200, {
          body: () => ({ detail: parameters(kind, 'close', 5, 1), base_version: 1 }),
        }),
        'PUT /strategy/{id}/glance': of(({ strategies }) => strategies[kind], 503),
        'GET /strategy/{id}/tracking': of(({ strategies }) => strategies[kind], 200),
        'GET /strategy/{id}/versions': of(({ strategies }) => strategies[kind], 200),
        'PUT /strategy/{id}/name': of(({ strategies }) => strategies[kind], 200, { body: () => ({ strategy_name: '乙' }) }),
        'PUT /strategy/{id}/remark': of(({ strategies }) => strategies[kind], 200, { body: () => ({ remark: '乙' }) }),
        'DELETE /strategy/{id}': of(({ strategies }) => strategies[kind], 200),
        'GET /strategy/group/list': user(200),
        'GET /strategy/group/detail/{id}': of(({ groups }) => groups[kind], 200),
        // Members that are nobody's.
        'POST /strategy/group': user(404, { ...groupBody([uuid(), uuid()]), group_name: '别的' }),
        'PUT /strategy/group/{id}': of(({ groups }) => groups[kind], 200, { body: () => groupBody(owner.members[kind]) }),
        'DELETE /strategy/group/{id}': of(({ groups }) => groups[kind], 200),
        [segment === 'stock' ? 'POST /backtest' : 'POST /advanced-backtest']: user(400, {}),
        [`GET /backtest/{id}/detail/{${segment === 'stock' ? 'date' : 'id2'}}`]: of(({ runs }) => runs[kind], 200),
      } satisfies Record<string, Row>).map(([call, row]) => [at(call), row])
    }),
  ),
  'DELETE /v1/quant/backtest/{id}': of(({ runs }) => runs.stk, 200),
  'GET /v1/quant/qmt/apikey': user(200),
  'PUT /v1/quant/qmt/apikey': user(200),
  'GET /v1/quant/qmt/account/list': user(200),
  'POST /v1/quant/qmt/account': user(200, qmtAccount({ account_no: '70010009' })),
  'PUT /v1/quant/qmt/account/{id}': of(({ qmt }) => qmt.account, 200, { body: () => qmtAccount({ alias: '乙' }) }),
  'DELETE /v1/quant/qmt/account/{id}': of(({ qmt }) => qmt.spareAccount, 200),
  'GET /v1/quant/qmt/trading-config/list': user(200),
  'GET /v1/quant/qmt/trading-config/detail/{id}': of(({ qmt }) => qmt.trading, 200),
  'POST /v1/quant/qmt/trading-config': user(200, qmtTrading({ name: '另一个' })),
  'PUT /v1/quant/qmt/trading-config/{id}': of(({ qmt }) => qmt.trading, 200, { body: () => qmtTrading({ name: '改名' }) }),
  'DELETE /v1/quant/qmt/trading-config/{id}': of(({ qmt }) => qmt.spareTrading, 200),
  'GET /v1/quant/qmt/config/list': user(200),
  'GET /v1/quant/qmt/config/1/options': user(200),
  // An account, a strategy and a trading config that are nobody's.
  'POST /v1/quant/qmt/config': user(404, qmtBody({ account: uuid(), trading: uuid(), strategy: uuid() })),
  'PUT /v1/quant/qmt/config/{id}': of(({ qmt }) => qmt.config, 200, { body: () => qmtBody(owner.qmt) }),
  'POST /v1/quant/qmt-basket': user(503, { kind: 'cb', list_items: [{ code: '110001.SH' }] }),
  'POST /v1/quant/qmt/config/{id}/dry-run': of(({ qmt }) => qmt.config, 503, { body: () => ({}) }),
  'POST /v1/quant/qmt/config/{id}/confirm': of(({ qmt }) => qmt.config, 409, { body: () => ({ hash: '0'.repeat(64) }) }),
  'GET /v1/quant/qmt/config/export/{id}': of(({ qmt }) => qmt.config, 503),
  'GET /v1/quant/qmt/config/{id}/fills': of(({ qmt }) => qmt.config, 200),
  // A key and no login: qmt-trading.test.ts asks who may.
  'GET /v1/qmt-client/targets': everybody,
  'POST /v1/qmt-client/heartbeat': everybody,
  'POST /v1/qmt-client/fills': everybody,
  'POST /v1/feed-bridge/xtdata': everybody,
  'GET /v1/quant/qmt/kill-switch': user(200),
  'PUT /v1/quant/qmt/kill-switch': user(200, { on: false }),
  'DELETE /v1/quant/qmt/config/{id}': of(({ qmt }) => qmt.config, 200),
  'GET /v1/vip/list': user(200),
  // A plan that is not there.
  'POST /v1/vip/subscription/order': user(404, { plan_id: uuid() }),
  // No merchant is configured.
  'POST /v1/payment/wechat/jsapi/process': of(({ order }) => order, 503, { body: (order_id) => ({ order_id }) }),
  'POST /v1/payment/wechat/jsapi/close': of(({ order }) => order, 200, { body: (order_id) => ({ order_id }) }),
  'POST /v1/payment/wechat/native/process': of(({ order }) => order, 503, { body: (order_id) => ({ order_id }) }),
  'POST /v1/payment/wechat/native/close': of(({ order }) => order, 200, { body: (order_id) => ({ order_id }) }),
  'GET /v1/order/list': user(200),
  'GET /v1/order/pending/orders': user(200),
  'GET /v1/order/{id}': of(({ order }) => order, 200),
  'GET /v1/order/{id}/status': of(({ order }) => order, 200),
  'DELETE /v1/order/{id}': of(({ order }) => order, 200),
}

let database: TestDatabase
let world: World
let app: FastifyInstance
let owner: Owned
let other: Owned
let forged: string
let dead: Record<'disabled' | 'deleted' | 'logged out', string>

beforeAll(async () => {
  database = await testDatabase()
  // The stored reports are no reports.
  world = testWorld(database, { config: { checkAnswers: false } }).world
  app = await buildApp(world)
  owner = await somebody()
  other = await somebody()
  forged = owner.token.slice(0, 22) + 'A'.repeat(42)
  const [disabled, deleted] = [await somebody(), await somebody()]
  await disableUser(world, disabled.id)
  await database.db.deleteFrom('app_user').where('id', '=', deleted.id).execute()
  const left = await tokenOf(owner.id)
  await app.inject({ method: 'DELETE', url: '/v1/authorize/access-token', headers: { 'access-token': left } })
  dead = { disabled: disabled.token, deleted: deleted.token, 'logged out': left }
})

/** Answers of calls that were looked at, for the figure. */
let cases = 0

afterAll(async () => {
  console.info(
    `G16: ${endpoints.length} calls, ${Object.values(rows).filter(({ who }) => who === 'owner').length} that address a thing; ${cases} cases`,
  )
  await app.close()
  await database.drop()
})

async function somebody(): Promise<Owned> {
  const { db } = database
  const id = await insertUser(db)
  const [upload, uploaded] = [randomId(), randomId()]
  const expires_at = new Date(Date.now() + 600_000)
  for (const one of [upload, uploaded]) await db.insertInto('upload').values({ id: one, user_id: id, expires_at }).execute()
  const made = { id: uuid(), name: `${uuid()}.webp`, mime: 'image/webp', size: 1 }
  await db
    .insertInto('file')
    .values({ ...made, user_id: id, upload_id: uploaded })
    .execute()
  const credential = uuid()
  await db
    .insertInto('wechat_credential')
    .values({
      id: credential,
      user_id: id,
      sealed: Buffer.from('x'),
      openid_index: Buffer.from(credential),
      unionid_index: null,
      nickname: '微信用户',
      avatar_url: null,
    })
    .execute()
  const runs = { cb: await insertRun(db, id, id), stk: await insertRun(db, id, id) }
  for (const kind of ['cb', 'stk'] as const) {
    await db.updateTable('backtest_run').set({ status: 2, kind }).where('id', '=', runs[kind]).execute()
    await db
      .insertInto('run_report')
      .values({ run_id: runs[kind], report: packMembers({ own: id }), headless: true })
      .execute()
  }
  const share = (await addShare(world, id, { backtest_id: runs.cb, ttl_days: 7 })).id
  const factors = { cb: uuid(), stk: uuid() }
  for (const kind of ['cb', 'stk'] as const) {
    const key = `custom_${factors[kind].slice(-6)}`
    const texts = { name: key, formula: 'close', canonical: 'close', description: '', unit: null }
    await db
      .insertInto('custom_factor')
      .values({ id: factors[kind], user_id: id, kind, factor_key: key, ...texts, decimals: 4, prefer_default: 'large' })
      .execute()
  }
  const strategies = { cb: await strategyOf(id, 'cb'), stk: await strategyOf(id, 'stk') }
  const members = {
    cb: [await strategyOf(id, 'cb'), await strategyOf(id, 'cb')],
    stk: [await strategyOf(id, 'stk'), await strategyOf(id, 'stk')],
  }
  const groups = { cb: await addGroup(db, id, 'cb', groupBody(members.cb)), stk: await addGroup(db, id, 'stk', groupBody(members.stk)) }
  const qmt = await qmtOf(id, await strategyOf(id, 'cb'))
  const order = await insertOrder(db, id, await insertPlan(db))
  const things = { order, qmt, runs, factors, strategies, members, groups: { cb: groups.cb.id, stk: groups.stk.id } }
  return { id, token: await tokenOf(id), share, upload, uploaded, credential, ...things }
}

async function qmtOf(userId: string, strategy: string): Promise<QmtOwned> {
  const { db } = database
  const account = (await addAccount(world, userId, qmtAccount())).id
  const spareAccount = (await addAccount(world, userId, qmtAccount({ account_no: '70010002' }))).id
  const caller = { id: userId, sessionId: uuid(), level: 0, isDemo: false, reAuthed: true }
  const trading = (await addTradingConfig(db, caller, qmtTrading())).id
  const spareTrading = (await addTradingConfig(db, caller, qmtTrading({ name: '备用' }))).id
  const config = (await addConfig(db, userId, qmtBody({ account, trading, strategy }))).id
  return { account, spareAccount, trading, spareTrading, strategy, config }
}

const strategyOf = async (userId: string, kind: 'cb' | 'stk') =>
  (await addStrategy(world, userId, kind, { strategy_name: uuid(), detail: parameters(kind, 'close', 5, 1) })).id

/** A fresh login that has shown the password once more: what is refused is refused for its own reason. */
async function tokenOf(id: string): Promise<string> {
  const { access_token } = await openSession(database.db, { id, is_demo: false }, null)
  const { sessionId } = await callerOf(database.db, access_token)
  await openReAuth(database.db, sessionId)
  return access_token
}

const samples: Record<string, string> = { target: 'nobody@test.example', mobile: '138', year: '2024', id2: 'report', date: 'report' }

async function ask(call: string, given: { token?: string | undefined; id?: string; body?: object | undefined } = {}) {
  const [method, path = ''] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const url = path.replace(/\{([^}]+)\}/g, (_, place: string) =>
    ['id', 'token'].includes(place) && given.id !== undefined ? encodeURIComponent(given.id) : (samples[place] ?? 'all'),
  )
  const multipart = path === '/v1/file/{id}'
  const headers = { ...(given.token !== undefined && { 'access-token': given.token }), ...(multipart && file) }
  const payload = multipart ? '--b--\r\n' : (given.body ?? (['POST', 'PUT'].includes(method) ? {} : undefined))
  cases++
  const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  const json = answer.headers['content-type']?.toString().startsWith('application/json') ? (answer.json() as Record<string, unknown>) : {}
  const { request_id: _id, ...said } = json
  return { status: answer.statusCode, code: Number(said['code'] ?? 0), said }
}

test('every call of the contract has its row, and every row its call', () => {
  const calls = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(
    Object.keys(rows)
      .filter((call) => calls.includes(call))
      .sort(),
  ).toEqual([...calls].sort())
  expect(Object.keys(rows).filter((call) => !calls.includes(call))).toEqual([])
  // Who asks for a login in the contract is who asks for one here.
  for (const { method, path, auth } of endpoints) expect([path, rows[`${method} ${path}`]?.who !== 'everybody']).toEqual([path, auth])
})

describe.each(Object.entries(rows).filter(([call]) => endpoints.some(({ method, path }) => call === `${method} ${path}`)))(
  '%s',
  (call, row) => {
    const strangers = (): [string, string | undefined, number][] => [
      ['nobody', undefined, 40100],
      ['an empty token', '', 40100],
      ['a malformed token', "' or 1=1 --", 40100],
      ['a forged token of a living session', forged, 40101],
      ['one who was shut out', dead.disabled, 40102],
      ['one who was deleted', dead.deleted, 40100],
      ['one who has logged out', dead['logged out'], 40102],
    ]

    if (row.who === 'everybody') {
      test('hears nobody’s token', async () => {
        for (const [who, token] of strangers()) {
          const { status, code } = await ask(call, { token })
          // A refresh token that is none of ours is the one thing that may be called a lost login.
          if (call !== 'PUT /v1/authorize/access-token')
            expect([who, status === 401, Math.floor(code / 10) === 4010]).toEqual([who, false, false])
          expect(status, who).not.toBe(500)
        }
      })
      return
    }

    test('asks for a login before anything else', async () => {
      const body = row.who === 'user' ? row.body : row.body?.(row.of(owner))
      const id = row.who === 'owner' ? row.of(owner) : 'all'
      for (const [who, token, code] of strangers()) {
        const { said: _said, ...answer } = await ask(call, { token, id, body })
        expect([who, answer]).toEqual([who, { status: 401, code }])
      }
    })

    if (row.who === 'user') {
      test('answers who is logged in', async () => {
        const { status } = await ask(call, { token: await tokenOf(other.id), body: row.body })
        expect(status).toBe(row.status)
      })
      return
    }

    test('treats what is somebody else’s as what is not there, byte for byte', async () => {
      const body = (id: string) => row.body?.(id)
      const missing = uuid()
      const token = await tokenOf(other.id)
      const foreign = await ask(call, { token, id: row.of(owner), body: body(row.of(owner)) })
      const absent = await ask(call, { token, id: missing, body: body(missing) })
      expect(foreign).toEqual(absent)
      expect(foreign.status).toBe(row.absent)
    })

    test('refuses ids that are none', async () => {
      const token = await tokenOf(owner.id)
      for (const id of ['x', '0', "' or '1'='1", '..', '%00', '00000000-0000-0000-0000-000000000000', 'a'.repeat(90), '{}', '一']) {
        const { status, code } = await ask(call, { token, id, body: row.body?.(id) })
        // 405: `..` leads to another call's path.
        expect([id, [400, 404, 405].includes(status), code > 0]).toEqual([id, true, true])
      }
    })

    test('answers its owner', async () => {
      const [id, missing, token] = [row.of(owner), uuid(), await tokenOf(owner.id)]
      const absent = await ask(call, { token, id: missing, body: row.body?.(missing) })
      const own = await ask(call, { token, id, body: row.body?.(id) })
      expect(own.status).toBe(row.status)
      expect(own.said).not.toEqual(absent.said)
    })
  },
)
