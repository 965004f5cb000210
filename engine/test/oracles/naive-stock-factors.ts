import {
  ago,
  before,
  change,
  type Days,
  each,
  ema,
  highest,
  kept,
  logChange,
  lowest,
  over,
  type Past,
  sma,
  sum,
  today,
} from './naive-days.ts'
import { correlation, covariance, deviation, line, mean, percentile, sampleMoments, variance } from './naive-statistics.ts'

// The factors of prices and trades of A shares once more, as the design's dictionary words them: slowly, one security at a time.

const population = (values: number[]) => Math.sqrt(variance(values, 0))
const root242 = Math.sqrt(242)

const slopeOver = (n: number, x: Days) =>
  over(
    n,
    (window) =>
      line(
        Array.from(window, (_, k) => k + 1),
        window,
      ).slope,
    x,
  )

/** What a definition may read: adjusted prices as open, high, low, close; a day without a trade stands at its close. */
export interface Shares {
  readonly of: Past
  readonly open: Days
  readonly high: Days
  readonly low: Days
  readonly close: Days
  /** Daily returns of the adjusted close. */
  readonly returns: Days
  /** Of the index and of the market's equal weight on the same days. */
  readonly index: Days
  readonly market: Days
  /** 1 where the close is the day's upper or lower limit. */
  readonly up: Days
  readonly down: Days
}

export function sharesOf(of: Past, more: Pick<Shares, 'index' | 'market' | 'up' | 'down'>): Shares {
  const factor = of('adj_factor')
  const adjusted = (key: string) => each((price, by) => price * by, kept(of(key), of('close')), factor)
  const close = adjusted('close')
  return { of, open: adjusted('open'), high: adjusted('high'), low: adjusted('low'), close, returns: change(close), ...more }
}

type Definition = (shares: Shares) => number

const rsv = ({ high, low, close }: Shares) =>
  close.map((_, t) => {
    const part = (x: Days) => x.slice(0, t + 1)
    const [top, floor] = [over(9, highest, part(high)), over(9, lowest, part(low))]
    return (((close[t] as number) - floor) / (top - floor)) * 100
  })
const typical = ({ high, low, close }: Shares) => each((h, l, c) => (h + l + c) / 3, high, low, close)
const macdLine = ({ close }: Shares) => each((fast, slow) => fast - slow, ema(close, 12), ema(close, 26))
const total = (n: number, x: Days) => over(n, sum, x)
const average = (n: number, x: Days) => over(n, mean, x)
const ratio = (a: Days, b: Days) => each((x, y) => x / y, a, b)
const above = (a: Days, b: Days) => each((x, y) => Math.max(0, x - y), a, b)

