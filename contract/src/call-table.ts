import { byMarket, type MarketId, markets } from './enums/market.ts'

/** A call of the API without its schemas: a client needs no more of it at run time. No zod here, a browser's first chunk has this table. */
export interface CallRow<Auth extends boolean = boolean> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `{name}` places, e.g. `/v1/quant/stock/factors/{id}`. */
  readonly path: string
  /** false: the call is answered without a login. */
  readonly auth: Auth
  /** Client timeout in seconds (the specification's 5 unless named). 0 for a stream: it has heartbeats instead. */
  readonly timeout: number
  readonly stream: boolean
}

const row =
  (method: CallRow['method']) =>
  <Auth extends boolean = true>(path: string, more: Partial<CallRow<Auth>> = {}): CallRow<Auth> => ({
    method,
    path,
    auth: true as Auth,
    timeout: 5,
    stream: false,
    ...more,
  })
export const get = row('GET')
export const post = row('POST')
export const put = row('PUT')
const remove = row('DELETE')

const marketCalls = (id: MarketId) => {
  const market = markets[id]
  const at = (path: string) => `/v1/quant/${market.segment}${path}`
  return {
    options: get(at('/options'), { auth: market.optionsNeedLogin }),
    factors: get(at('/factors/{id}')),
    realtimeFactors: get(at('/realtime-factors')),
    addFactor: post(at('/customized-factors')),
    changeFactor: put(at('/customized-factors/{id}')),
    factorVersions: get(at('/customized-factors/{id}/versions')),
    removeFactor: remove(at('/customized-factors/{id}')),
    market: get(at('/market')),
    dataSheet: get(at('/data')),
    dataSources: get(at('/data/sources')),
    realtimeScreen: post(at('/realtime-screen'), { timeout: 60 }),
    historyScreen: post(at('/history-screen'), { timeout: 60 }),
    binning: post(at('/binning'), { timeout: 60 }),
    quickBacktest: post(at('/quick-backtest')),
    backtest: post(at(`/${market.backtestPath}`), { timeout: 0, stream: true }),
    backtestDetail: get(at(`/backtest/{id}/detail/{${market.detailParam}}`)),
    checks: post(at('/backtest/{id}/checks'), { timeout: 60 }),
    strategyList: get(at('/strategy/list')),
    strategyDetail: get(at('/strategy/detail/{id}')),
    addStrategy: post(at('/strategy')),
    changeStrategy: put(at('/strategy/{id}')),
    glance: put(at('/strategy/{id}/glance'), { timeout: 30 }),
    strategyVersions: get(at('/strategy/{id}/versions')),
    tracking: get(at('/strategy/{id}/tracking')),
    removeStrategy: remove(at('/strategy/{id}')),
    renameStrategy: put(at('/strategy/{id}/name')),
    remarkStrategy: put(at('/strategy/{id}/remark')),
    groupList: get(at('/strategy/group/list')),
    groupDetail: get(at('/strategy/group/detail/{id}')),
    addGroup: post(at('/strategy/group')),
    changeGroup: put(at('/strategy/group/{id}')),
    removeGroup: remove(at('/strategy/group/{id}')),
  }
}

const qmt = (path: string) => `/v1/quant/qmt${path}`

