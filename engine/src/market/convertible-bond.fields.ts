import { callStatuses, type Field, ratings } from './market.ts'

const price = (key: string, label: string, description: string, decimals = 3): Field => ({
  key,
  label,
  unit: '元',
  decimals,
  store: 'f64',
  carry: true,
  description,
})
const plain = (
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  description: string,
  store: 'f64' | 'f32' = 'f64',
): Field => ({
  key,
  label,
  unit,
  decimals,
  store,
  carry: false,
  description,
})
const state = (
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  description: string,
  store: 'f64' | 'f32' = 'f64',
): Field => ({
  key,
  label,
  unit,
  decimals,
  store,
  carry: true,
  description,
})

/** Fields of 可转债. Ratios are fractions, 成交额 万元, sizes 亿元, volume 手 (10 张). */
export const convertibleBondFields: readonly Field[] = [
  price('close', '收盘价', '收盘价，全价'),
  plain('open', '开盘价', '元', 3, '开盘价'),
  plain('high', '最高价', '元', 3, '最高价'),
  plain('low', '最低价', '元', 3, '最低价'),
  plain('pre_close', '前收盘价', '元', 3, '交易所前收盘价'),
  plain('vol', '成交量', '手', 0, '成交量，1 手为 10 张', 'f32'),
  plain('amount', '成交额', '万元', 2, '成交额'),
  plain('turnover', '换手率', null, 4, '成交额 ÷ 剩余市值', 'f64'),
  state('conv_price', '转股价格', '元', 3, '当日有效的转股价格'),
  state('close_stk', '正股收盘价', '元', 2, '正股收盘价，未复权'),
  state('conv_value', '转股价值', '元', 3, '100 ÷ 转股价格 × 正股收盘价'),
  state('conv_prem', '转股溢价率', null, 4, '收盘价 ÷ 转股价值 − 1'),
  state('ytm', '到期收益率', null, 4, '税前，按年复利'),
  state('pure_value', '纯债价值', '元', 3, '按同评级收益率折现的债券价值'),
  state('remain_size', '剩余规模', '亿元', 3, '未转股面值'),
  state('left_years', '剩余年限', '年', 3, '(转股截止日 − 当日 + 1) ÷ 365'),
  { ...state('rating', '评级', null, 0, '最新外部评级'), values: ratings },
  { ...state('call_status', '强赎状态', null, 0, '按公告日的强赎进度'), values: callStatuses },
  state('call_count', '强赎计数', '日', 0, '最近 30 个交易日中正股收盘价不低于触发价的天数'),
  state('is_st_stk', '正股 ST', null, 0, '1 为 ST 或 *ST', 'f32'),
  plain('amount_stk', '正股成交额', '万元', 2, '正股成交额', 'f32'),
  state('total_mv', '正股总市值', '亿元', 2, '正股总市值', 'f32'),
  state('circ_mv', '正股流通市值', '亿元', 2, '正股流通市值', 'f32'),
  state('pb', '正股市净率', null, 2, '正股市净率', 'f32'),
  state('pe_ttm', '正股市盈率 TTM', null, 2, '亏损时缺失', 'f32'),
  state('volatility_stk', '正股年化波动率', null, 4, '近一年对数收益率标准差 × √242', 'f32'),
]
