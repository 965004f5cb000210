import type { FactorMeta } from '@convexa/contract/factor'

/** What factors are also called: by the heads of our own tables, and by those who trade. `N` stands for a window. */
const words: Readonly<Record<string, string>> = {
  close: '现价 最新价 价格 转债价格 低价 股价',
  pct_chg: '涨幅 跌幅',
  pct_chg_N: 'N日涨幅 动量 反转',
  pct_chg_stk: '正股涨幅',
  pct_chg_N_stk: '正股N日涨幅 正股动量',
  close_ma_N: '均线 N日均线',
  ma_N_stk: '正股均线 正股N日均线',
  conv_prem: '溢价率 低溢价',
  bond_prem: '债底溢价率',
  conv_value: '平价',
  conv_price: '转股价',
  pure_value: '债底',
  close_stk: '正股价',
  remain_size: '规模 余额 转债余额',
  left_years: '年限',
  ytm: 'YTM 收益率',
  amount: '成交',
  turnover: '换手',
  redeem_count: '强赎计数 强赎天数',
  total_mv: '市值 正股市值 小市值',
  roe_ttm: 'ROE',
  pe_ttm: 'PE',
}

/** Other names of a factor, as they are said. */
export const otherNamesOf = ({ factor_key: key }: Pick<FactorMeta, 'factor_key'>): string[] => words[key]?.split(' ') ?? []