/** Every call, by group and name: `api` has an endpoint of each. */
export const callTable = {
  system: {
    website: get('/v1/website', { auth: false }),
    healthz: get('/healthz', { auth: false }),
    readyz: get('/readyz', { auth: false }),
  },
  authorize: {
    byPassword: post('/v1/authorize/access-token/by-password', { auth: false }),
    byWechatWeb: post('/v1/authorize/access-token/by-wechat-web', { auth: false }),
    refresh: put('/v1/authorize/access-token', { auth: false }),
    sessions: get('/v1/authorize/sessions'),
    endSession: remove('/v1/authorize/sessions/{id}'),
    endOthers: remove('/v1/authorize/sessions'),
    logout: remove('/v1/authorize/access-token'),
  },
  user: {
    info: get('/v1/user/info'),
    changeInfo: put('/v1/user/info'),
    loginRecords: get('/v1/user/login-records'),
    reAuth: post('/v1/user/re-auth'),
    remove: remove('/v1/user'),
    restore: post('/v1/user/restore'),
    export: get('/v1/user/export', { timeout: 60 }),
  },
  verification: {
    registerCode: get('/v1/user/{target}/register-code', { auth: false }),
    register: post('/v1/user/by-register', { auth: false }),
    resetCode: get('/v1/user/{target}/reset-code', { auth: false }),
    newPassword: post('/v1/user/{target}/new-password', { auth: false }),
    mobileCode: get('/v1/user/mobile/modification/{mobile}'),
    changeMobile: post('/v1/user/mobile/modification'),
    emailCode: get('/v1/user/email/activation'),
    activateEmail: post('/user/email/activation'),
    activateEmailV1: post('/v1/user/email/activation'),
    humanCheck: get('/v1/human-check', { auth: false }),
  },
  wechat: {
    credentials: get('/v1/user/wechat-web-credential/list'),
    addCredential: post('/v1/user/wechat-web-credential'),
    removeCredential: remove('/v1/user/wechat-web-credential/{id}'),
    bindCode: get('/v1/user/{target}/bind-wechat-code', { auth: false }),
    bind: post('/v1/user/{target}/bind-wechat', { auth: false }),
  },
  file: {
    avatarUpload: get('/v1/user/avatar/upload'),
    upload: post('/v1/file/{id}'),
    setAvatar: put('/v1/user/avatar'),
  },
  reference: {
    dictionaryItems: get('/v1/dictionary/items'),
    factorFunctions: get('/v1/quant/factor-functions'),
    closedDates: get('/v1/quant/trade-calender/{year}/closed-dates'),
    strategyOptions: get('/v1/quant/strategy/options'),
  },
  quant: {
    factorRunning: post('/v1/quant/{id}/customized-factor/running', { timeout: 60 }),
    gridBacktest: post('/v1/quant/convertible-bond/grid-backtest', { timeout: 60 }),
    backtestList: get('/v1/quant/backtest/list'),
    noteBacktest: put('/v1/quant/backtest/{id}/note'),
    favouriteBacktest: put('/v1/quant/backtest/{id}/favourite'),
    backtestQuestion: get('/v1/quant/backtest/{id}/question'),
    retention: get('/v1/quant/backtest/retention'),
    removeBacktest: remove('/v1/quant/backtest/{id}'),
    addShare: post('/v1/quant/share'),
    shareList: get('/v1/quant/share/list'),
    removeShare: remove('/v1/quant/share/{token}'),
    sharedReport: get('/v1/quant/share/{token}', { auth: false }),
  },
  ...byMarket(marketCalls),
  qmt: {
    apiKey: get(qmt('/apikey')),
    newApiKey: put(qmt('/apikey')),
    accountList: get(qmt('/account/list')),
    addAccount: post(qmt('/account')),
    changeAccount: put(qmt('/account/{id}')),
    removeAccount: remove(qmt('/account/{id}')),
    tradingConfigList: get(qmt('/trading-config/list')),
    tradingConfig: get(qmt('/trading-config/detail/{id}')),
    addTradingConfig: post(qmt('/trading-config')),
    changeTradingConfig: put(qmt('/trading-config/{id}')),
    removeTradingConfig: remove(qmt('/trading-config/{id}')),
    configList: get(qmt('/config/list')),
    addConfig: post(qmt('/config')),
    changeConfig: put(qmt('/config/{id}')),
    removeConfig: remove(qmt('/config/{id}')),
    configOptions: get(qmt('/config/{type}/options')),
    killSwitch: get(qmt('/kill-switch')),
    setKillSwitch: put(qmt('/kill-switch')),
    basket: post('/v1/quant/qmt-basket'),
    dryRun: post(qmt('/config/{id}/dry-run'), { timeout: 60 }),
    confirm: post(qmt('/config/{id}/confirm')),
    exportConfig: get(qmt('/config/export/{id}')),
    fillList: get(qmt('/config/{id}/fills')),
    questions: get(qmt('/questions')),
    settleOrder: put(qmt('/config/{id}/order/{order_id}')),
    settleBook: put(qmt('/config/{id}/book/{code}')),
    useJournal: put(qmt('/config/{id}/journal')),
  },
  qmtClient: {
    targets: get('/v1/qmt-client/targets', { auth: false, timeout: 60 }),
    heartbeat: post('/v1/qmt-client/heartbeat', { auth: false }),
    fills: post('/v1/qmt-client/fills', { auth: false }),
  },
  feedBridge: {
    push: post('/v1/feed-bridge/xtdata', { auth: false }),
  },
  alerts: {
    list: get('/v1/alerts/list'),
    read: put('/v1/alerts/read'),
  },
  vip: {
    plans: get('/v1/vip/list'),
    subscribe: post('/v1/vip/subscription/order'),
  },
  payment: {
    jsapiProcess: post('/v1/payment/wechat/jsapi/process'),
    jsapiClose: post('/v1/payment/wechat/jsapi/close'),
    nativeProcess: post('/v1/payment/wechat/native/process'),
    nativeClose: post('/v1/payment/wechat/native/close'),
  },
  order: {
    list: get('/v1/order/list'),
    pending: get('/v1/order/pending/orders'),
    detail: get('/v1/order/{id}'),
    status: get('/v1/order/{id}/status'),
    remove: remove('/v1/order/{id}'),
  },
}
