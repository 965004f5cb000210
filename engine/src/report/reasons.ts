import type { Settings } from '@convexa/contract'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import type { StopBase } from '@convexa/contract/enums/stop-base'
import { stopsLabel } from '@convexa/contract/enums/stop-type'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import { entryWords, outOfRange } from '../screen/rows.ts'
import { labelFor } from '../screen/rules.ts'
import { redemptionWords } from '../simulation/exit-warnings.ts'
import type { Fill, Missed } from '../simulation/fills.ts'
import type { Rankings } from '../simulation/rankings.ts'
import { paymentOf } from '../simulation/redemption-payments.ts'
import type { Stop } from '../simulation/stops.ts'

/** Input of the sentences that explain trades. */
export interface TradeExplanation {
  readonly panel: Panel
  readonly market: Market
  readonly compiled: CompiledScreen
  readonly rankings: Rankings
  readonly settings: Pick<Settings, 'fill' | 'call_handling'>
  /** Target exposure by row of the rankings, where timing rules say one. */
  readonly exposure: Float64Array | null
}

/** Why a trade was made, in a sentence: 「名次 14 → 21，超出持有区间 10 与缓冲名次 5」. */
export function tradeReason(explanation: TradeExplanation, fill: Fill, from: number, to: number): string {
  const why = causeOf(explanation, fill, from, to)
  return fill.partial ? `${why}；受当日成交额限制，部分成交` : why
}

function causeOf(explanation: TradeExplanation, fill: Fill, from: number, to: number): string {
  switch (fill.reason) {
    case 'enter':
      return entered(explanation, fill.ranking, from, to)
    case 'rebalance':
      return `调仓（权重 ${percent(fill.weightFrom)} → ${percent(fill.weightTo)}${timed(explanation, fill.ranking)}）`
    case 'rank_out':
      return rankedOut(explanation, fill.ranking, from, to)
    case 'excluded':
    case 'missing':
      return ruleText(explanation, fill.ranking, fill.security)
    case 'last_day':
      return `最后交易日 ${explanation.panel.securities[fill.security].lastDay ?? '未知'}，${callHandlings[explanation.settings.call_handling].redeemed ? '兑付金额无法推算，按收盘卖出' : '按设定退出'}`
    case 'called':
      return '强制赎回，按赎回价兑付'
    case 'matured':
      return '到期，按到期赎回价兑付'
    case 'delisted':
      return fill.price > 0 ? '已无行情（退市或摘牌），按最后价格退出' : '已无行情（退市或摘牌），按零值退出'
    case 'take_profit':
    case 'stop_loss':
    case 'trailing_stop':
      return fill.stop ? stopText(explanation, fill.stop) : stopsLabel
    case 'timing':
      return '择时规则：目标仓位 0%'
    case 'end':
      return '回测结束'
  }
}

function timed({ exposure }: TradeExplanation, row: number): string {
  return exposure !== null && exposure[row] < 1 ? `，择时仓位 ${percent(exposure[row])}` : ''
}

const baseWords: Record<StopBase, string> = { cost: '成本', prev_close: '昨收' }

/** 「盘中触及止盈价 106.000（昨收 100.000 +6.0%），按止盈价成交」 */
function stopText({ compiled, market }: TradeExplanation, { reason, level, from, price, moment, both }: Stop): string {
  const figure = (value: number) => value.toFixed(market.tickDecimals)
  const change = `${level >= from ? '+' : '−'}${percent(Math.abs(level / from - 1))}`
  const name = reason === 'take_profit' ? '止盈价' : reason === 'stop_loss' ? '止损价' : '移动止盈价'
  const base = reason === 'trailing_stop' ? '最高价' : baseWords[compiled.parameters.stop_method.base ?? 'prev_close']
  const moved = `${name} ${figure(level)}（${base} ${figure(from)} ${change}）`
  const beyond = reason === 'take_profit' ? '高于' : '低于'
  if (moment === 'close') return `收盘价 ${figure(price)} ${beyond}或等于${moved}`
  if (moment === 'open') return `开盘价 ${figure(price)} ${beyond}或等于${moved}，按开盘价成交`
  return `盘中触及${moved}，按触发价成交${both ? '；当日也触及止盈价，先后不明，按先止损处理' : ''}`
}

