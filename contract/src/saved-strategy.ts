import { z } from 'zod'
import { Settings } from './backtest.ts'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { type MarketId, markets } from './enums/market.ts'
import { DataMode } from './market.ts'
import { DataNote, Id, LeftOutInterest, lines, Named, num, text } from './scalars.ts'
import { Parameters } from './strategy.ts'

const Remark = lines(200)
const Tags = z.array(text(20, 1)).max(10)

/** A strategy as it is saved. */
export const StrategyBody = z.strictObject({
  strategy_name: Named,
  remark: Remark.optional(),
  detail: Parameters,
  settings: Settings.optional(),
  tags: Tags.optional(),
})
export type StrategyBody = z.output<typeof StrategyBody>

/** Its next version. What is left out stays as it was; `base_version` is the version that was edited. */
export const StrategyChange = z.strictObject({
  detail: Parameters,
  settings: Settings.optional(),
  tags: Tags.optional(),
  remark: Remark.optional(),
  base_version: z.int().min(1),
})
export type StrategyChange = z.output<typeof StrategyChange>

const security = z.object({ code: z.string(), name: z.string() })

/** Summary of a saved strategy: how its rule did lately and what it lists on the newest day. Returns are fractions. On the wire it is `glance`. */
export const StrategySummary = z.object({
  /** Trading day that it says something about, and when it was computed. */
  as_of: z.string(),
  computed_at: z.string(),
  data_mode: DataMode,
  data_version: z.string(),
  /** The data or the strategy are newer. */
  stale: z.boolean(),
  ret_1d: num,
  ret_20d: num,
  ret_1y: num,
  max_drawdown_1y: num,
  /** Net values evenly taken from the run, its last day last: 60 at most. */
  sparkline: z.array(z.number()),
  /** Days of `sparkline`; absent in glances from before this field. */
  sparkline_dates: z.array(z.string()).optional(),
  left_out_interest: LeftOutInterest,
  /** What the rule lists on that day, with the weights that it aims at. */
  list_items: z.array(security.extend({ rank: num, weight: z.number() })),
  /** Against what the rule held before that day, had every place been filled. */
  diff: z.object({ added: z.array(security), removed: z.array(security) }),
  /** Bonds of the list that count towards a call or are called, the nearest first. */
  call_risk: z.array(security.extend({ count: num, threshold: z.int(), last_trade_date: z.string().nullable() })),
  /**
   * Positions of the rule, and of the rule followed since it was saved, that have not traded for 20 days or more: the last day on which they
   * did, and their share of the equity; `missing_bar`: the newest day's bar has not come, so that nothing says that it is suspended. Absent in older glances.
   */
  silent: z.array(security.extend({ since: z.string(), weight: z.number(), missing_bar: z.literal(true).optional() })).optional(),
  data_note: DataNote,
  /** The newest finished run of the strategy. */
  backtest_id: z.string().optional(),
})
export type StrategySummary = z.output<typeof StrategySummary>

