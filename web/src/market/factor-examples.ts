import type { MarketId } from '@convexa/contract/enums/market'

/** What a factor is made of, as it is written. */
export interface FactorText {
  name: string
  formula: string
  description: string
  unit: string | null
  decimals: number
  prefer: 'small' | 'large'
}

/** Formulas to begin with: each runs on the demo market and says what it does. */
export const factorExamples: Readonly<Record<MarketId, readonly FactorText[]>> = {
  cb: [
    {
      name: '双低 20 日分位',
      formula:
        '# 当前双低在过去 20 个交易日里的位置，越低越便宜\nts_rank(\n    close + conv_prem * 100,   # 溢价率是小数，乘 100 后与价格相加\n    20\n)',
      description: '双低在近 20 日的分位',
      unit: null,
      decimals: 4,
      prefer: 'small',
    },
    {
      name: '正股 5 日动量',
      formula: '# 正股最近 5 个交易日的涨跌幅\npct_chg_5_stk',
      description: '正股近 5 日涨跌幅',
      unit: null,
      decimals: 4,
      prefer: 'large',
    },
    {
      name: '溢价率相对历史',
      formula: '# 溢价率与自己过去 60 日均值之差，再除以波动\nts_zscore(conv_prem, 60)',
      description: '溢价率偏离自身近 60 日均值多少个标准差',
      unit: null,
      decimals: 3,
      prefer: 'small',
    },
    {
      name: '转债波动倒数',
      formula: '# 波动越小，值越大\ninv(ts_vol(close, 20))',
      description: '近 20 日年化波动的倒数',
      unit: null,
      decimals: 3,
      prefer: 'large',
    },
  ],
  stk: [
    {
      name: '20 日反转',
      formula: '# 最近 20 个交易日跌得越多，值越大\n-pct_chg_20',
      description: '近 20 日涨跌幅取反',
      unit: null,
      decimals: 4,
      prefer: 'large',
    },
    {
      name: '行业内估值',
      formula: '# 市净率在本行业里的分位\ngp_rank(industry_1, pb)',
      description: '市净率在一级行业内的分位',
      unit: null,
      decimals: 4,
      prefer: 'small',
    },
    {
      name: '缩量程度',
      formula: '# 近 5 日成交额相对近 60 日，小于 1 是缩量\nts_mean(amount, 5) / ts_mean(amount, 60)',
      description: '近 5 日与近 60 日成交额之比',
      unit: '倍',
      decimals: 2,
      prefer: 'small',
    },
  ],
}
