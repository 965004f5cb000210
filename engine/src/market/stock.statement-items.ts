import type { StatementItem } from './market.ts'

type Row = [key: string, label: string, kind: StatementItem['kind'], description: string, unit?: string | null]

const rows: Row[] = [
  ['revenue', '营业收入', 'flow', '利润表，年初至报告期末累计'],
  ['oper_cost', '营业成本', 'flow', '利润表累计'],
  ['sell_exp', '销售费用', 'flow', '利润表累计'],
  ['admin_exp', '管理费用', 'flow', '利润表累计'],
  ['fin_exp', '财务费用', 'flow', '利润表累计'],
  ['rd_exp', '研发费用', 'flow', '利润表累计'],
  ['int_exp', '利息费用', 'flow', '利润表累计'],
  ['operate_profit', '营业利润', 'flow', '利润表累计'],
  ['total_profit', '利润总额', 'flow', '利润表累计'],
  ['n_income', '净利润', 'flow', '利润表累计，含少数股东损益'],
  ['np_parent', '归母净利润', 'flow', '利润表累计'],
  ['np_dt', '扣非净利润', 'flow', '归属母公司、扣除非经常性损益，累计'],
  ['ocf', '经营现金流净额', 'flow', '现金流量表累计'],
  ['dep_amort', '折旧与摊销', 'flow', '现金流量表补充资料，累计'],
  ['cash_div', '现金分红总额', 'flow', '随报告公布的利润分配，累计'],
  ['total_assets', '资产总计', 'level', '资产负债表期末'],
  ['total_liab', '负债合计', 'level', '资产负债表期末'],
  ['equity_parent', '归母净资产', 'level', '资产负债表期末，不含少数股东权益'],
  ['money_cap', '货币资金', 'level', '资产负债表期末'],
  ['receivables', '应收账款', 'level', '资产负债表期末'],
  ['inventories', '存货', 'level', '资产负债表期末'],
  ['goodwill', '商誉', 'level', '资产负债表期末'],
  ['total_cur_assets', '流动资产合计', 'level', '资产负债表期末'],
  ['total_cur_liab', '流动负债合计', 'level', '资产负债表期末'],
  ['interest_debt', '有息负债', 'level', '短期借款 + 长期借款 + 应付债券 + 一年内到期的非流动负债'],
  ['share_capital', '股本', 'level', '资产负债表期末', '亿股'],
  ['holder_num', '股东户数', 'level', '随报告公布的期末户数', '户'],
  ['audit_opinion', '审计意见', 'level', '年报：标准无保留意见为 1，其他为 0', null],
]

/** What statements of A shares give, in 亿元. */
export const stockReportItems: readonly StatementItem[] = rows.map(([key, label, kind, description, unit = '亿元']) => ({
  key,
  label,
  unit,
  kind,
  description,
}))