export const StrategyListItem = z.object({
  id: z.string(),
  strategy_name: z.string(),
  remark: z.string(),
  glance: StrategySummary.nullable(),
  tags: z.array(z.string()),
  version: z.int(),
  backtest_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type StrategyListItem = z.output<typeof StrategyListItem>

/** Sentences on factors whose names mean something else now: the rule is written so that it means what it meant when it was saved. */
const keptMeanings = z.array(z.string())

export const StrategyDetail = StrategyListItem.extend({
  detail: Parameters,
  settings: Settings.optional(),
  kept_meanings: keptMeanings,
  /** Own factors in it: the version that it was saved with and the one of now, null once it is deleted. */
  own_factors: z.array(z.object({ factor_key: z.string(), factor_name: z.string(), saved_version: z.int(), version: z.int().nullable() })),
  /** The version before, to compare with. */
  previous: z.object({ version: z.int(), detail: Parameters, settings: Settings.optional(), saved_at: z.string() }).nullable(),
  /** Groups that it is a member of: while there is one it cannot be deleted. */
  groups: z.array(z.object({ id: z.string(), group_name: z.string() })),
  /**
   * Other strategies of the same market by how much they hold the same over the last year, the most alike first: those that say something
   * on enough common days. `overlap` is the mean share of securities held by both among those held by either, day by day.
   */
  similar: z.array(z.object({ strategy_id: z.string(), strategy_name: z.string(), overlap: z.number(), correlation: num, days: z.int() })),
})
export type StrategyDetail = z.output<typeof StrategyDetail>

/** What a strategy was, the newest version first: the ones that are kept, to compare with. */
export const StrategyVersion = z.object({ version: z.int(), detail: Parameters, settings: Settings.optional(), saved_at: z.string() })
export type StrategyVersion = z.output<typeof StrategyVersion>

/**
 * Out-of-sample record of a rule from the day on which this version was saved, beginning with cash. `nav` is written once, when a day's
 * data first arrive, and never changes; `now` is recomputed from current data by the current engine. A difference means that data or engine
 * changed.
 */
export const Tracking = z.object({
  version: z.int(),
  saved_at: z.string(),
  dates: z.array(z.string()),
  nav: z.array(z.number()),
  now: z.array(num),
  /** The whole market on these days, 1 at the first close; absent where it is not known. */
  market: z.object({ label: z.string(), nav: z.array(num) }).optional(),
  /** By which engine the days were written, ascending, an entry where it changes; null: an older one that was not noted. */
  engines: z.array(z.object({ from: z.string(), version: z.string().nullable() })),
  days: z.array(
    z.object({
      date: z.string(),
      recorded_at: z.string(),
      /** It was the newest day of the data when it was written. */
      on_time: z.boolean(),
      data_version: z.string(),
      codes: z.array(z.string()),
      added: z.array(z.string()),
      removed: z.array(z.string()),
      /** Parts of the day's data that the rule reads and that had not come when it was recorded. */
      open_parts: z.array(z.string()).optional(),
    }),
  ),
  /** The newest day, not recorded yet: until the parts that the rule reads have come, at the latest at 20:15 of that day. */
  waiting: z.object({ date: z.string(), parts: z.array(z.string()) }).optional(),
})
export type Tracking = z.output<typeof Tracking>

const own = z.object({ id: Id })
const none = z.object({})

/** The calls on saved strategies of a market. */
export function strategyCalls(id: MarketId) {
  const calls = callTable[id]
  const { label } = markets[id]
  return {
    strategyList: endpoint(calls.strategyList, {
      summary: `${label}策略列表`,
      data: z.object({ list_items: z.array(StrategyListItem), total: z.int() }),
    }),
    strategyDetail: endpoint(calls.strategyDetail, { summary: `${label}策略`, params: own, data: StrategyDetail }),
    addStrategy: endpoint(calls.addStrategy, {
      summary: `保存${label}策略`,
      body: StrategyBody,
      data: z.object({ id: z.string() }),
    }),
    changeStrategy: endpoint(calls.changeStrategy, {
      summary: `修改${label}策略`,
      params: own,
      body: StrategyChange,
      data: z.object({ id: z.string(), version: z.int() }),
    }),
    glance: endpoint(calls.glance, {
      summary: `刷新${label}策略概览`,
      params: own,
      body: z.strictObject({ settings: Settings.optional() }),
      data: StrategySummary,
    }),
    strategyVersions: endpoint(calls.strategyVersions, {
      summary: `${label}策略的历史版本`,
      params: own,
      data: z.object({ list_items: z.array(StrategyVersion), total: z.int() }),
    }),
    tracking: endpoint(calls.tracking, { summary: `${label}策略保存后的表现`, params: own, data: Tracking }),
    removeStrategy: endpoint(calls.removeStrategy, { summary: `删除${label}策略`, params: own, data: none }),
    renameStrategy: endpoint(calls.renameStrategy, {
      summary: `${label}策略改名`,
      params: own,
      body: z.strictObject({ strategy_name: Named }),
      data: none,
    }),
    remarkStrategy: endpoint(calls.remarkStrategy, {
      summary: `${label}策略备注`,
      params: own,
      // Tags are words about it as the remark is: changing them makes no new version of the rule. What is not sent stays as it is.
      body: z.strictObject({ remark: Remark.optional(), tags: Tags.optional() }),
      data: none,
    }),
  }
}
