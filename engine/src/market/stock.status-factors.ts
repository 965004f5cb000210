import { shelf } from './factor-line.ts'
import type { FactorDefinition } from './market.ts'

const status = shelf('状态', { decimals: 0 })

/** What state an A share is in (domain.md 3.7); the rest of that list are fields. */
export const stockStatusFactors: readonly FactorDefinition[] = [
  status.large('list_days', '上市自然日数', 'listed_days', '自上市首日起的自然日数，首日为 1', { unit: '天' }),
  status.small('limit', '涨跌停状态', "flag('limit_up') - flag('limit_down')", '收于涨停为 1，跌停为 −1，其他为 0'),
  status.small(
    'delist_risk',
    '退市风险',
    'close < 1 or total_mv < 5 or q_annual(equity_parent) < 0 or (q_annual(np_parent) < 0 and q_annual(revenue) < 3)',
    '收盘价低于 1 元、总市值低于 5 亿元、年报净资产为负、年报亏损且营业收入低于 3 亿元，任一成立为 1；为提示，不等于交易所的认定',
  ),
]
