import type { TradingConfigBody } from '@convexa/contract'
import { priceModes } from '@convexa/contract/enums/qmt'
import { throwApiError } from '../base/api-error.ts'

/** Sessions of continuous trading: the last three minutes are the closing auction. */
const sessions = [
  ['09:30:00', '11:30:00'],
  ['13:00:00', '14:57:00'],
] as const
/** The size of one order and the count of a day at most (decisions/0045): far below what counts as high frequency. */
const mostYuan = 50_000
const mostOrders = 500

type Rule = readonly [broken: (given: TradingConfigBody) => boolean, sentence: string]

/** What a trading config must keep, in the order of the form. A wrong one is refused by its sentence, never bent. */
const rules: readonly Rule[] = [
  [({ start_time, end_time }) => end_time <= start_time, '结束时间须晚于开始时间'],
  [({ start_time, end_time }) => !sessions.some(([from, to]) => start_time >= from && end_time <= to), '执行时段须在连续竞价时间内'],
  [({ interval }) => interval < 3, '拆单间隔不能少于 3 秒'],
  [({ interval, duration }) => interval > duration, '拆单间隔不能大于总时长'],
  [(given) => seconds(given.start_time) + given.duration > seconds(given.end_time), '总时长不能超过执行时段'],
  [({ wait, interval }) => wait < 1 || wait > interval, '撤单等待须在 1 秒至拆单间隔之间'],
  [
    ({ price_mode, price_offset }) => priceModes[price_mode].needsOffset && (price_offset <= 0 || price_offset > 0.02),
    '指定超价须大于 0 且不超过 2%',
  ],
  [({ price_guard }) => price_guard < 0.001 || price_guard > 0.1, '价格保护须在 0.1% 至 10% 之间'],
  [({ order_min, order_max }) => order_max <= order_min, '单笔最大须大于单笔最小'],
  [({ order_max }) => order_max > mostYuan, `单笔最大不能超过 ${mostYuan.toLocaleString('en')} 元`],
  [({ day_max }) => day_max < 1 || day_max > mostOrders, `每日委托笔数须为 1 至 ${mostOrders}`],
  [({ max_daily_turnover }) => max_daily_turnover <= 0 || max_daily_turnover > 1, '每日成交上限须大于 0 且不超过资金的 100%'],
  [({ hold_rank, buy_rank }) => hold_rank !== null && buy_rank !== null && hold_rank < buy_rank, '持有名次不能小于买入名次'],
  [({ take_profit: p }) => p !== null && (p.activate <= 0 || p.drawdown <= 0 || p.deal <= 0), '止盈的激活、回撤与执行须大于 0'],
  [({ take_profit: p }) => p !== null && p.drawdown > p.activate, '止盈回撤不能大于激活涨幅'],
  [({ ignore_codes }) => new Set(ignore_codes).size < ignore_codes.length, '忽略名单有重复的证券'],
]

const seconds = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** @throws ApiError 24003 with what is wrong */
export function checkTrading(given: TradingConfigBody): void {
  for (const [broken, sentence] of rules) if (broken(given)) throwApiError(24003, sentence)
}
