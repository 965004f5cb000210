import type { z } from 'zod'
import type { api } from './api.ts'
import type { DataOf, Endpoint, ParamsOf, QueryOf } from './endpoint.ts'
import { type WireMarket, wireMarkets } from './wire-market.ts'

/**
 * What a client must know of an endpoint at run time. The shapes are types only, so that zod stays out of a browser's
 * first chunks; `calls.test.ts` holds these lines equal to the endpoints.
 */
export interface Call<E = unknown> {
  readonly method: Endpoint['method']
  readonly path: string
  readonly auth: boolean
  /** Seconds; 0 for a stream. */
  readonly timeout: number
  readonly stream: boolean
  /** Never set: it carries the endpoint's type. */
  readonly endpoint?: E
}

type Api = typeof api
type Calls = { readonly [Group in keyof Api]: { readonly [Name in keyof Api[Group]]: Call<Api[Group][Name]> } }

type BodyIn<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never
type Part<Key extends string, Shape> = [Shape] extends [never] ? unknown : { readonly [K in Key]: Shape }
type Loose<Shape> = [Shape] extends [never] ? never : Partial<Shape>

/** What is passed to call an endpoint: the parts it has. Query members are optional, the server has defaults. */
export type CallInput<E> = Part<'params', ParamsOf<E>> & Part<'body', BodyIn<E>> & Partial<Part<'query', Loose<QueryOf<E>>>>
export type CallData<E> = DataOf<E>

const get = (path: string, auth = true): Call<never> => ({ method: 'GET', path, auth, timeout: 5, stream: false })
const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, more: { auth?: boolean; timeout?: number } = {}): Call<never> => ({
  method,
  path,
  auth: true,
  timeout: 5,
  stream: false,
  ...more,
})

const marketCalls = (market: WireMarket) => {
  const at = (path: string) => `/v1/quant/${market.segment}${path}`
  return {
    options: get(at('/options'), market.optionsNeedLogin),
    factors: get(at('/factors/{id}')),
    realtimeFactors: get(at('/realtime-factors')),
    addFactor: send('POST', at('/customized-factors')),
    changeFactor: send('PUT', at('/customized-factors/{id}')),
    factorVersions: get(at('/customized-factors/{id}/versions')),
    removeFactor: send('DELETE', at('/customized-factors/{id}')),
    market: get(at('/market')),
    dataSheet: get(at('/data')),
    dataSources: get(at('/data/sources')),
    realtimeScreen: send('POST', at('/realtime-screen'), { timeout: 60 }),
    historyScreen: send('POST', at('/history-screen'), { timeout: 60 }),
    binning: send('POST', at('/binning'), { timeout: 60 }),
    quickBacktest: send('POST', at('/quick-backtest')),
    backtest: { ...send('POST', at(`/${market.backtestPath}`), { timeout: 0 }), stream: true },
    backtestDetail: get(at(`/backtest/{id}/detail/{${market.detailParam}}`)),
    checks: send('POST', at('/backtest/{id}/checks'), { timeout: 60 }),
    strategyList: get(at('/strategy/list')),
    strategyDetail: get(at('/strategy/detail/{id}')),
    addStrategy: send('POST', at('/strategy')),
    changeStrategy: send('PUT', at('/strategy/{id}')),
    glance: send('PUT', at('/strategy/{id}/glance'), { timeout: 30 }),
    strategyVersions: get(at('/strategy/{id}/versions')),
    tracking: get(at('/strategy/{id}/tracking')),
    removeStrategy: send('DELETE', at('/strategy/{id}')),
    renameStrategy: send('PUT', at('/strategy/{id}/name')),
    remarkStrategy: send('PUT', at('/strategy/{id}/remark')),
    groupList: get(at('/strategy/group/list')),
    groupDetail: get(at('/strategy/group/detail/{id}')),
    addGroup: send('POST', at('/strategy/group')),
    changeGroup: send('PUT', at('/strategy/group/{id}')),
    removeGroup: send('DELETE', at('/strategy/group/{id}')),
  }
}

const qmt = (path: string) => `/v1/quant/qmt${path}`