/** By key as it is asked for. */
export const stockPriceDefinitions: Readonly<Record<string, Definition>> = {
  adj_open: ({ open }) => today(open),
  adj_high: ({ high }) => today(high),
  adj_low: ({ low }) => today(low),
  pct_chg: ({ returns }) => today(returns),
  gap: ({ of }) => today(of('open')) / today(of('pre_close')) - 1,
  intraday_pct: ({ of }) => today(of('close')) / today(of('open')) - 1,
  vwap: ({ of }) => (today(of('amount')) * 10_000) / today(of('vol')),
  pct_chg_20: ({ close }) => today(close) / ago(close, 20) - 1,
  mom_12_1: ({ close }) => ago(close, 21) / ago(close, 252) - 1,
  rel_strength: ({ close, market }) => {
    const excess = each((own, all) => own - all, logChange(close), logChange(market)).slice(0, -21)
    const weights = Array.from({ length: 504 }, (_, k) => 0.5 ** ((503 - k) / 126))
    return over(504, (window) => sum(window.map((value, k) => value * (weights[k] as number))) / sum(weights), excess)
  },
  bias_20: ({ close }) => today(close) / average(20, close) - 1,
  ma_ratio_20: ({ close }) => average(20, close) / today(close),
  ema_ratio_20: ({ close }) => today(ema(close, 20)) / today(close),
  price_pos_250: ({ close }) => over(250, (window) => (today(close) - lowest(window)) / (highest(window) - lowest(window)), close),
  hh_dist_60: ({ close, high }) => today(close) / over(60, highest, high) - 1,
  price_1m: ({ close }) => today(close) / average(21, close) - 1,
  price_3m: ({ close }) => today(close) / average(61, close) - 1,
  price_1y: ({ close }) => today(close) / average(250, close) - 1,
  plrc_12: ({ close }) => slopeOver(12, close) / average(12, close),
  up_days_10: ({ returns }) => over(10, (window) => window.filter((value) => value > 0).length, returns),
  close_ma_20: ({ close }) => average(20, close),
  macd_hist: (shares) => 2 * (today(macdLine(shares)) - today(ema(macdLine(shares), 9))),
  rsi_14: ({ close }) => {
    const moves = each((now, was) => now - was, close, before(close))
    return (
      (today(
        sma(
          each((move) => Math.max(move, 0), moves),
          14,
        ),
      ) /
        today(sma(each(Math.abs, moves), 14))) *
      100
    )
  },
  kdj_k: (shares) => today(sma(rsv(shares), 3)),
  kdj_d: (shares) => today(sma(sma(rsv(shares), 3), 3)),
  kdj_j: (shares) => 3 * today(sma(rsv(shares), 3)) - 2 * today(sma(sma(rsv(shares), 3), 3)),
  cci_14: (shares) =>
    over(
      14,
      (window) => (today(window) - mean(window)) / (0.015 * mean(window.map((price) => Math.abs(price - mean(window))))),
      typical(shares),
    ),
  wr_10: ({ high, low, close }) => {
    const [top, floor] = [over(10, highest, high), over(10, lowest, low)]
    return ((top - today(close)) / (top - floor)) * 100
  },
  mfi_14: (shares) => {
    const price = typical(shares)
    // Means of three prices that are equal differ in the last digits.
    const tick = (value: number) => Number(value.toPrecision(12))
    const flow = each((p, vol) => p * vol, price, shares.of('vol'))
    const when = (is: (now: number, was: number) => boolean) =>
      each((now, was, money) => (Number.isNaN(was) ? was : is(tick(now), tick(was)) ? money : 0), price, before(price), flow)
    const [rising, falling] = [
      total(
        14,
        when((now, was) => now > was),
      ),
      total(
        14,
        when((now, was) => now < was),
      ),
    ]
    return (100 * rising) / (rising + falling)
  },
  trix_12: ({ close }) => today(change(ema(ema(ema(close, 12), 12), 12))),
  mass: ({ high, low }) => {
    const range = ema(
      each((h, l) => h - l, high, low),
      9,
    )
    return total(25, ratio(range, ema(range, 9)))
  },
  cr_20: (shares) => {
    const middle = before(typical(shares))
    return (total(20, above(shares.high, middle)) / total(20, above(middle, shares.low))) * 100
  },
  psy_12: ({ returns }) => (over(12, (window) => window.filter((value) => value > 0).length, returns) / 12) * 100,
  ar_26: ({ open, high, low }) => (total(26, above(high, open)) / total(26, above(open, low))) * 100,
  br_26: ({ high, low, close }) => (total(26, above(high, before(close))) / total(26, above(before(close), low))) * 100,
  vr_26: ({ returns, of }) => {
    const [ups, downs, flat] = [1, -1, 0].map((sign) =>
      total(
        26,
        each((value, vol) => (Number.isNaN(value) ? value : Math.sign(value) === sign ? vol : 0), returns, of('vol')),
      ),
    ) as [number, number, number]
    return ((ups * 2 + flat) / (downs * 2 + flat)) * 100
  },
  boll_up: ({ close }) => over(20, (window) => (mean(window) + 2 * population(window)) / today(window), close),
  boll_down: ({ close }) => over(20, (window) => (mean(window) - 2 * population(window)) / today(window), close),
  boll_pos: ({ close }) => over(20, (window) => (today(window) - mean(window)) / (2 * population(window)), close),
  aroon_up: ({ high }) => over(26, (window) => ((25 - (25 - window.lastIndexOf(highest(window)))) / 25) * 100, high),
  aroon_down: ({ low }) => over(26, (window) => ((25 - (25 - window.lastIndexOf(lowest(window)))) / 25) * 100, low),
  bull_power: ({ high, close }) => (today(high) - today(ema(close, 13))) / today(close),
  bear_power: ({ low, close }) => (today(low) - today(ema(close, 13))) / today(close),
  limit_streak: ({ up }) => up.length - 1 - up.lastIndexOf(0),
  days_since_limit: ({ up }) => (up.includes(1) ? up.length - 1 - up.lastIndexOf(1) : Number.NaN),
  limit: ({ up, down }) => today(up) - today(down),
  // 3.6
  amplitude: ({ of }) => (today(of('high')) - today(of('low'))) / today(of('pre_close')),
  amplitude_20: ({ of }) =>
    average(
      20,
      each((h, l, p, c) => (Number.isNaN(h) ? 0 : (h - l) / (p + 0 * c)), of('high'), of('low'), of('pre_close'), of('close')),
    ),
  volatility_60: ({ close }) => over(60, deviation, logChange(close)) * root242,
  down_vol_60: ({ close }) => over(60, (window) => deviation(window.filter((value) => value < 0)), logChange(close)) * root242,
  beta_252: ({ returns, index }) => over(252, (own, all) => covariance(own, all) / variance(all), returns, change(index)),
  resid_vol: ({ returns, index }) =>
    over(
      252,
      (own, all) => {
        const { start, slope } = line(all, own)
        return deviation(own.map((value, k) => value - start - slope * (all[k] as number))) * root242
      },
      returns,
      change(index),
    ),
  skew_20: ({ returns }) => over(20, (window) => sampleMoments(window).skew, returns),
  kurt_20: ({ returns }) => over(20, (window) => sampleMoments(window).kurt, returns),
  sharpe_60: ({ returns }) => over(60, (window) => (mean(window) / deviation(window)) * root242, returns),
  max_ret_20: ({ returns }) => over(20, highest, returns),
  mdd_60: ({ close }) => over(60, (window) => lowest(window.map((price, k) => price / highest(window.slice(0, k + 1)) - 1)), close),
  // Adjusted prices, in yuan of the day; on the first day of a listing the exchange's previous close.
  atr_14: ({ high, low, close, of }) =>
    average(
      14,
      each(
        (h, l, was, told, factor, c) => {
          const p = Number.isNaN(was) ? (Number.isNaN(told) ? c : told * factor) : was
          return Math.max(h - l, Math.abs(h - p), Math.abs(l - p))
        },
        high,
        low,
        before(close),
        of('pre_close'),
        of('adj_factor'),
        close,
      ),
    ) / today(of('adj_factor')),
  turnover: ({ of }) => today(of('vol')) / (today(of('float_share')) * 1e8),
  turnover_free: ({ of }) => today(of('vol')) / (today(of('free_share')) * 1e8),
  turnover_20: (shares) => average(20, turnover(shares)),
  davol_20: (shares) => average(20, turnover(shares)) / average(120, turnover(shares)),
  turnover_std_20: (shares) => over(20, deviation, turnover(shares)),
  amount_20: ({ of }) => average(20, of('amount')),
  amount_std_20: ({ of }) => over(20, deviation, of('amount')),
  vol_ratio: ({ of }) => today(of('vol')) / average(5, of('vol').slice(0, -1)),
  vroc_12: ({ of }) => today(of('vol')) / ago(of('vol'), 12) - 1,
  illiq_20: ({ returns, of }) =>
    average(
      20,
      each((value, money) => Math.abs(value) / money, returns, of('amount')),
    ),
  pv_corr_20: ({ close, of }) => over(20, correlation, close, of('vol')),
  wvad: ({ of }) =>
    total(
      24,
      each((c, o, h, l, v) => (h > l ? ((c - o) / (h - l)) * v : 0), of('close'), of('open'), of('high'), of('low'), of('vol')),
    ) / 10_000,
  money_flow_20: ({ of }) =>
    total(
      20,
      each((h, l, c, v) => (Number.isNaN(h) ? 0 : ((h + l + c) / 3) * v), of('high'), of('low'), of('close'), of('vol')),
    ) / 10_000,
  main_inflow_5: ({ of }) => total(5, of('main_inflow')),
  margin_ratio: ({ of }) => today(of('margin_balance')) / (today(of('close')) * today(of('float_share'))),
  // 3.2: size
  total_mv: ({ of }) => today(of('close')) * today(of('total_share')),
  circ_mv: ({ of }) => today(of('close')) * today(of('float_share')),
  ln_mv: (shares) => Math.log(size(shares)),
}

