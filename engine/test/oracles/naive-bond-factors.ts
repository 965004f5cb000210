import { dayNumber } from '../../src/base/calendar.ts'
import type { Security } from '../../src/panel/panel.ts'
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
import { correlation, covariance, deviation, line, mean, median, percentile, sampleMoments, variance } from './naive-statistics.ts'

// The factors of bonds once more, as the design's dictionary words them: slowly, one bond at a time. Yields and option values have
// their golden rows in bond-value.test.ts, counters and states in bond-clauses.test.ts; here they are taken as columns.

export interface Bond {
  readonly of: Past
  readonly security: Security
  /** `YYYY-MM-DD` */
  readonly date: string
  /** A factor of the same day that another golden row shows. */
  readonly told: (key: string) => number
}

type Definition = (bond: Bond) => number

const root242 = Math.sqrt(242)
const average = (n: number, x: Days) => over(n, mean, x)

const stockClose = ({ of }: Bond) => each((price, factor) => price * factor, of('close_stk'), of('adj_factor_stk'))
/** What the exchange says of the day before, else the close of the day before. */
const returns = ({ of }: Bond) => each((now, was) => now / was - 1, of('close'), kept(of('pre_close'), before(of('close'))))
/** From close to close: a price of issue has no share in how a bond moves with its stock. */
const moves = ({ of }: Bond) => change(of('close'))
const stockReturns = (bond: Bond) => change(stockClose(bond))
const conversionValue = ({ of }: Bond) => each((price, share) => (100 / price) * share, of('conv_price'), of('close_stk'))
const premium = (bond: Bond) => each((close, value) => close / value - 1, bond.of('close'), conversionValue(bond))
const doubleLow = (bond: Bond) => each((close, over) => close + 100 * over, bond.of('close'), premium(bond))
const cap = ({ of }: Bond) => (today(of('remain_size')) * today(of('close'))) / 100
const vwap = ({ of }: Bond) => (today(of('amount')) * 10_000) / (today(of('vol')) * 10)
const macdLine = ({ of }: Bond) => each((fast, slow) => fast - slow, ema(of('close'), 12), ema(of('close'), 26))
function rsi(x: Days, n: number): number {
  const moves = each((now, was) => now - was, x, before(x))
  return (
    (today(
      sma(
        each((move) => Math.max(move, 0), moves),
        n,
      ),
    ) /
      today(sma(each(Math.abs, moves), n))) *
    100
  )
}
const cents = (value: number) => Math.round(Number((value * 100).toFixed(6))) / 100
const trigger = (clause: 'redeem' | 'reset' | 'put') => (bond: Bond) =>
  cents(today(bond.of('conv_price')) * (bond.security.terms?.[clause]?.trigger ?? Number.NaN))
const from = ({ date, security }: Bond, key: 'conversionStart' | 'conversionEnd', and = 0) =>
  dayNumber(security.terms?.[key] as string) - dayNumber(date) + and
const untilPut = ({ date, security }: Bond) => (security.terms?.put ? dayNumber(security.terms.put.from) - dayNumber(date) : Number.NaN)
const flag = (is: boolean) => Number(is)

