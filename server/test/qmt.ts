import type { AccountBody, ConfigBody, TradingConfigBody } from '@convexa/contract'

// Bodies for the calls of /v1/quant/qmt: right ones, with what a test changes.

export interface QmtIds {
  readonly account: string
  readonly trading: string
  readonly strategy: string
}

export const qmtAccount = (over: Partial<AccountBody> = {}): AccountBody => ({
  alias: '主账户',
  broker: '测试证券',
  account_no: '70010001',
  account_type: 'STOCK',
  client_type: 'mini',
  initial_capital: 10,
  report_status: 1,
  reported_at: '2026-10-08',
  is_enabled: true,
  ...over,
})

export const qmtTrading = (over: Partial<TradingConfigBody> = {}): TradingConfigBody => ({
  name: '尾盘模板',
  start_time: '14:50:00',
  end_time: '14:56:30',
  interval: 30,
  duration: 300,
  wait: 24,
  price_mode: 1,
  price_offset: 0.0001,
  price_guard: 0.03,
  order_min: 3_000,
  order_max: 30_000,
  day_max: 200,
  max_daily_turnover: 1,
  hold_rank: null,
  buy_rank: null,
  sell_first: true,
  limit_up_skip: true,
  only_own: true,
  take_profit: null,
  ignore_codes: [],
  heartbeat: '09:15',
  dry_run: true,
  ...over,
})

export const qmtConfig = ({ account, trading, strategy }: QmtIds, over: Partial<ConfigBody> = {}): ConfigBody => ({
  name: '双低实盘',
  kind: 'cb',
  account_id: account,
  source: { type: 'strategy', id: strategy },
  capital: 10,
  hold_weight_type: 1,
  trading_config_id: trading,
  enabled: true,
  ...over,
})
