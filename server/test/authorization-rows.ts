import type { GroupBody } from '@convexa/contract'
import { v7 as uuid } from 'uuid'
import { type QmtIds, qmtAccount, qmtConfig, qmtTrading } from './qmt.ts'
import { binning, parameters, request } from './requests.ts'

/** Every call of the contract and who may ask it (`flows/authorization.test.ts`). */

/** What an owner has that a call can address. */
export interface Owned {
  readonly id: string
  readonly token: string
  /** Another device that is logged in. */
  readonly session: string
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
export interface QmtOwned extends QmtIds {
  readonly config: string
  readonly spareAccount: string
  readonly spareTrading: string
}

export type Row =
  /** Answered without a login, whatever token is sent along. */
  | { who: 'everybody' }
  /** Says or does something of the caller alone, or what is the same for all who are logged in. `status`: of the caller's answer. */
  | { who: 'user'; status: number; body?: object }
  /** Addresses one thing by its id. Somebody else's is missing, with the same answer in every byte. */
  | { who: 'owner'; status: number; absent: number; of: (owned: Owned) => string; body?: (id: string, owner: Owned) => object }

const everybody: Row = { who: 'everybody' }
const user = (status: number, body?: object): Row => ({ who: 'user', status, ...(body && { body }) })
const of = (thing: (owned: Owned) => string, status: number, more: Partial<Extract<Row, { who: 'owner' }>> = {}): Row => ({
  who: 'owner',
  status,
  absent: 404,
  of: thing,
  ...more,
})

export const groupBody = (members: readonly string[]): GroupBody => ({
  group_name: '组合',
  members: members.map((strategy_id) => ({ strategy_id, weight: 1 / members.length })),
  rebalance: 'monthly',
  duplicate: 'merge',
})

export const qmtBody = ({ account, trading, strategy }: QmtIds) => qmtConfig({ account, trading, strategy }, { name: '双低实盘' })

// The database of this test has no market: what computes says so (503).
export const rows: Record<string, Row> = {
  'GET /v1/website': everybody,
  'GET /healthz': everybody,
  'GET /readyz': everybody,
  'POST /v1/authorize/access-token/by-password': everybody,
  'POST /v1/authorize/access-token/by-wechat-web': everybody,
  'PUT /v1/authorize/access-token': everybody,
  'GET /v1/authorize/sessions': user(200),
  'DELETE /v1/authorize/sessions/{id}': of(({ session }) => session, 200),
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
        // A version must be named.
        'GET /data/sources': user(400),
        'POST /customized-factors': user(503, { factor_name: '甲', formula: 'close' }),
        'PUT /customized-factors/{id}': of(({ factors }) => factors[kind], 503, { body: () => ({ factor_name: '甲', formula: 'close' }) }),
        'GET /customized-factors/{id}/versions': of(({ factors }) => factors[kind], 200),
        'DELETE /customized-factors/{id}': of(({ factors }) => factors[kind], 200),
        'POST /realtime-screen': user(503, { parameters: parameters(kind, 'close', 5, 1) }),
        'POST /binning': user(503, binning(kind)),
        'POST /quick-backtest': user(503, request(kind, { start: '2022-01-04', end: '2022-12-30' })),
        'POST /history-screen': user(503, { parameters: parameters(kind, 'close', 5, 1), trade_date: '2022-01-04' }),
        // Its data are not there.
        'POST /backtest/{id}/checks': of(({ runs }) => runs[kind], 503),
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
        'PUT /strategy/group/{id}': of(({ groups }) => groups[kind], 200, { body: (_, owner) => groupBody(owner.members[kind]) }),
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
  'GET /v1/quant/qmt/config/{type}/options': user(200),
  // An account, a strategy and a trading config that are nobody's.
  'POST /v1/quant/qmt/config': user(404, qmtBody({ account: uuid(), trading: uuid(), strategy: uuid() })),
  'PUT /v1/quant/qmt/config/{id}': of(({ qmt }) => qmt.config, 200, { body: (_, owner) => qmtBody(owner.qmt) }),
  'POST /v1/quant/qmt-basket': user(503, { kind: 'cb', list_items: [{ code: '110001.SH' }] }),
  'POST /v1/quant/qmt/config/{id}/dry-run': of(({ qmt }) => qmt.config, 503, { body: () => ({}) }),
  'POST /v1/quant/qmt/config/{id}/confirm': of(({ qmt }) => qmt.config, 409, { body: () => ({ hash: '0'.repeat(64) }) }),
  'GET /v1/quant/qmt/config/export/{id}': of(({ qmt }) => qmt.config, 503),
  'GET /v1/quant/qmt/config/{id}/fills': of(({ qmt }) => qmt.config, 200),
  'GET /v1/quant/qmt/questions': user(200),
  // Nobody's client has told of an order, a book or a journal.
  'PUT /v1/quant/qmt/config/{id}/order/{order_id}': user(400, { filled: 0 }),
  'PUT /v1/quant/qmt/config/{id}/book/{code}': user(400, { volume: 0 }),
  'PUT /v1/quant/qmt/config/{id}/journal': of(({ qmt }) => qmt.config, 409, { body: () => ({ use: 'site' }) }),
  // A key and no login: qmt-client.test.ts asks who may.
  'GET /v1/qmt-client/targets': everybody,
  'POST /v1/qmt-client/heartbeat': everybody,
  'POST /v1/qmt-client/fills': everybody,
  'POST /v1/feed-bridge/xtdata': everybody,
  'GET /v1/quant/qmt/kill-switch': user(200),
  'PUT /v1/quant/qmt/kill-switch': user(200, { on: false }),
  'DELETE /v1/quant/qmt/config/{id}': of(({ qmt }) => qmt.config, 200),
  'GET /v1/alerts/list': user(200),
  'PUT /v1/alerts/read': user(200, { up_to: 0 }),
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
