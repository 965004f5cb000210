import { deviation, line, mean } from './naive-statistics.ts'

// The factors of published statements once more, as the design's dictionary words them.

/** One company's statements, all quarters stated once: an item's cumulated number so many quarters before the newest. */
export interface Books {
  readonly item: (key: string, ago?: number) => number
  /** How many quarters before the newest the last annual report is. */
  readonly sinceAnnual: number
  readonly close: number
  /** 亿元 */
  readonly totalMv: number
}

type Definition = (books: Books) => number

const last = (n: number, step = 1) => Array.from({ length: n }, (_, k) => k * step)

function ttm({ item, sinceAnnual }: Books, key: string, ago = 0): number {
  const quartersIn = (sinceAnnual - ago + 400) % 4
  return quartersIn === 0 ? item(key, ago) : item(key, ago) + item(key, ago + quartersIn) - item(key, ago + 4)
}
function single({ item, sinceAnnual }: Books, key: string, ago = 0): number {
  return (sinceAnnual - ago + 400) % 4 === 1 ? item(key, ago) : item(key, ago) - item(key, ago + 1)
}
const yoy = (now: number, was: number) => (was === 0 ? Number.NaN : (now - was) / Math.abs(was))
const grown = (of: (ago: number) => number, ago = 4) => yoy(of(0), of(ago))
/** A loss, or less than no equity, leaves a multiple out. */
const positive = (value: number) => (value > 0 ? value : Number.NaN)

const margin = (books: Books, ago = 0) => (ttm(books, 'revenue', ago) - ttm(books, 'oper_cost', ago)) / ttm(books, 'revenue', ago)
const roe = (books: Books, ago = 0) => ttm(books, 'np_parent', ago) / books.item('equity_parent', ago)
const leverage = ({ item }: Books, ago = 0) => item('total_liab', ago) / item('total_assets', ago)
const selling = (books: Books, ago: number) => (ttm(books, 'sell_exp', ago) + ttm(books, 'admin_exp', ago)) / ttm(books, 'revenue', ago)
const perShare = (books: Books, key: string, ago: number) => ttm(books, key, ago) / books.item('share_capital', ago)
function growthOverYears(books: Books, key: string): number {
  const years = last(5, 4)
    .map((ago) => perShare(books, key, ago))
    .reverse()
  return line([1, 2, 3, 4, 5], years).slope / mean(years.map(Math.abs))
}