const turnover = ({ of }: Shares) => each((vol, share) => vol / (share * 1e8), of('vol'), of('float_share'))
const size = ({ of }: Shares) => today(of('close')) * today(of('total_share'))

const zscores = (values: number[]) => {
  const known = values.filter((value) => !Number.isNaN(value))
  return values.map((value) => (value - mean(known)) / deviation(known))
}
/** Residuals of a linear regression of `y` on `x`; securities that lack a number are left out of the fit. */
function residuals(y: number[], x: number[]): number[] {
  const known = y.map((_, i) => i).filter((i) => !Number.isNaN(y[i]! + x[i]!))
  const fit = line(
    known.map((i) => x[i]!),
    known.map((i) => y[i]!),
  )
  return y.map((value, i) => value - fit.start - fit.slope * x[i]!)
}

/** Factors of all that are listed on a day. */
export const stockSectionDefinitions: Readonly<Record<string, (all: readonly Shares[]) => number[]>> = {
  mv_rank: (all) => {
    const sizes = all.map(size)
    return sizes.map((value) => percentile(sizes, value))
  },
  non_linear_size: (all) => {
    const sizes = zscores(all.map((shares) => Math.log(size(shares))))
    return zscores(
      residuals(
        sizes.map((value) => value ** 3),
        sizes,
      ),
    )
  },
  liquidity: (all) => {
    const months = (shares: Shares, count: number) => Math.log(total(21 * count, turnover(shares)) / count)
    const style = all.map((shares) => 0.35 * months(shares, 1) + 0.35 * months(shares, 3) + 0.3 * months(shares, 12))
    return zscores(
      residuals(
        style,
        all.map((shares) => Math.log(size(shares))),
      ),
    )
  },
}