/** By key as it is asked for. */
export const bondDefinitions: Readonly<Record<string, Definition>> = {
  // 2.2
  pct_chg: (bond) => today(returns(bond)),
  open_pct_chg: ({ of }) => today(of('open')) / today(of('pre_close')) - 1,
  high_pct_chg: ({ of }) => today(of('high')) / today(of('pre_close')) - 1,
  low_pct_chg: ({ of }) => today(of('low')) / today(of('pre_close')) - 1,
  amplitude: ({ of }) => (today(of('high')) - today(of('low'))) / today(of('pre_close')),
  intraday_pct: ({ of }) => today(of('close')) / today(of('open')) - 1,
  vwap,
  close_to_vwap: (bond) => today(bond.of('close')) / vwap(bond) - 1,
  turnover: (bond) => today(bond.of('amount')) / (cap(bond) * 10_000),
  remain_cap: cap,
  remain_ratio: ({ of, security }) => today(of('remain_size')) / (security.terms?.issueSize ?? Number.NaN),
  converted_ratio: ({ of, security }) => 1 - today(of('remain_size')) / (security.terms?.issueSize ?? Number.NaN),
  conv_value: (bond) => today(conversionValue(bond)),
  conv_prem: (bond) => today(premium(bond)),
  dblow: (bond) => today(doubleLow(bond)),
  three_low: (bond) => today(bond.of('close')) * (1 + today(premium(bond))) * today(bond.of('remain_size')),
  cap_mv_rate: (bond) => cap(bond) / today(bond.of('total_mv')),
  cap_circ_rate: (bond) => cap(bond) / today(bond.of('circ_mv')),
  // Shares out of 亿元 and yuan: both sides of the fraction in 亿股.
  dilution: ({ of }) => today(of('remain_size')) / today(of('conv_price')) / (today(of('total_mv')) / today(of('close_stk'))),
  list_days: ({ date, security }) => dayNumber(date) - dayNumber(security.listed as string) + 1,
  left_years: (bond) => from(bond, 'conversionEnd', 1) / 365,
  left_conv_start_days: (bond) => from(bond, 'conversionStart'),
  left_days: (bond) => from(bond, 'conversionEnd', 1),
  limit: ({ of }) => {
    const [close, previous] = [today(of('close')), today(of('pre_close'))]
    const at = (by: number) => Math.round(Number((previous * by * 1_000).toFixed(6))) / 1_000
    return Number(close === at(1.2)) - Number(close === at(0.8))
  },
  redeem_short_size: ({ of }) => flag(today(of('remain_size')) < 0.3),
  // 2.3
  default_priced: ({ told }) => flag(told('ytm') > told("formula: yield_curve(left_years, 'worst')")),
  bond_prem: ({ of, told }) => today(of('close')) / told('pure_value') - 1,
  hv_60: (bond) => over(60, deviation, logChange(stockClose(bond))) * root242,
  iv_hv: (bond) => bond.told('iv') / (over(60, deviation, logChange(stockClose(bond))) * root242) - 1,
  theory_value: ({ told }) => told('pure_value') + told('option_value'),
  theory_bias: ({ of, told }) => 1 - (told('pure_value') + told('option_value')) / today(of('close')),
  mod_conv_prem: (bond) => today(premium(bond)) - bond.told('theory_conv_prem'),
  elasticity: (bond) => (bond.told('delta') * today(conversionValue(bond))) / today(bond.of('close')),
  premium_pctile_120: (bond) => over(120, (window) => percentile(window, today(window)), premium(bond)),
  floor_gap: ({ of, told }) => {
    const put = told("formula: bond_value(rating_yield, 'put')")
    const pure = told('pure_value')
    return 1 - (Number.isNaN(put) ? pure : Math.max(pure, put)) / today(of('close'))
  },
  // 2.4
  redeem_trigger_price: trigger('redeem'),
  redeem_price_rate: (bond) => today(bond.of('close_stk')) / trigger('redeem')(bond),
  redeem_remain_days: ({ told, security }) => Math.max(0, (security.terms?.redeem?.days ?? Number.NaN) - told('redeem_count')),
  redeem_progress: ({ told, security }) => told('redeem_count') / (security.terms?.redeem?.days ?? Number.NaN),
  reset_trigger_price: trigger('reset'),
  reset_price_rate: (bond) => today(bond.of('close_stk')) / trigger('reset')(bond),
  reset_remain_days: ({ told, security }) => Math.max(0, (security.terms?.reset?.days ?? Number.NaN) - told('reset_count')),
  reset_floor: (bond) => floor(bond),
  reset_conv_value: (bond) => (100 / Math.max(floor(bond), today(bond.of('close_stk')))) * today(bond.of('close_stk')),
  put_trigger_price: trigger('put'),
  put_price_rate: (bond) => today(bond.of('close_stk')) / trigger('put')(bond),
  left_put_years: (bond) => untilPut(bond) / 365,
  put_price: ({ told, security }) => (security.terms?.put ? 100 + told('accrued') : Number.NaN),
  maturity_gap: ({ of, security }) => (security.terms?.maturityPrice ?? Number.NaN) / today(of('close')) - 1,
  maturity_put_price: (bond) => (untilPut(bond) <= 0 ? 100 + bond.told('accrued') : (bond.security.terms?.maturityPrice ?? Number.NaN)),
  // 2.5
  pct_chg_5: ({ of }) => today(of('close')) / ago(of('close'), 5) - 1,
  close_ma_20: ({ of }) => average(20, of('close')),
  bias_5: ({ of }) => today(of('close')) / average(5, of('close')) - 1,
  vol_5: ({ of }) => average(5, of('vol')),
  amount_5: ({ of }) => average(5, of('amount')),
  turnover_5: ({ of }) =>
    average(
      5,
      each((amount, size, close) => amount / ((size * close) / 100) / 10_000, of('amount'), of('remain_size'), of('close')),
    ),
  // A year, or what there is of it.
  volatility: ({ of }) => {
    const changes = logChange(of('close')).slice(-244)
    const valid = changes.filter((value) => !Number.isNaN(value))
    return valid.length < 2 ? Number.NaN : deviation(valid) * root242
  },
  volatility_60: ({ of }) => over(60, deviation, logChange(of('close'))) * root242,
  volatility_20: ({ of }) => over(20, deviation, logChange(of('close'))) * root242,
  alpha_pct_chg_5: (bond) => today(bond.of('close')) / ago(bond.of('close'), 5) - today(stockClose(bond)) / ago(stockClose(bond), 5),
  max_20: ({ of }) => over(20, highest, kept(of('high'), of('close'))),
  min_20: ({ of }) => over(20, lowest, kept(of('low'), of('close'))),
  hh_dist_20: ({ of }) => today(of('close')) / over(20, highest, kept(of('high'), of('close'))) - 1,
  ll_dist_20: ({ of }) => today(of('close')) / over(20, lowest, kept(of('low'), of('close'))) - 1,
  mdd_60: ({ of }) => over(60, (window) => lowest(window.map((price, k) => price / highest(window.slice(0, k + 1)) - 1)), of('close')),
  rsi_6: ({ of }) => rsi(of('close'), 6),
  macd_dif: (bond) => today(macdLine(bond)),
  macd_dea: (bond) => today(ema(macdLine(bond), 9)),
  macd: (bond) => 2 * (today(macdLine(bond)) - today(ema(macdLine(bond), 9))),
  boll_pos_20: ({ of }) => over(20, (window) => (today(window) - mean(window)) / (2 * Math.sqrt(variance(window, 0))), of('close')),
  vol_ratio_5: ({ of }) => today(of('vol')) / average(5, of('vol').slice(0, -1)),
  amount_std_20: ({ of }) => over(20, (window) => deviation(window) / mean(window), of('amount')),
  illiq_20: (bond) =>
    average(
      20,
      each((value, amount) => Math.abs(value) / amount, returns(bond), bond.of('amount')),
    ),
  skew_20: (bond) => over(20, (window) => sampleMoments(window).skew, returns(bond)),
  kurt_20: (bond) => over(20, (window) => sampleMoments(window).kurt, returns(bond)),
  up_days_10: (bond) => over(10, (window) => window.filter((value) => value > 0).length, returns(bond)),
  pv_corr_20: ({ of }) => over(20, correlation, of('close'), of('vol')),
  beta_stk_60: (bond) => over(60, (own, all) => covariance(own, all) / variance(all), moves(bond), stockReturns(bond)),
  corr_stk_60: (bond) => over(60, correlation, moves(bond), stockReturns(bond)),
  idio_vol_60: (bond) =>
    over(
      60,
      (own, all) => {
        const { start, slope } = line(all, own)
        // Two numbers are fitted.
        return Math.sqrt(sum(own.map((value, k) => (value - start - slope * (all[k] as number)) ** 2)) / (own.length - 2))
      },
      moves(bond),
      stockReturns(bond),
    ),
  prem_chg_5: (bond) => today(premium(bond)) - ago(premium(bond), 5),
  dblow_chg_5: (bond) => today(doubleLow(bond)) - ago(doubleLow(bond), 5),
  size_chg_20: ({ of }) => today(of('remain_size')) / ago(of('remain_size'), 20) - 1,
  // 2.6
  pct_chg_stk: (bond) => today(stockReturns(bond)),
  pct_chg_5_stk: (bond) => today(stockClose(bond)) / ago(stockClose(bond), 5) - 1,
  // In yuan of today.
  ma_20_stk: (bond) => average(20, stockClose(bond)) / today(bond.of('adj_factor_stk')),
  bias_5_stk: (bond) => today(stockClose(bond)) / average(5, stockClose(bond)) - 1,
  rsi_6_stk: (bond) => rsi(stockClose(bond), 6),
  turnover_stk: ({ of }) => today(of('amount_stk')) / (today(of('circ_mv')) * 10_000),
  volatility_stk: (bond) => over(242, deviation, logChange(stockClose(bond))) * root242,
  limit_stk: ({ of }) => {
    const limits = stockLimits(of)
    return today(limits)
  },
  limit_streak_stk: ({ of }) => {
    const limits = stockLimits(of).map((value) => value === 1)
    return limits.length - 1 - limits.lastIndexOf(false)
  },
  net_debt_cover: ({ of }) => today(of('money_funds')) / today(of('remain_size')),
  pb_reset_ok: ({ of }) => flag(today(of('pb')) > 1),
  price_stk_low: ({ of }) => flag(today(of('close_stk')) < 1.5),
}

