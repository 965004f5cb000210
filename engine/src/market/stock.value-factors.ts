import { shelf } from './factor-line.ts'
import type { FactorDefinition } from './market.ts'

const size = shelf('规模')
const value = shelf('估值')

/** Size and valuation of A shares (domain.md 3.2). Losses leave multiples absent; their reciprocals keep the order of losses. */
export const stockValueFactors: readonly FactorDefinition[] = [
  size.small('total_mv', '总市值', 'close * total_share', '收盘价 × 总股本', { unit: '亿元', decimals: 2 }),
  size.small('circ_mv', '流通市值', 'close * float_share', '收盘价 × 流通股本', { unit: '亿元', decimals: 2 }),
  size.small('ln_mv', '对数市值', 'log(total_mv)', '总市值（亿元）的自然对数', { decimals: 3 }),
  size.small('mv_rank', '市值排名', 'cs_rank(total_mv)', '总市值在全市场中的分位'),
  size.small(
    'non_linear_size',
    '非线性市值',
    's := cs_zscore(ln_mv); cs_zscore(cs_resid(s ^ 3, s))',
    '标准化对数市值的三次方对其自身回归的残差，再标准化',
    { decimals: 3 },
  ),
  value.small('pe', '市盈率', 'where(q_annual(np_parent) > 0, total_mv / q_annual(np_parent))', '总市值 ÷ 最近年报归母净利润，亏损时缺失', {
    decimals: 2,
  }),
  value.small('pe_ttm', '市盈率 TTM', 'where(q_ttm(np_parent) > 0, total_mv / q_ttm(np_parent))', '总市值 ÷ 归母净利润 TTM，亏损时缺失', {
    decimals: 2,
  }),
  value.small('pe_ttm_dt', '扣非市盈率', 'where(q_ttm(np_dt) > 0, total_mv / q_ttm(np_dt))', '总市值 ÷ 扣非净利润 TTM，亏损时缺失', {
    decimals: 2,
  }),
  value.large('ep_ttm', '盈利收益率', 'q_ttm(np_parent) / total_mv', '归母净利润 TTM ÷ 总市值，亏损为负；没有财报时取市盈率的倒数', {
    otherwise: '1 / pe_ttm',
  }),
  value.small('pb', '市净率', 'where(equity_parent > 0, total_mv / equity_parent)', '总市值 ÷ 归母净资产，资不抵债时缺失', { decimals: 2 }),
  value.large('bp', '账面市值比', 'where(equity_parent > 0, equity_parent / total_mv)', '归母净资产 ÷ 总市值；没有财报时取市净率的倒数', {
    otherwise: 'where(pb > 0, 1 / pb)',
  }),
  value.small('ps_ttm', '市销率 TTM', 'where(q_ttm(revenue) > 0, total_mv / q_ttm(revenue))', '总市值 ÷ 营业收入 TTM', { decimals: 2 }),
  value.large('sp_ttm', '营收市值比', 'q_ttm(revenue) / total_mv', '营业收入 TTM ÷ 总市值；没有财报时取市销率的倒数', {
    otherwise: '1 / ps_ttm',
  }),
  value.small('pcf_ttm', '市现率 TTM', 'where(q_ttm(ocf) > 0, total_mv / q_ttm(ocf))', '总市值 ÷ 经营现金流 TTM，净流出时缺失', {
    decimals: 2,
  }),
  value.large('cfp_ttm', '现金流市值比', 'q_ttm(ocf) / total_mv', '经营现金流 TTM ÷ 总市值，净流出为负；没有财报时取市现率的倒数', {
    otherwise: '1 / pcf_ttm',
  }),
  value.large('dv_ratio', '股息率', 'q_annual(cash_div) / total_mv', '最近年度现金分红 ÷ 总市值'),
  value.large('dv_ttm', '股息率 TTM', 'q_ttm(cash_div) / total_mv', '近四季现金分红 ÷ 总市值'),
  value.small(
    'peg',
    'PEG',
    'where(netprofit_yoy > 0 and pe_ttm > 0, pe_ttm / (netprofit_yoy * 100))',
    '市盈率 TTM ÷ (净利润增速 × 100)，两者任一不为正时缺失',
    { decimals: 2 },
  ),
  value.small(
    'ev_ebitda',
    'EV/EBITDA',
    'e := q_ttm(total_profit + int_exp + dep_amort); where(e > 0, (total_mv + interest_debt - money_cap) / e)',
    '(总市值 + 有息负债 − 货币资金) ÷ (利润总额 + 利息费用 + 折旧与摊销) TTM，分母不为正时缺失',
    { decimals: 2 },
  ),
  value.large(
    'cfo_to_ev',
    '现金流企业价值比',
    'q_ttm(ocf) / (total_mv + total_liab - money_cap)',
    '经营现金流 TTM ÷ (总市值 + 负债 − 货币资金)',
  ),
  value.small('pb_pctile_N', '市净率N日分位', 'ts_rank(pb, N)', '市净率在自身 N 日中的分位', { window: [750, 2, 1_000] }),
  value.small('pe_pctile_N', '市盈率N日分位', 'ts_rank(pe_ttm, N)', '市盈率 TTM 在自身 N 日中的分位', { window: [750, 2, 1_000] }),
]
