import { crossSection, factorList, markets, namesOf, type Panel } from '@convexa/engine'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoPanel } from '../../test/fixtures/market/demo-panel.ts'

/** Every key of the stock dictionary (domain.md 3.2–3.7), as it is asked for. */
const dictionary: Readonly<Record<string, string>> = {
  'valuation and size': `close open high low pre_close pct_chg total_share float_share free_share total_mv circ_mv ln_mv pe pe_ttm ep_ttm
    pe_ttm_dt pb bp ps_ttm sp_ttm pcf_ttm cfp_ttm dv_ratio dv_ttm peg ev_ebitda cfo_to_ev pb_pctile_250 pe_pctile_250 non_linear_size mv_rank`,
  quality: `roe_ttm roe_avg roe_dt roa_ttm roic_ttm roa_ebit grossprofit_margin netprofit_margin op_margin expense_ratio rd_ratio
    debt_to_assets debt_to_equity current_ratio quick_ratio cash_ratio ocf_to_np ocf_to_or ocf_to_assets accruals assets_turn inv_turn
    ar_turn goodwill_ratio margin_stability roe_std_8q f_score m_dsri m_gmi m_sgi m_sgai m_lvgi audit_ok`,
  growth: `or_yoy q_or_yoy q_or_qoq netprofit_yoy dt_netprofit_yoy q_np_yoy q_np_qoq op_yoy ocf_yoy assets_yoy equity_yoy eps_growth_5y
    sales_growth_5y sue roe_delta degm forecast_np_yoy`,
  'momentum and technical': `pct_chg_5 pct_chg_20 pct_chg_250 mom_12_1 rel_strength bias_20 ma_ratio_20 ema_ratio_20 price_pos_250
    hh_dist_60 macd_hist rsi_6 kdj_k kdj_d kdj_j cci_14 wr_10 mfi_14 trix_5 mass cr_20 psy_12 ar_26 br_26 vr_26 boll_up boll_down boll_pos
    aroon_up aroon_down plrc_12 price_1m price_3m price_1y bull_power bear_power gap limit_streak days_since_limit`,
  'volatility, risk, liquidity': `volatility_20 down_vol_60 beta_250 resid_vol skew_20 kurt_20 sharpe_60 max_ret_20 mdd_60 atr_14
    amplitude_20 turnover turnover_free turnover_20 davol_5 turnover_std_20 amount amount_20 amount_std_20 vol_ratio vroc_12 illiq_20
    liquidity pv_corr_20 wvad money_flow_20 main_inflow_5 margin_ratio north_hold_ratio`,
  'status and event': `is_st list_days suspension limit index_member_000300 index_member_000905 index_member_000852 holder_num_chg
    pledge_ratio unlock_ratio_30d buyback_flag reduce_flag inquiry_flag next_report_date delist_risk`,
}

/** What no data of ours have, each with the reason that the list gives. */
const unavailable: Readonly<Record<string, string>> = {
  main_inflow_5: '当前数据没有「主力净流入额」',
  margin_ratio: '当前数据没有「融资余额」',
  north_hold_ratio: '当前数据没有「北向持股比例」',
  inquiry_flag: '当前数据没有「监管问询」',
}

/** Those that the two years of a small market are too short for, and what holds in some weeks only. */
const rare = ['forecast_np_yoy', 'next_report_date', 'rel_strength']

let panel: Panel
beforeAll(() => {
  panel = demoPanel('stk', '2025-06-30')
})

describe('the dictionary of stocks on the demo market', () => {
  const cases = Object.entries(dictionary).flatMap(([section, keys]) =>
    keys
      .trim()
      .split(/\s+/)
      .map((key) => ({ section, key })),
  )

  it.each(cases)('$section: $key', ({ key }) => {
    const listed = factorList(markets.stk, available(panel), 'all', undefined, new Set(panel.benchmarks.keys()))
    const meta = listed.find(({ factor_key }) => factor_key === key || factor_key === key.replace(/_\d+(?=_|$)/, '_N'))
    expect(meta).toBeDefined()
    const reason = unavailable[key]
    expect(meta).toMatchObject(reason === undefined ? { available: true } : { available: false, reason })
    if (reason !== undefined) return
    const told = crossSection(panel, markets.stk, [key], panel.dates.length - 1)
    if (!told.ok) throw new Error(told.problem.message)
    const values = told.values[0]!.filter((value) => value !== null)
    expect(values.every((value) => Number.isFinite(value))).toBe(true)
    // Some have it, most have it: an available factor is not a column of gaps.
    if (!rare.includes(key)) expect(values.length / told.codes.length).toBeGreaterThan(0.4)
  })

  it.each(['market', 'industry_1', 'industry_2', 'industry_3'])('%s is a text to group by', (key) => {
    const told = crossSection(panel, markets.stk, [`formula: gp_count(${key}, close)`], panel.dates.length - 1)
    if (!told.ok) throw new Error(told.problem.message)
    expect(told.values[0]!.every((value) => value !== null && value >= 1)).toBe(true)
  })

  it('gives the reason, never a column of gaps, where a snapshot has no statements', () => {
    const { reports: _reports, ...bare } = panel
    const listed = factorList(markets.stk, available(bare), 'all', undefined, new Set())
    const lacking = new Map(listed.filter((meta) => !meta.available).map((meta) => [meta.factor_key, meta.reason]))
    expect(lacking.get('roa_ttm')).toBe('当前数据没有「净利润」')
    expect(lacking.get('revenue')).toBe('当前数据没有「营业收入」')
    expect(lacking.get('beta_N')).toContain('000300')
    // With ready columns the reciprocals stand.
    expect(lacking.has('ep_ttm')).toBe(false)
  })
})

describe('statements of the demo market', () => {
  it.each([
    ['q_ttm(np_parent) / equity_parent', 'roe_ttm'],
    ['total_mv / equity_parent', 'pb'],
    ['total_liab / total_assets', 'debt_to_assets'],
    ['q_yoy(q_ttm(np_parent))', 'netprofit_yoy'],
  ])('%s is the ready column %s', (formula, key) => {
    for (const day of [panel.dates.length - 1, panel.dates.length - 150]) {
      const told = crossSection(panel, markets.stk, [`formula: ${formula}`, key], day)
      if (!told.ok) throw new Error(told.problem.message)
      const [made, ready] = told.values as [(number | null)[], (number | null)[]]
      const off = made.filter((value, i) => value !== null && ready[i] !== null && Math.abs(value / ready[i]! - 1) > 1e-4)
      expect([made.filter((value) => value !== null).length > 80, off]).toEqual([true, []])
    }
  })

  it('are visible from the day after their publication on', () => {
    const { starts, published } = panel.reports!
    const names = namesOf(markets.stk, available(panel))
    expect(names.items!.size).toBeGreaterThan(20)
    const last = Date.parse(panel.dates.at(-1)!) / 86_400_000
    expect(starts.at(-1)).toBe(published.length)
    expect(published.every((day) => day <= last)).toBe(true)
  })
})

function available(of: Panel): Set<string> {
  const items = of.reports?.items.keys() ?? []
  const dated = of.securities.flatMap((security) => Object.keys(security.dated ?? {}))
  return new Set([...of.columns.keys(), ...items, ...dated])
}
