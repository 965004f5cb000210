import { shelf } from './factor-line.ts'
import type { FactorDefinition } from './market.ts'

// They change when a report is published, not with the quotes of the day.
const quality = shelf('质量', { realtime: false })
const growth = shelf('成长', { realtime: false })

const margin = '(1 - q_ttm(oper_cost) / q_ttm(revenue))'
const roe = 'q_ttm(np_parent) / equity_parent'
const belowZero = '净资产不为正时缺失'

const profitability: readonly FactorDefinition[] = [
  quality.large('roe_ttm', '净资产收益率', `where(equity_parent > 0, ${roe})`, `归母净利润 TTM ÷ 期末归母净资产，${belowZero}`),
  quality.large(
    'roe_avg',
    '平均净资产收益率',
    'e := q_avg(equity_parent, 2, 4); where(e > 0, q_ttm(np_parent) / e)',
    `归母净利润 TTM ÷ 期末与一年前归母净资产的平均，${belowZero}`,
  ),
  quality.large(
    'roe_dt',
    '扣非净资产收益率',
    'where(equity_parent > 0, q_ttm(np_dt) / equity_parent)',
    `扣非净利润 TTM ÷ 期末归母净资产，${belowZero}`,
  ),
  quality.large('roa_ttm', '总资产收益率', 'q_ttm(n_income) / total_assets', '净利润 TTM ÷ 期末总资产'),
  quality.large(
    'roic_ttm',
    '投入资本回报率',
    'c := q_avg(equity_parent + interest_debt, 4); where(c > 0, q_ttm(np_parent) / c)',
    '归母净利润 TTM ÷ 近四季平均(归母净资产 + 有息负债)',
  ),
  quality.large(
    'roa_ebit',
    '总资产报酬率',
    'q_ttm(total_profit + int_exp) / q_avg(total_assets, 2, 4)',
    '(利润总额 + 利息费用) TTM ÷ 期末与一年前总资产的平均',
  ),
  quality.large('grossprofit_margin', '毛利率', margin, '(营业收入 − 营业成本) ÷ 营业收入，TTM'),
  quality.large('netprofit_margin', '净利率', 'q_ttm(n_income) / q_ttm(revenue)', '净利润 ÷ 营业收入，TTM'),
  quality.large('op_margin', '营业利润率', 'q_ttm(operate_profit) / q_ttm(revenue)', '营业利润 ÷ 营业收入，TTM'),
  quality.small(
    'expense_ratio',
    '三费率',
    'q_ttm(sell_exp + admin_exp + fin_exp) / q_ttm(revenue)',
    '(销售 + 管理 + 财务费用) ÷ 营业收入，TTM',
  ),
  quality.large('rd_ratio', '研发费用率', 'q_ttm(rd_exp) / q_ttm(revenue)', '研发费用 ÷ 营业收入，TTM'),
  quality.large(
    'margin_stability',
    '毛利稳定性',
    `g := ${margin}; q_avg(g, 8, 4, 5) / q_std(g, 8, 4, 5)`,
    '近 8 年毛利率 TTM 的均值 ÷ 标准差，每年取同一季度，至少 5 年',
    { decimals: 2 },
  ),
  quality.small('roe_std_8q', 'ROE 稳定性', `q_std(${roe}, 8)`, '近 8 个季度净资产收益率 TTM 的标准差'),
]