/** 万元 a 手 of a hundred shares, as yuan a share: over twenty days and of the day. */
function floor({ of }: Bond): number {
  const [money, shares] = [of('amount_stk'), of('vol_stk')]
  const price = (amount: number, vol: number) => (amount * 10_000) / (vol * 100)
  return Math.max(
    over(20, (a, v) => price(sum(a), sum(v)), money, shares),
    price(today(money), today(shares)),
  )
}

/** Of a seasoned stock of ChiNext: 20 % of the previous close, to the cent. */
function stockLimits(of: Past): Days {
  return each(
    (close, previous) => Number(close === cents(previous * 1.2)) - Number(close === cents(previous * 0.8)),
    of('close_stk'),
    of('pre_close_stk'),
  )
}

/** Factors of all that are listed on a day. */
export const bondSectionDefinitions: Readonly<Record<string, (all: readonly Bond[]) => number[]>> = {
  dblow_new: (all) => {
    const [closes, premiums] = [all.map(({ of }) => today(of('close'))), all.map((bond) => today(premium(bond)))]
    return all.map((_, i) => percentile(closes, closes[i] as number) + percentile(premiums, premiums[i] as number))
  },
  prem_gap_peer: (all) =>
    all.map((bond) => {
      const value = today(conversionValue(bond))
      const peers = all.filter((other) => Math.abs(today(conversionValue(other)) - value) <= 5)
      return today(premium(bond)) - median(peers.map((other) => today(premium(other))))
    }),
  theory_conv_prem: (all) => {
    const days = ({ date, security: { listed } }: Bond) => dayNumber(date) - dayNumber(listed as string) + 1
    const fitted = all.filter((bond) => {
      const [value, over] = [today(conversionValue(bond)), today(premium(bond))]
      return value < 130 && over > 0.01 && bond.told('call_status') < 3 && days(bond) > 3
    })
    const values = fitted.map((bond) => today(conversionValue(bond)))
    const { start, slope } = line(
      values,
      fitted.map((bond) => Math.log(today(premium(bond)))),
    )
    return all.map((bond) => Math.exp(start + slope * today(conversionValue(bond))))
  },
}
