import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { holdWeights } from './enums/hold-weight.ts'
import { accountTypes, clientTypes, priceModes } from './enums/qmt.ts'
import { valuesOf } from './enums/table.ts'
import { Id, IsoDate, lines, MarketId, Named, num, SecurityCode, text } from './scalars.ts'

// Everything a user sets up before the terminal trades: the key, accounts, trading configs, configs, the kill switch.

/** What a key may do: read targets, report heartbeats and fills. */
export const ApiKeyScope = z.enum(['read', 'report'])
export type ApiKeyScope = z.output<typeof ApiKeyScope>

export const ApiKey = z.object({
  /** `qmt_****8f21` */
  masked: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  last_ip: z.string().nullable(),
  scopes: z.array(ApiKeyScope),
  /** Until then the previous key is still accepted. */
  old_until: z.string().optional(),
})
export type ApiKey = z.output<typeof ApiKey>

const AccountType = z.enum(valuesOf(accountTypes))
const ClientType = z.enum(valuesOf(clientTypes))

/** 0 not yet, 1 reported to the broker: 先报告、后交易. */
const ReportStatus = z.union([z.literal(0), z.literal(1)])

export const AccountBody = z.strictObject({
  alias: Named,
  broker: text(50, 1),
  /** A label for exported files, kept sealed and shown masked; digits and letters as the broker writes it. */
  account_no: z.string().regex(/^[0-9A-Za-z]{4,30}$/),
  account_type: AccountType,
  client_type: ClientType,
  /** 万元 */
  initial_capital: z.number().min(0).max(100_000),
  report_status: ReportStatus,
  reported_at: IsoDate.nullable().optional(),
  is_enabled: z.boolean(),
  remark: lines(200).optional(),
})
export type AccountBody = z.output<typeof AccountBody>

/** The number that is not told stays. */
export const AccountChange = AccountBody.partial({ account_no: true })
export type AccountChange = z.output<typeof AccountChange>

export const Account = z.object({
  id: z.string(),
  alias: z.string(),
  broker: z.string(),
  /** `****1234` */
  account_masked: z.string(),
  account_type: AccountType,
  client_type: ClientType,
  initial_capital: z.number(),
  report_status: ReportStatus,
  reported_at: z.string().nullable(),
  is_enabled: z.boolean(),
  remark: z.string(),
  last_heartbeat: z.string().nullable(),
})
export type Account = z.output<typeof Account>

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/)
const fraction = z.number().min(0).max(1)

/** How the client trades. What does not go together is refused with a sentence (24003). */
export const TradingConfigBody = z.strictObject({
  name: Named,
  /** Inside continuous trading, Asia/Shanghai. */
  start_time: Time,
  end_time: Time,
  /** Seconds between slices, that the whole may take, and after which an order is cancelled. */
  interval: z.int().min(0).max(3_600),
  duration: z.int().min(0).max(14_400),
  wait: z.int().min(0).max(3_600),
  price_mode: z.literal(valuesOf(priceModes)),
  price_offset: fraction,
  /** No order where the last price is further from the signal's. */
  price_guard: fraction,
  /** Yuan of one order. */
  order_min: z.number().min(0).max(1e9),
  order_max: z.number().min(0).max(1e9),
  /** Orders of one day. */
  day_max: z.int().min(0).max(1e6),
  /** Bought, and sold, on one day at most, as a fraction of the capital. */
  max_daily_turnover: z.number().min(0).max(10),
  /** Kept while the rank is not beyond this; null: the list itself. */
  hold_rank: z.int().min(1).max(1_000).nullable(),
  /** Bought only up to this rank; null: the list itself. */
  buy_rank: z.int().min(1).max(1_000).nullable(),
  sell_first: z.boolean(),
  limit_up_skip: z.boolean(),
  only_own: z.boolean(),
  /** From `activate` of gain on, `deal` of the position is sold when the gain has fallen by `drawdown` from its top. */
  take_profit: z.strictObject({ activate: fraction, drawdown: fraction, deal: fraction }).nullable(),
  ignore_codes: z.array(SecurityCode).max(200),
  heartbeat: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  dry_run: z.boolean(),
})
export type TradingConfigBody = z.output<typeof TradingConfigBody>

export const TradingConfig = TradingConfigBody.extend({ id: z.string(), updated_at: z.string() })
export type TradingConfig = z.output<typeof TradingConfig>

const TradingConfigListItem = TradingConfig.pick({
  id: true,
  name: true,
  start_time: true,
  end_time: true,
  updated_at: true,
}).extend({
  dry_run: z.boolean(),
})

export const HoldWeightType = z.literal(valuesOf(holdWeights))
const SourceType = z.enum(['strategy', 'group'])

/** What runs where and by which rules. */
export const ConfigBody = z.strictObject({
  name: Named,
  kind: MarketId,
  account_id: Id,
  source: z.strictObject({ type: SourceType, id: Id }),
  /** 万元 */
  capital: z.number().min(0.1).max(100_000),
  hold_weight_type: HoldWeightType,
  trading_config_id: Id,
  enabled: z.boolean(),
})
export type ConfigBody = z.output<typeof ConfigBody>