/** The whole API for a client, by the names of `api`. */
export const calls: Calls = {
  system: {
    website: get('/v1/website', false),
    healthz: get('/healthz', false),
    readyz: get('/readyz', false),
  },
  authorize: {
    byPassword: send('POST', '/v1/authorize/access-token/by-password', { auth: false }),
    byWechatWeb: send('POST', '/v1/authorize/access-token/by-wechat-web', { auth: false }),
    refresh: send('PUT', '/v1/authorize/access-token', { auth: false }),
    sessions: get('/v1/authorize/sessions'),
    endSession: send('DELETE', '/v1/authorize/sessions/{id}'),
    endOthers: send('DELETE', '/v1/authorize/sessions'),
    logout: send('DELETE', '/v1/authorize/access-token'),
  },
  user: {
    info: get('/v1/user/info'),
    changeInfo: send('PUT', '/v1/user/info'),
    loginRecords: get('/v1/user/login-records'),
    reAuth: send('POST', '/v1/user/re-auth'),
    remove: send('DELETE', '/v1/user'),
    restore: send('POST', '/v1/user/restore'),
    export: { ...get('/v1/user/export'), timeout: 60 },
  },
  verification: {
    registerCode: get('/v1/user/{target}/register-code', false),
    register: send('POST', '/v1/user/by-register', { auth: false }),
    resetCode: get('/v1/user/{target}/reset-code', false),
    newPassword: send('POST', '/v1/user/{target}/new-password', { auth: false }),
    mobileCode: get('/v1/user/mobile/modification/{mobile}'),
    changeMobile: send('POST', '/v1/user/mobile/modification'),
    emailCode: get('/v1/user/email/activation'),
    activateEmail: send('POST', '/user/email/activation'),
    activateEmailV1: send('POST', '/v1/user/email/activation'),
    humanCheck: get('/v1/human-check', false),
  },
  wechat: {
    credentials: get('/v1/user/wechat-web-credential/list'),
    addCredential: send('POST', '/v1/user/wechat-web-credential'),
    removeCredential: send('DELETE', '/v1/user/wechat-web-credential/{id}'),
    bindCode: get('/v1/user/{target}/bind-wechat-code', false),
    bind: send('POST', '/v1/user/{target}/bind-wechat', { auth: false }),
  },
  file: {
    avatarUpload: get('/v1/user/avatar/upload'),
    upload: send('POST', '/v1/file/{id}'),
    setAvatar: send('PUT', '/v1/user/avatar'),
  },
  reference: {
    dictionaryItems: get('/v1/dictionary/items'),
    factorFunctions: get('/v1/quant/factor-functions'),
    closedDates: get('/v1/quant/trade-calender/{year}/closed-dates'),
    strategyOptions: get('/v1/quant/strategy/options'),
  },
  quant: {
    factorRunning: send('POST', '/v1/quant/{id}/customized-factor/running', { timeout: 60 }),
    gridBacktest: send('POST', '/v1/quant/convertible-bond/grid-backtest', { timeout: 60 }),
    backtestList: get('/v1/quant/backtest/list'),
    noteBacktest: send('PUT', '/v1/quant/backtest/{id}/note'),
    removeBacktest: send('DELETE', '/v1/quant/backtest/{id}'),
    addShare: send('POST', '/v1/quant/share'),
    shareList: get('/v1/quant/share/list'),
    removeShare: send('DELETE', '/v1/quant/share/{token}'),
    sharedReport: get('/v1/quant/share/{token}', false),
  },
  cb: marketCalls(wireMarkets.cb),
  stk: marketCalls(wireMarkets.stk),
  qmt: {
    apiKey: get(qmt('/apikey')),
    newApiKey: send('PUT', qmt('/apikey')),
    accountList: get(qmt('/account/list')),
    addAccount: send('POST', qmt('/account')),
    changeAccount: send('PUT', qmt('/account/{id}')),
    removeAccount: send('DELETE', qmt('/account/{id}')),
    tradingConfigList: get(qmt('/trading-config/list')),
    tradingConfig: get(qmt('/trading-config/detail/{id}')),
    addTradingConfig: send('POST', qmt('/trading-config')),
    changeTradingConfig: send('PUT', qmt('/trading-config/{id}')),
    removeTradingConfig: send('DELETE', qmt('/trading-config/{id}')),
    configList: get(qmt('/config/list')),
    addConfig: send('POST', qmt('/config')),
    changeConfig: send('PUT', qmt('/config/{id}')),
    removeConfig: send('DELETE', qmt('/config/{id}')),
    configOptions: get(qmt('/config/{type}/options')),
    killSwitch: get(qmt('/kill-switch')),
    setKillSwitch: send('PUT', qmt('/kill-switch')),
    basket: send('POST', '/v1/quant/qmt-basket'),
    dryRun: send('POST', qmt('/config/{id}/dry-run'), { timeout: 60 }),
    confirm: send('POST', qmt('/config/{id}/confirm')),
    exportConfig: get(qmt('/config/export/{id}')),
    fillList: get(qmt('/config/{id}/fills')),
    questions: get(qmt('/questions')),
    settleOrder: send('PUT', qmt('/config/{id}/order/{order_id}')),
    settleBook: send('PUT', qmt('/config/{id}/book/{code}')),
    useJournal: send('PUT', qmt('/config/{id}/journal')),
  },
  qmtClient: {
    targets: { ...get('/v1/qmt-client/targets', false), timeout: 60 },
    heartbeat: send('POST', '/v1/qmt-client/heartbeat', { auth: false }),
    fills: send('POST', '/v1/qmt-client/fills', { auth: false }),
  },
  feedBridge: {
    push: send('POST', '/v1/feed-bridge/xtdata', { auth: false }),
  },
  alerts: {
    list: get('/v1/alerts/list'),
    read: send('PUT', '/v1/alerts/read'),
  },
  vip: {
    plans: get('/v1/vip/list'),
    subscribe: send('POST', '/v1/vip/subscription/order'),
  },
  payment: {
    jsapiProcess: send('POST', '/v1/payment/wechat/jsapi/process'),
    jsapiClose: send('POST', '/v1/payment/wechat/jsapi/close'),
    nativeProcess: send('POST', '/v1/payment/wechat/native/process'),
    nativeClose: send('POST', '/v1/payment/wechat/native/close'),
  },
  order: {
    list: get('/v1/order/list'),
    pending: get('/v1/order/pending/orders'),
    detail: get('/v1/order/{id}'),
    status: get('/v1/order/{id}/status'),
    remove: send('DELETE', '/v1/order/{id}'),
  },
}
