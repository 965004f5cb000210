import { type PriceMode, priceModes } from '../enums/qmt.ts'

/** Continuous trading of a day in Asia/Shanghai: the last three minutes are the closing auction. */
export const continuousSessions = [
  ['09:30:00', '11:30:00'],
  ['13:00:00', '14:57:00'],
] as const

/** The size of one order in yuan and the count of a day at most (decisions/0045): far below what counts as high frequency. */
export const largestOrder = 50_000
export const mostDailyOrders = 500

/** What the rules read of a trading config. A number that cannot be read yet is NaN and breaks no rule. */
export interface TradingNumbers {
  readonly start_time: string
  readonly end_time: string
  readonly interval: number
  readonly duration: number
  readonly wait: number
  readonly price_mode: PriceMode
  readonly price_offset: number
  readonly price_guard: number
  readonly order_min: number
  readonly order_max: number
  readonly day_max: number
  readonly max_daily_turnover: number
  readonly hold_rank: number | null
  readonly buy_rank: number | null
  readonly take_profit: { readonly activate: number; readonly drawdown: number; readonly deal: number } | null
  readonly ignore_codes: readonly string[]
}

interface TradingRule {
  /** Where the sentence belongs. */
  readonly field: keyof TradingNumbers
  readonly broken: (given: TradingNumbers) => boolean
  readonly sentence: string
}

/** In the order of the form. */
const rules: readonly TradingRule[] = [
  { field: 'end_time', broken: ({ start_time, end_time }) => end_time <= start_time, sentence: '结束时间须晚于开始时间' },
  {
    field: 'end_time',
    broken: ({ start_time, end_time }) => !continuousSessions.some(([from, to]) => start_time >= from && end_time <= to),
    sentence: '执行时段须在连续竞价时间内：9:30–11:30 或 13:00–14:57',
  },
  { field: 'interval', broken: ({ interval }) => interval < 3, sentence: '拆单间隔不能少于 3 秒' },
  { field: 'interval', broken: ({ interval, duration }) => interval > duration, sentence: '拆单间隔不能大于总时长' },
  {
    field: 'duration',
    broken: ({ start_time, end_time, duration }) => secondsOf(start_time) + duration > secondsOf(end_time),
    sentence: '总时长不能超过执行时段',
  },
  { field: 'wait', broken: ({ wait, interval }) => wait < 1 || wait > interval, sentence: '撤单等待须在 1 秒至拆单间隔之间' },
  {
    field: 'price_offset',
    broken: ({ price_mode, price_offset }) => priceModes[price_mode].needsOffset && (price_offset <= 0 || price_offset > 0.02),
    sentence: '指定超价须大于 0 且不超过 2%',
  },
  {
    field: 'price_guard',
    broken: ({ price_guard }) => price_guard < 0.001 || price_guard > 0.1,
    sentence: '价格保护须在 0.1% 至 10% 之间',
  },
  { field: 'order_max', broken: ({ order_min, order_max }) => order_max <= order_min, sentence: '单笔最大须大于单笔最小' },
  {
    field: 'order_max',
    broken: ({ order_max }) => order_max > largestOrder,
    sentence: `单笔最大不能超过 ${largestOrder.toLocaleString('en')} 元`,
  },
  {
    field: 'day_max',
    broken: ({ day_max }) => day_max < 1 || day_max > mostDailyOrders,
    sentence: `每日委托笔数须为 1 至 ${mostDailyOrders}`,
  },
  {
    field: 'max_daily_turnover',
    broken: ({ max_daily_turnover: most }) => most <= 0 || most > 1,
    sentence: '每日成交上限须大于 0 且不超过资金的 100%',
  },
  {
    field: 'hold_rank',
    broken: ({ hold_rank, buy_rank }) => hold_rank !== null && buy_rank !== null && hold_rank < buy_rank,
    sentence: '持有名次不能小于买入名次',
  },
  {
    field: 'take_profit',
    broken: ({ take_profit: p }) => p !== null && (p.activate <= 0 || p.drawdown <= 0 || p.deal <= 0),
    sentence: '止盈的激活、回撤与执行须大于 0',
  },
  { field: 'take_profit', broken: ({ take_profit: p }) => p !== null && p.drawdown > p.activate, sentence: '止盈回撤不能大于激活涨幅' },
  {
    field: 'ignore_codes',
    broken: ({ ignore_codes: codes }) => new Set(codes).size < codes.length,
    sentence: '忽略名单有重复的证券',
  },
]

/** The sentence of the first rule that a trading config breaks, of one field where it is named; null where it keeps them. */
export const tradingSentence = (given: TradingNumbers, field?: keyof TradingNumbers): string | null =>
  rules.find((rule) => (field === undefined || rule.field === field) && rule.broken(given))?.sentence ?? null

/** Seconds of the day of `14:50:00` or `09:15`. */
export function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3_600 + minutes * 60 + seconds
}
