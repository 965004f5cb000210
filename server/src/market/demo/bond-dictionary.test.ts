import { availableIn, crossSection, factorList, markets, type Panel } from '@convexa/engine'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoTables, simulateDemo } from '../demo.ts'

/** Every key of the dictionary of bonds (domain.md 2.2–2.7), `_N` with a window in its place. */
const dictionary = {
  price:
    'close pre_close open high low pct_chg open_pct_chg high_pct_chg low_pct_chg amplitude intraday_pct vwap close_to_vwap vol amount turnover issue_size ' +
    'remain_size remain_cap remain_ratio converted_ratio conv_price conv_value conv_prem dblow dblow_new three_low cap_mv_rate cap_circ_rate dilution ' +
    'listed_days list_days left_years left_conv_start_days left_days limit suspension',
  value:
    'pure_value bond_prem ytm ytm_tax put_yield duration convexity accrued option_value theory_value theory_bias theory_conv_prem mod_conv_prem iv hv_60 ' +
    'iv_hv delta gamma vega theta elasticity premium_pctile_120 prem_gap_peer floor_gap theory_zl theory_mc',
  clauses:
    'is_call redeem_trigger_price redeem_price_rate redeem_count redeem_need redeem_window redeem_remain_days redeem_progress redeem_price redeem_reg_date ' +
    'last_trade_date last_conv_date redeem_left_days no_redeem_until reset_trigger_price reset_price_rate reset_count reset_remain_days reset_status ' +
    'reset_times no_reset_until reset_floor reset_conv_value put_trigger_price put_price_rate put_count put_start_date left_put_years put_price ' +
    'maturity_price maturity_gap',
  technical:
    'pct_chg_5 close_ma_20 bias_5 vol_5 amount_5 turnover_5 volatility volatility_20 alpha_pct_chg_5 max_20 min_20 hh_dist_20 ll_dist_20 mdd_20 rsi_6 macd ' +
    'macd_dif macd_dea boll_pos_20 vol_ratio_5 amount_std_20 illiq_20 skew_20 kurt_20 up_days_10 pv_corr_20 beta_stk_20 corr_stk_20 idio_vol_20 prem_chg_5 ' +
    'dblow_chg_5 size_chg_20',
  stock:
    'close_stk pct_chg_stk pct_chg_5_stk amount_stk vol_stk total_mv circ_mv pb pe_ttm ps_ttm dv_ratio debt_to_assets volatility_stk turnover_stk ' +
    'bias_5_stk ma_20_stk rsi_6_stk limit_stk limit_streak_stk is_st_stk roe_ttm roa_ttm or_yoy netprofit_yoy grossprofit_margin ocf_to_or net_debt_cover ' +
    'pledge_ratio pb_reset_ok price_stk_low',
  static:
    'list_date value_date conv_start_date conv_end_date maturity_date conv_stop_date rating yy_rating coupon_cur maturity maturity_put_price ' +
    'popularity_ranking has_guarantee convertible_now fund_hold_ratio redeem_short_size',
}

/** What the demo market has nothing of, and how the list says it. */
const lacks: Readonly<Record<string, string>> = {
  theory_zl: '当前数据没有「郑-林模型理论价」',
  theory_mc: '当前数据没有「蒙特卡洛理论价」',
  net_debt_cover: '当前数据没有「正股货币资金」',
  pledge_ratio: '当前数据没有「大股东质押比例」',
  yy_rating: '当前数据没有「YY评级」',
  popularity_ranking: '当前数据没有「人气排名」',
  fund_hold_ratio: '当前数据没有「基金持有比例」',
}
/** Only bonds of which something was announced have these. */
const seldom = new Set(
  'redeem_price redeem_reg_date last_trade_date last_conv_date redeem_left_days no_redeem_until no_reset_until conv_stop_date'.split(' '),
)

describe('the dictionary of bonds on the demo market', () => {
  let panel: Panel
  beforeAll(() => {
    const { dates, stocks, bonds } = simulateDemo({ through: '2025-06-30', size: 'small' })
    const { columns, ...table } = demoTables(dates, stocks, bonds)[2]!
    const cells = [...columns].map(([key, column]) => [key, Float64Array.from(column.cells)] as const)
    panel = { ...table, kind: 'cb', columns: new Map(cells), dataMode: 'demo', dataVersion: 'demo' }
  })

  it.each(Object.entries(dictionary))('%s: each factor has values, or the list says what is lacking', (_, keys) => {
    const metas = factorList(markets.cb, availableIn(panel, markets.cb.fields), 'all')
    for (const key of keys.split(' ')) {
      const pattern = key.replace(/_\d+(?=_|$)/, '_N')
      const meta = metas.find(({ factor_key }) => factor_key === key || factor_key === pattern)
      expect(meta, key).toMatchObject(lacks[key] === undefined ? { available: true } : { available: false, reason: lacks[key] })
      if (lacks[key] !== undefined) continue
      // A call of one day or another: of a few bonds at least something was announced.
      const shares = [200, 240, 280, 320, 360, panel.dates.length - 1].map((day) => {
        const told = crossSection(panel, markets.cb, [key], day)
        if (!told.ok) throw new Error(told.problem.message)
        return told.values[0]!.filter((value) => value !== null).length / told.codes.length
      })
      expect(Math.max(...shares), key).toBeGreaterThan(seldom.has(key) ? 0 : 0.5)
    }
  })

  it('every factor says its formula in words, and its direction, unit and shelf', () => {
    for (const meta of factorList(markets.cb, availableIn(panel, markets.cb.fields), 'all')) {
      expect(meta.description.length, meta.factor_key).toBeGreaterThan(1)
      expect(meta.category.length, meta.factor_key).toBeGreaterThan(0)
    }
  })

  it('of a market with closes alone it says what each factor lacks', () => {
    const reason = (key: string) =>
      factorList(markets.cb, new Set(['close', 'conv_price', 'close_stk']), 'all').find((meta) => meta.factor_key === key)?.reason
    expect(reason('conv_prem')).toBeUndefined()
    expect(reason('redeem_count')).toBe('当前数据没有「强赎需满足天数」')
    expect(reason('redeem_progress')).toBe('当前数据没有「强赎需满足天数」')
    expect(reason('ytm')).toBe('当前数据没有「到期收益率」，也没有计算它所需的「到期赎回价」')
    expect(reason('bond_prem')).toBe('当前数据没有「纯债价值」，也没有计算它所需的「剩余年限」')
    expect(reason('cap_mv_rate')).toBe('当前数据没有「剩余规模」')
  })
})