/** By key as it is asked for. */
export const statementDefinitions: Readonly<Record<string, Definition>> = {
  // 3.2
  pe: (b) => b.totalMv / positive(b.item('np_parent', b.sinceAnnual)),
  pe_ttm: (b) => b.totalMv / positive(ttm(b, 'np_parent')),
  pe_ttm_dt: (b) => b.totalMv / positive(ttm(b, 'np_dt')),
  ep_ttm: (b) => ttm(b, 'np_parent') / b.totalMv,
  pb: (b) => b.totalMv / positive(b.item('equity_parent')),
  bp: (b) => positive(b.item('equity_parent')) / b.totalMv,
  ps_ttm: (b) => b.totalMv / positive(ttm(b, 'revenue')),
  sp_ttm: (b) => ttm(b, 'revenue') / b.totalMv,
  pcf_ttm: (b) => b.totalMv / positive(ttm(b, 'ocf')),
  cfp_ttm: (b) => ttm(b, 'ocf') / b.totalMv,
  dv_ratio: (b) => b.item('cash_div', b.sinceAnnual) / b.totalMv,
  dv_ttm: (b) => ttm(b, 'cash_div') / b.totalMv,
  peg: (b) => b.totalMv / positive(ttm(b, 'np_parent')) / (positive(grown((k) => ttm(b, 'np_parent', k))) * 100),
  ev_ebitda: (b) =>
    (b.totalMv + b.item('interest_debt') - b.item('money_cap')) /
    positive(ttm(b, 'total_profit') + ttm(b, 'int_exp') + ttm(b, 'dep_amort')),
  cfo_to_ev: (b) => ttm(b, 'ocf') / (b.totalMv + b.item('total_liab') - b.item('money_cap')),
  // 3.3
  roe_ttm: (b) => ttm(b, 'np_parent') / positive(b.item('equity_parent')),
  roe_avg: (b) => ttm(b, 'np_parent') / positive(mean([b.item('equity_parent'), b.item('equity_parent', 4)])),
  roe_dt: (b) => ttm(b, 'np_dt') / positive(b.item('equity_parent')),
  roa_ttm: (b) => ttm(b, 'n_income') / b.item('total_assets'),
  roic_ttm: (b) => ttm(b, 'np_parent') / positive(mean(last(4).map((k) => b.item('equity_parent', k) + b.item('interest_debt', k)))),
  roa_ebit: (b) => (ttm(b, 'total_profit') + ttm(b, 'int_exp')) / mean([b.item('total_assets'), b.item('total_assets', 4)]),
  grossprofit_margin: (b) => margin(b),
  netprofit_margin: (b) => ttm(b, 'n_income') / ttm(b, 'revenue'),
  op_margin: (b) => ttm(b, 'operate_profit') / ttm(b, 'revenue'),
  expense_ratio: (b) => (ttm(b, 'sell_exp') + ttm(b, 'admin_exp') + ttm(b, 'fin_exp')) / ttm(b, 'revenue'),
  rd_ratio: (b) => ttm(b, 'rd_exp') / ttm(b, 'revenue'),
  debt_to_assets: (b) => leverage(b),
  debt_to_equity: (b) => b.item('total_liab') / positive(b.item('equity_parent')),
  current_ratio: (b) => b.item('total_cur_assets') / b.item('total_cur_liab'),
  quick_ratio: (b) => (b.item('total_cur_assets') - b.item('inventories')) / b.item('total_cur_liab'),
  cash_ratio: (b) => b.item('money_cap') / b.item('total_cur_liab'),
  ocf_to_np: (b) => ttm(b, 'ocf') / positive(ttm(b, 'np_parent')),
  ocf_to_or: (b) => ttm(b, 'ocf') / ttm(b, 'revenue'),
  ocf_to_assets: (b) => ttm(b, 'ocf') / b.item('total_assets'),
  accruals: (b) => (ttm(b, 'n_income') - ttm(b, 'ocf')) / b.item('total_assets'),
  assets_turn: (b) => ttm(b, 'revenue') / b.item('total_assets'),
  inv_turn: (b) => ttm(b, 'oper_cost') / mean(last(4).map((k) => b.item('inventories', k))),
  ar_turn: (b) => ttm(b, 'revenue') / mean(last(4).map((k) => b.item('receivables', k))),
  goodwill_ratio: (b) => b.item('goodwill') / positive(b.item('equity_parent')),
  margin_stability: (b) => mean(last(8, 4).map((k) => margin(b, k))) / deviation(last(8, 4).map((k) => margin(b, k))),
  roe_std_8q: (b) => deviation(last(8).map((k) => roe(b, k))),
  f_score: (b) => {
    const profit = (k: number) => ttm(b, 'n_income', k) / b.item('total_assets', k)
    const cash = ttm(b, 'ocf') / b.item('total_assets')
    const liquid = (k: number) => b.item('total_cur_assets', k) / b.item('total_cur_liab', k)
    const turned = (k: number) => ttm(b, 'revenue', k) / b.item('total_assets', k)
    return [
      profit(0) > 0,
      cash > 0,
      profit(0) > profit(4),
      cash > profit(0),
      leverage(b) < leverage(b, 4),
      liquid(0) > liquid(4),
      b.item('share_capital') <= b.item('share_capital', 4),
      margin(b) > margin(b, 4),
      turned(0) > turned(4),
    ].filter(Boolean).length
  },
  m_dsri: (b) => b.item('receivables') / ttm(b, 'revenue') / (b.item('receivables', 4) / ttm(b, 'revenue', 4)),
  m_gmi: (b) => margin(b, 4) / margin(b),
  m_sgi: (b) => ttm(b, 'revenue') / ttm(b, 'revenue', 4),
  m_sgai: (b) => selling(b, 0) / selling(b, 4),
  m_lvgi: (b) => leverage(b) / leverage(b, 4),
  audit_ok: (b) => b.item('audit_opinion', b.sinceAnnual),
  // 3.4
  or_yoy: (b) => grown((k) => ttm(b, 'revenue', k)),
  q_or_yoy: (b) => grown((k) => single(b, 'revenue', k)),
  q_or_qoq: (b) => grown((k) => single(b, 'revenue', k), 1),
  netprofit_yoy: (b) => grown((k) => ttm(b, 'np_parent', k)),
  dt_netprofit_yoy: (b) => grown((k) => ttm(b, 'np_dt', k)),
  q_np_yoy: (b) => grown((k) => single(b, 'np_parent', k)),
  q_np_qoq: (b) => grown((k) => single(b, 'np_parent', k), 1),
  op_yoy: (b) => grown((k) => ttm(b, 'operate_profit', k)),
  ocf_yoy: (b) => grown((k) => ttm(b, 'ocf', k)),
  assets_yoy: (b) => grown((k) => b.item('total_assets', k)),
  equity_yoy: (b) => grown((k) => b.item('equity_parent', k)),
  eps_growth_5y: (b) => growthOverYears(b, 'np_parent'),
  sales_growth_5y: (b) => growthOverYears(b, 'revenue'),
  sue: (b) => {
    const surprise = (k: number) => single(b, 'np_parent', k) - single(b, 'np_parent', k + 4)
    return surprise(0) / deviation(last(8).map(surprise))
  },
  roe_delta: (b) => roe(b) - roe(b, 4),
  degm: (b) => margin(b) / margin(b, 4) - 1,
  holder_num_chg: (b) => grown((k) => b.item('holder_num', k), 1),
  // 3.7
  delist_risk: (b) => {
    const annual = (key: string) => b.item(key, b.sinceAnnual)
    const isLosing = annual('np_parent') < 0 && annual('revenue') < 3
    return Number(b.close < 1 || b.totalMv < 5 || annual('equity_parent') < 0 || isLosing)
  },
}