const soundness: readonly FactorDefinition[] = [
  quality.small('debt_to_assets', '资产负债率', 'total_liab / total_assets', '负债 ÷ 总资产'),
  quality.small('debt_to_equity', '产权比率', 'where(equity_parent > 0, total_liab / equity_parent)', `负债 ÷ 归母净资产，${belowZero}`),
  quality.large('current_ratio', '流动比率', 'total_cur_assets / total_cur_liab', '流动资产 ÷ 流动负债', { decimals: 2 }),
  quality.large('quick_ratio', '速动比率', '(total_cur_assets - inventories) / total_cur_liab', '(流动资产 − 存货) ÷ 流动负债', {
    decimals: 2,
  }),
  quality.large('cash_ratio', '现金比率', 'money_cap / total_cur_liab', '货币资金 ÷ 流动负债', { decimals: 2 }),
  quality.large(
    'ocf_to_np',
    '净利润现金含量',
    'where(q_ttm(np_parent) > 0, q_ttm(ocf) / q_ttm(np_parent))',
    '经营现金流 TTM ÷ 归母净利润 TTM，亏损时缺失',
  ),
  quality.large('ocf_to_or', '现金收入比', 'q_ttm(ocf) / q_ttm(revenue)', '经营现金流 TTM ÷ 营业收入 TTM'),
  quality.large('ocf_to_assets', '总资产现金回收率', 'q_ttm(ocf) / total_assets', '经营现金流 TTM ÷ 期末总资产'),
  quality.small('accruals', '应计', 'q_ttm(n_income - ocf) / total_assets', '(净利润 − 经营现金流) TTM ÷ 期末总资产'),
  quality.large('assets_turn', '总资产周转率', 'q_ttm(revenue) / total_assets', '营业收入 TTM ÷ 期末总资产', { decimals: 2 }),
  quality.large('inv_turn', '存货周转率', 'q_ttm(oper_cost) / q_avg(inventories, 4)', '营业成本 TTM ÷ 近四季平均存货', { decimals: 2 }),
  quality.large('ar_turn', '应收账款周转率', 'q_ttm(revenue) / q_avg(receivables, 4)', '营业收入 TTM ÷ 近四季平均应收账款', {
    decimals: 2,
  }),
  quality.small('goodwill_ratio', '商誉占净资产', 'where(equity_parent > 0, goodwill / equity_parent)', `商誉 ÷ 归母净资产，${belowZero}`),
  quality.large(
    'f_score',
    'F 分数',
    [
      'roa := q_ttm(n_income) / total_assets',
      'cash := q_ttm(ocf) / total_assets',
      'lever := total_liab / total_assets',
      'liquid := total_cur_assets / total_cur_liab',
      `g := ${margin}`,
      'turn := q_ttm(revenue) / total_assets',
      '(roa > 0) + (cash > 0) + (roa > q_ref(roa, 4)) + (cash > roa) + (lever < q_ref(lever, 4)) + (liquid > q_ref(liquid, 4)) + (share_capital <= q_ref(share_capital, 4)) + (g > q_ref(g, 4)) + (turn > q_ref(turn, 4))',
    ].join('; '),
    '九项各计 1 分：盈利、现金流为正，现金流高于盈利，总资产收益率、流动比率、毛利率、周转率同比上升，负债率同比下降，股本没有增加',
    { decimals: 0, unit: '分' },
  ),
  quality.large('audit_ok', '标准无保留意见', 'q_annual(audit_opinion)', '最近年报的审计意见为标准无保留为 1', { decimals: 0 }),
]

const beneish: readonly FactorDefinition[] = [
  quality.small(
    'm_dsri',
    '应收账款指数',
    'r := receivables / q_ttm(revenue); r / q_ref(r, 4)',
    'Beneish DSRI：应收账款 ÷ 营业收入 TTM，与一年前之比',
    { decimals: 3 },
  ),
  quality.small('m_gmi', '毛利率指数', `g := ${margin}; q_ref(g, 4) / g`, 'Beneish GMI：一年前毛利率 ÷ 当前毛利率', { decimals: 3 }),
  quality.small('m_sgi', '营收增长指数', 's := q_ttm(revenue); s / q_ref(s, 4)', 'Beneish SGI：营业收入 TTM 与一年前之比', { decimals: 3 }),
  quality.small(
    'm_sgai',
    '销管费用指数',
    's := q_ttm(sell_exp + admin_exp) / q_ttm(revenue); s / q_ref(s, 4)',
    'Beneish SGAI：(销售 + 管理费用) ÷ 营业收入 TTM，与一年前之比',
    { decimals: 3 },
  ),
  quality.small('m_lvgi', '杠杆指数', 'l := total_liab / total_assets; l / q_ref(l, 4)', 'Beneish LVGI：资产负债率与一年前之比', {
    decimals: 3,
  }),
]

