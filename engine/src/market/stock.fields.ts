import type { Field } from './market.ts'

const f = (
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  store: 'f64' | 'f32',
  carry: boolean,
  description: string,
): Field => ({
  key,
  label,
  unit,
  decimals,
  store,
  carry,
  description,
})

/** Fields of A shares. Ratios are fractions, 成交额 万元, market values 亿元, volume 股. */
export const stockFields: readonly Field[] = [
  f('close', '收盘价', '元', 2, 'f64', true, '收盘价'),
  f('open', '开盘价', '元', 2, 'f64', false, '开盘价'),
  f('high', '最高价', '元', 2, 'f64', false, '最高价'),
  f('low', '最低价', '元', 2, 'f64', false, '最低价'),
  f('pre_close', '前收盘价', '元', 2, 'f64', false, '交易所前收盘价，除权日已调整'),
  f('vol', '成交量', '股', 0, 'f64', false, '成交量'),
  f('amount', '成交额', '万元', 2, 'f64', false, '成交额'),
  f('turnover', '换手率', null, 4, 'f32', false, '成交量 ÷ 流通股本'),
  f('adj_factor', '复权因子', null, 4, 'f64', true, '后复权价 = 收盘价 × 复权因子'),
  f('total_mv', '总市值', '亿元', 2, 'f32', true, '收盘价 × 总股本'),
  f('circ_mv', '流通市值', '亿元', 2, 'f32', true, '收盘价 × 流通股本'),
  f('pe_ttm', '市盈率 TTM', null, 2, 'f32', true, '亏损时缺失'),
  f('pb', '市净率', null, 2, 'f32', true, '总市值 ÷ 归母净资产'),
  f('ps_ttm', '市销率 TTM', null, 2, 'f32', true, '总市值 ÷ 营业收入 TTM'),
  f('pcf_ttm', '市现率 TTM', null, 2, 'f32', true, '总市值 ÷ 经营现金流 TTM'),
  f('dv_ratio', '股息率', null, 4, 'f32', true, '近一年现金分红 ÷ 总市值'),
  f('roe_ttm', '净资产收益率', null, 4, 'f32', true, '归母净利润 TTM ÷ 归母净资产'),
  f('or_yoy', '营收增速', null, 4, 'f32', true, '营业收入同比'),
  f('netprofit_yoy', '净利润增速', null, 4, 'f32', true, '归母净利润同比'),
  f('grossprofit_margin', '毛利率', null, 4, 'f32', true, '毛利 ÷ 营业收入'),
  f('debt_to_assets', '资产负债率', null, 4, 'f32', true, '最新已公告报告期'),
  f('is_st', 'ST', null, 0, 'f32', true, '1 为 ST 或 *ST'),
]
