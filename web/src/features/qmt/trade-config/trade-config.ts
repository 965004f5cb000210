import { stopFields } from '@convexa/contract/enums/stop-type'
import type { TradingConfig, TradingConfigBody } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { nameSentence } from '@convexa/contract/rules/names'
import { largestOrder, mostDailyOrders, type TradingNumbers, tradingSentence } from '@convexa/contract/rules/trading-config'
import { plain } from '../../../base/format.ts'
import { halfWidth } from '../../../base/read-number.ts'
import type { Rules } from '../../../ui/form/form-state.ts'
import { first, type Rule, rules } from '../../../ui/form/rules.ts'

/** A form's values: what may be empty while one types is null or text, a number that cannot be read NaN. */
export type TradeValues = {
  name: string
  start_time: string
  end_time: string
  interval: number | null
  duration: number | null
  wait: number | null
  price_mode: TradingConfigBody['price_mode']
  price_offset: number | null
  price_guard: number | null
  order_min: number | null
  order_max: number | null
  day_max: number | null
  max_daily_turnover: number | null
  hold_rank: number | null
  buy_rank: number | null
  sell_first: boolean
  limit_up_skip: boolean
  only_own: boolean
  takes_profit: boolean
  activate: number | null
  drawdown: number | null
  deal: number | null
  /** As typed: codes with commas, spaces or lines between. */
  ignored: string
  heartbeat: string
  dry_run: boolean
}

/** As public scripts for the terminal have it: the last minutes of continuous trading, in ten slices. */
export const closingTemplate: TradeValues = {
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
  takes_profit: false,
  activate: 0.065,
  drawdown: 0.003,
  // All of it: public scripts have 1 %, which of most holdings sells a single lot.
  deal: 1,
  ignored: '',
  heartbeat: '09:15',
  dry_run: true,
}

export function valuesOf({ take_profit: profit, ignore_codes: ignored, id: _id, updated_at: _at, ...rest }: TradingConfig): TradeValues {
  const { activate, drawdown, deal } = profit ?? closingTemplate
  return { ...rest, takes_profit: profit !== null, activate, drawdown, deal, ignored: ignored.join('\n') }
}

/** Once the rules have nothing to say. */
export function bodyOf({ takes_profit, activate, drawdown, deal, ignored, ...rest }: TradeValues): TradingConfigBody {
  // What cannot be read is left only where it is not asked for: the premium of another price mode.
  const number = (value: number | null) => value || 0
  return {
    ...rest,
    name: rest.name.trim(),
    heartbeat: wholeMinute(rest.heartbeat),
    start_time: wholeTime(rest.start_time),
    end_time: wholeTime(rest.end_time),
    interval: number(rest.interval),
    duration: number(rest.duration),
    wait: number(rest.wait),
    price_offset: number(rest.price_offset),
    price_guard: number(rest.price_guard),
    order_min: number(rest.order_min),
    order_max: number(rest.order_max),
    day_max: number(rest.day_max),
    max_daily_turnover: number(rest.max_daily_turnover),
    take_profit: takes_profit ? { activate: number(activate), drawdown: number(drawdown), deal: number(deal) } : null,
    ignore_codes: codesIn(ignored),
  }
}

/** `14:50`, `9:30` and `９：３０` as the contract writes times: `14:50:00`, `09:30:00`. */
export function wholeTime(text: string): string {
  const typed = halfWidth(text)
  const padded = /^\d:/.test(typed) ? `0${typed}` : typed
  return /^\d\d:\d\d$/.test(padded) ? `${padded}:00` : padded
}

/** The same without seconds, of which a heartbeat has none: `09:15`. */
export const wholeMinute = (text: string): string => wholeTime(text).replace(/^(\d\d:\d\d):00$/, '$1')

const codesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,，、;；]+/)
    .filter((part) => part !== '')

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(wholeTime(text))
const time: Rule<string> = (text) => (isTime(text) ? null : '请填写时间，例如 14:50:00')

/** A number that has to be there; what it must keep is said as the server says it. */
const kept =
  <All>(sentence: string, good: (value: number, all: All) => boolean): Rule<number | null, All> =>
  (value, all) =>
    value !== null && good(value, all) ? null : sentence
const whole = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high

type All = TradeValues