/** Absent fields keep their value, so switching a config off need not repeat its capital. */
export const ConfigChange = ConfigBody.partial()
export type ConfigChange = z.output<typeof ConfigChange>

export const ConfigListItem = z.object({
  id: z.string(),
  name: z.string(),
  kind: MarketId,
  account_id: z.string(),
  source: z.object({ type: SourceType, id: z.string(), name: z.string() }),
  capital: z.number(),
  hold_weight_type: HoldWeightType,
  trading_config_id: z.string(),
  enabled: z.boolean(),
  /** Securities that the last dry run would buy or sell; null before the first. */
  diff_count: num,
  /** The last dry run was looked at and confirmed; null: not, or the config was changed since. */
  confirmed_at: z.string().nullable(),
  /** null: never, or what the client trades by was changed since. */
  exported_at: z.string().nullable(),
  last_heartbeat: z.string().nullable(),
  /** Orders and books that the user is asked about, and a journal that does not fit. */
  questions: z.int(),
  /** What keeps its client from trading, beside that; '' = nothing that the site knows of. */
  client_note: z.string(),
  updated_at: z.string(),
})
export type ConfigListItem = z.output<typeof ConfigListItem>

const option = z.object({ value: z.string(), label: z.string() })

export const ConfigOptions = z.object({
  accounts: z.array(option),
  sources: z.array(option.extend({ type: SourceType, kind: MarketId })),
  trading_configs: z.array(option),
  weight_types: z.array(z.object({ value: HoldWeightType, label: z.string() })),
  client_versions: z.array(option),
})
export type ConfigOptions = z.output<typeof ConfigOptions>

const own = z.object({ id: Id })
const saved = z.object({ id: z.string() })
const none = z.object({})
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ list_items: z.array(item), total: z.int() })

const calls = callTable.qmt

export const qmt = {
  apiKey: endpoint(calls.apiKey, { summary: 'QMT API 密钥', data: ApiKey.nullable() }),
  newApiKey: endpoint(calls.newApiKey, {
    summary: '生成或重新生成 QMT API 密钥（只显示一次）',
    data: z.object({ api_key: z.string(), created_at: z.string() }),
  }),
  accountList: endpoint(calls.accountList, { summary: 'QMT 账户列表', data: listOf(Account) }),
  addAccount: endpoint(calls.addAccount, { summary: '添加 QMT 账户', body: AccountBody, data: saved }),
  changeAccount: endpoint(calls.changeAccount, {
    summary: '修改 QMT 账户',
    params: own,
    body: AccountChange,
    data: none,
  }),
  removeAccount: endpoint(calls.removeAccount, { summary: '删除 QMT 账户', params: own, data: none }),
  tradingConfigList: endpoint(calls.tradingConfigList, {
    summary: '交易配置列表',
    data: listOf(TradingConfigListItem),
  }),
  tradingConfig: endpoint(calls.tradingConfig, {
    summary: '交易配置',
    params: own,
    data: TradingConfig,
  }),
  addTradingConfig: endpoint(calls.addTradingConfig, {
    summary: '新建交易配置',
    body: TradingConfigBody,
    data: saved,
  }),
  changeTradingConfig: endpoint(calls.changeTradingConfig, {
    summary: '修改交易配置',
    params: own,
    body: TradingConfigBody,
    data: none,
  }),
  removeTradingConfig: endpoint(calls.removeTradingConfig, {
    summary: '删除交易配置',
    params: own,
    data: none,
  }),
  configList: endpoint(calls.configList, { summary: '运行配置列表', data: listOf(ConfigListItem) }),
  addConfig: endpoint(calls.addConfig, { summary: '新建运行配置', body: ConfigBody, data: saved }),
  changeConfig: endpoint(calls.changeConfig, {
    summary: '修改运行配置',
    params: own,
    body: ConfigChange,
    data: none,
  }),
  removeConfig: endpoint(calls.removeConfig, { summary: '删除运行配置', params: own, data: none }),
  /** Clients ask with 1, as the specification has it. 2 is for those that take it for the market, 1 bonds and 2 stocks: the answer is of both, each source with its kind. */
  configOptions: endpoint(calls.configOptions, {
    summary: '运行配置的可选项',
    params: z.object({ type: z.enum(['1', '2']) }),
    data: ConfigOptions,
  }),
  killSwitch: endpoint(calls.killSwitch, {
    summary: '自动交易急停状态',
    data: z.object({ on: z.boolean(), since: z.string().nullable() }),
  }),
  setKillSwitch: endpoint(calls.setKillSwitch, {
    summary: '急停或恢复自动交易',
    body: z.strictObject({ on: z.boolean() }),
    data: z.object({ on: z.boolean(), since: z.string().nullable() }),
  }),
}
