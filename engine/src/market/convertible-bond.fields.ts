import { callStatuses, type Field, ratings } from './market.ts'

type Row = [
  key: string,
  label: string,
  unit: string | null,
  decimals: number,
  store: 'f64' | 'f32',
  /** 1 = stays while the bond does not trade. */
  carry: 0 | 1,
  category: string,
  prefer: 'small' | 'large',
  description: string,
  more?: Pick<Field, 'values'> | Pick<Field, 'derived'>,
]

const rows: Row[] = [
  ['close', '收盘价', '元', 3, 'f64', 1, '价格', 'small', '收盘价，全价'],
  ['open', '开盘价', '元', 3, 'f64', 0, '价格', 'small', '开盘价'],
  ['high', '最高价', '元', 3, 'f64', 0, '价格', 'small', '最高价'],
  ['low', '最低价', '元', 3, 'f64', 0, '价格', 'small', '最低价'],
  ['pre_close', '前收盘价', '元', 3, 'f64', 0, '价格', 'small', '交易所前收盘价'],
  ['vol', '成交量', '手', 0, 'f32', 0, '流动性', 'large', '成交量，1 手为 10 张'],
  ['amount', '成交额', '万元', 2, 'f64', 0, '流动性', 'large', '成交额'],
  ['turnover', '换手率', null, 4, 'f64', 0, '流动性', 'small', '成交额 ÷ 剩余市值'],
  ['conv_price', '转股价格', '元', 3, 'f64', 1, '股性', 'small', '当日有效的转股价格'],
  ['close_stk', '正股收盘价', '元', 2, 'f64', 1, '正股', 'small', '正股收盘价，未复权'],
  ['conv_value', '转股价值', '元', 3, 'f64', 1, '股性', 'large', '100 ÷ 转股价格 × 正股收盘价'],
  ['conv_prem', '转股溢价率', null, 4, 'f64', 1, '溢价', 'small', '收盘价 ÷ 转股价值 − 1'],
  ['ytm', '到期收益率', null, 4, 'f64', 1, '债性', 'large', '税前，按年复利'],
  ['pure_value', '纯债价值', '元', 3, 'f64', 1, '债性', 'large', '按同评级收益率折现的债券价值'],
  ['remain_size', '剩余规模', '亿元', 3, 'f64', 1, '规模', 'small', '未转股面值'],
  ['left_years', '剩余年限', '年', 3, 'f64', 1, '债性', 'small', '(转股截止日 − 当日 + 1) ÷ 365'],
  ['rating', '评级', null, 0, 'f64', 1, '债性', 'small', '最新外部评级', { values: ratings }],
  ['call_status', '强赎状态', null, 0, 'f64', 1, '强赎', 'small', '按公告日的强赎进度', { values: callStatuses }],
  ['call_count', '强赎计数', '日', 0, 'f64', 1, '强赎', 'small', '最近 30 个交易日中正股收盘价不低于触发价的天数'],
  ['is_st_stk', '正股 ST', null, 0, 'f32', 1, '正股', 'small', '1 为 ST 或 *ST'],
  ['amount_stk', '正股成交额', '万元', 2, 'f32', 0, '正股', 'large', '正股成交额'],
  ['total_mv', '正股总市值', '亿元', 2, 'f32', 1, '正股', 'small', '正股总市值'],
  ['circ_mv', '正股流通市值', '亿元', 2, 'f32', 1, '正股', 'small', '正股流通市值'],
  ['pb', '正股市净率', null, 2, 'f32', 1, '正股', 'small', '正股市净率'],
  ['pe_ttm', '正股市盈率 TTM', null, 2, 'f32', 1, '正股', 'small', '亏损时缺失'],
  ['volatility_stk', '正股年化波动率', null, 4, 'f32', 1, '波动', 'large', '近一年对数收益率标准差 × √242'],
  ['listed_days', '上市天数', '天', 0, 'f64', 0, '状态', 'large', '自然日，上市首日为 1', { derived: true }],
  ['suspension', '停牌', null, 0, 'f64', 0, '状态', 'small', '1 为当日没有成交', { derived: true }],
]

/** Fields of 可转债. Ratios are fractions, 成交额 万元, sizes 亿元, volume 手 (10 张). */
export const convertibleBondFields: readonly Field[] = rows.map(
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