/** The rule that keeps a security out of a row's pool. */
export function ruleText({ rankings }: TradeExplanation, row: number, security: number): string {
  const failed = rankings.fail[row * rankings.count + security]
  if (failed === 0) return ''
  const rule = rankings.rules[failed - 1]
  const { key } = rule
  const label = labelFor(rule, security, rankings.days[row])
  return key.startsWith('filter.') || key.startsWith('missing.') ? label : `剔除：${label}`
}

function entered({ rankings, compiled }: TradeExplanation, row: number, from: number, to: number): string {
  return `${from > 0 ? `名次 ${from} → ${to}` : `名次 ${to}`}，${entryWords(compiled, rankings.size[row], to)}`
}

function rankedOut({ rankings, compiled }: TradeExplanation, row: number, from: number, to: number): string {
  return `${from > 0 ? `名次 ${from} → ${to}` : `名次 ${to}`}，${outOfRange(compiled, rankings.size[row], to)}`
}

const missedWords: Record<Missed['why'], string> = {
  limit_up: '涨停未买入',
  suspended: '停牌未买入',
  missing_bar: '缺行情未买入',
  no_price: '当日没有成交价，未买入',
  no_lot: '这一份资金或当日成交额不足一手，未买入',
  no_reference: '没有前收盘价，无法判断涨跌停，未买入',
}

/** Why one that had its place was not bought. */
export const missedReason = ({ why }: Missed): string => missedWords[why]

/** Why a position is held on a day, after the newest ranking (place 0 = not in its pool). */
export function holdReason(
  place: number,
  waiting: boolean,
  suspended: boolean,
  /** The last day on which it traded, where that is long ago. */
  since: string | null = null,
  /** Its bar of the day has not come. */
  isMissing = false,
): { reason: string; text: string } {
  if (isMissing)
    return waiting
      ? { reason: 'waiting', text: '缺行情无法卖出，顺延，按最近收盘价计值' }
      : { reason: 'missing_bar', text: '缺行情，按最近收盘价计值，继续持有' }
  if (since !== null) return { reason: 'suspended', text: `自 ${since} 之后没有成交，按停牌继续持有` }
  if (waiting) return { reason: 'waiting', text: suspended ? '停牌无法卖出，顺延' : '跌停、成交额或交收限制未能卖出，顺延' }
  if (suspended) return { reason: 'suspended', text: '停牌，继续持有' }
  return { reason: 'hold', text: place > 0 ? `名次 ${place}，继续持有` : '未参与排名，继续持有' }
}

/** Why a bond that trades no more is still among the positions of a day. */
export function claimReason(
  panel: Pick<Panel, 'securities' | 'dates' | 'later'>,
  security: number,
  t: number,
): { reason: string; text: string } {
  const payment = paymentOf(panel, security, t)
  const last = panel.securities[security].lastDay
  const over = last === null ? '已无行情' : `最后交易日 ${last}`
  if (payment === null) return { reason: 'unpaid', text: `未兑付：${over}，兑付金额无法推算，按最后收盘价计值` }
  const paymentText = payment.day < panel.dates.length ? `，${panel.dates[payment.day]} 兑付` : ''
  return { reason: 'claim', text: `待兑付：${over}，按${redemptionWords[payment.reason]} ${payment.price.toFixed(3)} 元计值${paymentText}` }
}

/** Of a position that a ranking is not sure to keep, on its day, where its list is traded on the next. */
export function pendingReason(place: number): { reason: string; text: string } {
  return { reason: 'hold', text: place > 0 ? `名次 ${place}，待次日轮动` : '未参与排名，待次日轮动' }
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`
}