const overAYear = '与去年同期之差 ÷ |去年同期|'

const growths: readonly FactorDefinition[] = [
  growth.large('or_yoy', '营收增速', 'q_yoy(q_ttm(revenue))', `营业收入 TTM ${overAYear}`),
  growth.large('q_or_yoy', '单季营收同比', 'q_yoy(q_single(revenue))', `单季营业收入${overAYear}`),
  growth.large('q_or_qoq', '单季营收环比', 'q_yoy(q_single(revenue), 1)', '单季营业收入与上季之差 ÷ |上季|'),
  growth.large('netprofit_yoy', '净利润增速', 'q_yoy(q_ttm(np_parent))', `归母净利润 TTM ${overAYear}`),
  growth.large('dt_netprofit_yoy', '扣非净利同比', 'q_yoy(q_ttm(np_dt))', `扣非净利润 TTM ${overAYear}`),
  growth.large('q_np_yoy', '单季净利同比', 'q_yoy(q_single(np_parent))', `单季归母净利润${overAYear}`),
  growth.large('q_np_qoq', '单季净利环比', 'q_yoy(q_single(np_parent), 1)', '单季归母净利润与上季之差 ÷ |上季|'),
  growth.large('op_yoy', '营业利润同比', 'q_yoy(q_ttm(operate_profit))', `营业利润 TTM ${overAYear}`),
  growth.large('ocf_yoy', '经营现金流同比', 'q_yoy(q_ttm(ocf))', `经营现金流 TTM ${overAYear}`),
  growth.large('assets_yoy', '总资产同比', 'q_yoy(total_assets)', `总资产${overAYear}`),
  growth.large('equity_yoy', '净资产同比', 'q_yoy(equity_parent)', `归母净资产${overAYear}`),
  growth.large(
    'eps_growth_5y',
    '5年盈利增速',
    'e := q_ttm(np_parent) / share_capital; q_slope(e, 5, 4, 4) / q_avg(abs(e), 5, 4, 4)',
    '每股收益 TTM 近 5 年的回归斜率 ÷ 其绝对值的平均，至少 4 年',
  ),
  growth.large(
    'sales_growth_5y',
    '5年营收增速',
    's := q_ttm(revenue) / share_capital; q_slope(s, 5, 4, 4) / q_avg(abs(s), 5, 4, 4)',
    '每股营业收入 TTM 近 5 年的回归斜率 ÷ 其绝对值的平均，至少 4 年',
  ),
  growth.large(
    'sue',
    '标准化超预期',
    'd := q_single(np_parent) - q_ref(q_single(np_parent), 4); d / q_std(d, 8)',
    '单季归母净利润与去年同期之差 ÷ 近 8 个这样的差的标准差',
    { decimals: 2 },
  ),
  growth.large('roe_delta', 'ROE 变动', `r := ${roe}; r - q_ref(r, 4)`, '净资产收益率 TTM − 一年前'),
  growth.large('degm', '毛利率增长', `g := ${margin}; g / q_ref(g, 4) - 1`, '毛利率 TTM ÷ 一年前 − 1'),
  growth.small('holder_num_chg', '股东户数变动', 'q_yoy(holder_num, 1)', '最新公布的股东户数与上季之差 ÷ 上季'),
]

/** What published statements say of A shares (domain.md 3.3, 3.4): every number is of the newest version that was public. */
export const stockStatementFactors: readonly FactorDefinition[] = [...profitability, ...soundness, ...beneish, ...growths]
