import type { Field } from './market.ts'

type Row = [
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  store: 'f64' | 'f32',
  /** 1 = stays while the stock does not trade. */
  carry: 0 | 1,
  category: string,
  prefer: 'small' | 'large',
  description: string,
  more?: Pick<Field, 'derived'>,
]

const rows: Row[] = [
  ['close', '收盘价', '元', 2, 'f64', 1, '价格', 'small', '收盘价'],
  ['open', '开盘价', '元', 2, 'f64', 0, '价格', 'small', '开盘价'],
  ['high', '最高价', '元', 2, 'f64', 0, '价格', 'small', '最高价'],
  ['low', '最低价', '元', 2, 'f64', 0, '价格', 'small', '最低价'],
  ['pre_close', '前收盘价', '元', 2, 'f64', 0, '价格', 'small', '交易所前收盘价，除权日已调整'],
  ['vol', '成交量', '股', 0, 'f64', 0, '流动性', 'large', '成交量'],
  ['amount', '成交额', '万元', 2, 'f64', 0, '流动性', 'large', '成交额'],
  ['turnover', '换手率', null, 4, 'f32', 0, '流动性', 'small', '成交量 ÷ 流通股本'],
  ['adj_factor', '复权因子', null, 4, 'f64', 1, '价格', 'large', '后复权价 = 收盘价 × 复权因子'],
  ['total_mv', '总市值', '亿元', 2, 'f32', 1, '规模', 'small', '收盘价 × 总股本'],
  ['circ_mv', '流通市值', '亿元', 2, 'f32', 1, '规模', 'small', '收盘价 × 流通股本'],
  ['pe_ttm', '市盈率 TTM', null, 2, 'f32', 1, '估值', 'small', '亏损时缺失'],
  ['pb', '市净率', null, 2, 'f32', 1, '估值', 'small', '总市值 ÷ 归母净资产'],
  ['ps_ttm', '市销率 TTM', null, 2, 'f32', 1, '估值', 'small', '总市值 ÷ 营业收入 TTM'],
  ['pcf_ttm', '市现率 TTM', null, 2, 'f32', 1, '估值', 'small', '总市值 ÷ 经营现金流 TTM'],
  ['dv_ratio', '股息率', null, 4, 'f32', 1, '估值', 'large', '近一年现金分红 ÷ 总市值'],
  ['roe_ttm', '净资产收益率', null, 4, 'f32', 1, '质量', 'large', '归母净利润 TTM ÷ 归母净资产'],
  ['or_yoy', '营收增速', null, 4, 'f32', 1, '成长', 'large', '营业收入同比'],
  ['netprofit_yoy', '净利润增速', null, 4, 'f32', 1, '成长', 'large', '归母净利润同比'],
  ['grossprofit_margin', '毛利率', null, 4, 'f32', 1, '质量', 'large', '毛利 ÷ 营业收入'],
  ['debt_to_assets', '资产负债率', null, 4, 'f32', 1, '质量', 'small', '最新已公告报告期'],
  ['is_st', 'ST', null, 0, 'f32', 1, '状态', 'small', '1 为 ST 或 *ST'],
  ['adj_close', '复权收盘价', '元', 4, 'f64', 0, '价格', 'small', '收盘价 × 复权因子；没有复权因子的数据即收盘价', { derived: true }],
  ['listed_days', '上市天数', '天', 0, 'f64', 0, '状态', 'large', '自然日，上市首日为 1', { derived: true }],
  ['suspension', '停牌', null, 0, 'f64', 0, '状态', 'small', '1 为当日没有成交', { derived: true }],
]

/** Fields of A shares. Ratios are fractions, 成交额 万元, market values 亿元, volume 股. */
export const stockFields: readonly Field[] = rows.map(
  ([key, label, unit, decimals, store, carry, category, prefer, description, more]) => ({
    key,
    label,
    unit,
    decimals,
    store,
    carry: carry === 1,
    category,
    prefer,
    description,
    ...more,
  }),
)