/** The form's values as the shared rules read them: what is not filled in is NaN. */
function numbersOf({ takes_profit, activate, drawdown, deal, ignored, ...rest }: TradeValues): TradingNumbers {
  const number = (value: number | null) => value ?? Number.NaN
  return {
    ...rest,
    start_time: wholeTime(rest.start_time),
    end_time: wholeTime(rest.end_time),
    interval: number(rest.interval),
    duration: number(rest.duration),
    wait: number(rest.wait),
    price_offset: number(rest.price_offset),
    price_guard: number(rest.price_guard),
    order_min: number(rest.order_min),
    order_max: number(rest.order_max),
    day_max: number(rest.day_max),
    max_daily_turnover: number(rest.max_daily_turnover),
    take_profit: takes_profit ? { activate: number(activate), drawdown: number(drawdown), deal: number(deal) } : null,
    ignore_codes: codesIn(ignored),
  }
}

/** What the server says of a field too. */
const shared =
  (field: keyof TradingNumbers): Rule<unknown, All> =>
  (_, all) =>
    tradingSentence(numbersOf(all), field)
/** The same of a number that has to be there: without it the sentence of one that is out of bounds. */
const given =
  (field: 'wait' | 'price_offset' | 'price_guard' | 'max_daily_turnover'): Rule<number | null, All> =>
  (value, all) =>
    tradingSentence(numbersOf({ ...all, [field]: isFilled(value) ? value : Number.POSITIVE_INFINITY }), field)
const isFilled = (value: number | null) => value !== null && !Number.isNaN(value)
const ofProfit =
  (rule: Rule<number | null, All>): Rule<number | null, All> =>
  (value, all) =>
    all.takes_profit ? rule(value, all) : null
const rank: Rule<number | null, All> = (value) => (value === null || whole(value, 1, 1_000) ? null : '名次须为 1–1000 的整数，留空即按名单')
const fraction = (name: string) => kept<All>(`${name}须大于 0 且不超过 100%`, (value) => value > 0 && value <= 1)

/** The sentences of the server's own check, each at its field (decisions/0045): what is wrong is said before it is sent. */
export const tradeRules: Rules<TradeValues> = {
  name: first(rules.required('名称'), (text: string) => nameSentence(text)),
  start_time: time,
  end_time: first<string, All>(time, (_, all) => (isTime(all.start_time) ? shared('end_time')(all.end_time, all) : null)),
  interval: first<number | null, All>(
    kept('拆单间隔须为 3–3600 秒的整数', (value) => whole(value, 3, 3_600)),
    shared('interval'),
  ),
  duration: first<number | null, All>(
    kept('总时长须为 1–14400 秒的整数', (value) => whole(value, 1, 14_400)),
    (value, all) => (isTime(all.start_time) && isTime(all.end_time) ? shared('duration')(value, all) : null),
  ),
  wait: first<number | null, All>(
    given('wait'),
    kept('撤单等待须为 1–3600 秒的整数', (value) => whole(value, 1, 3_600)),
  ),
  price_offset: given('price_offset'),
  price_guard: given('price_guard'),
  order_min: kept('单笔最小须为不小于 0 的数', (value) => value >= 0),
  order_max: first<number | null, All>(
    kept(`单笔最大须大于 0 且不超过 ${plain(largestOrder)} 元`, (value) => value > 0 && value <= largestOrder),
    shared('order_max'),
  ),
  day_max: kept(`每日委托笔数须为 1–${mostDailyOrders} 的整数`, (value) => whole(value, 1, mostDailyOrders)),
  max_daily_turnover: given('max_daily_turnover'),
  buy_rank: rank,
  hold_rank: first<number | null, All>(rank, shared('hold_rank')),
  activate: ofProfit(fraction(stopFields.activate.label)),
  drawdown: ofProfit(first<number | null, All>(fraction('回撤'), shared('take_profit'))),
  deal: ofProfit(fraction(qmtLabels.deal)),
  ignored: (text, all) => {
    const codes = codesIn(text)
    const wrong = codes.find((code) => !/^\d{6}\.(SH|SZ|BJ|DM)$/.test(code))
    if (wrong) return `「${wrong}」不是证券代码，请写成 127056.SZ 的样子`
    if (codes.length > 200) return '忽略名单最多 200 只'
    return shared('ignore_codes')(text, all)
  },
  heartbeat: (text) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(wholeMinute(text)) ? null : '请填写时间，例如 09:15'),
}
