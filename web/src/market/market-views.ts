/** How pages show a market. What every page needs stands in the contract's record, what is asked for in a rule in `rule-views.ts`. */
import type { MarketId } from '@convexa/contract/enums/market'

/** How a column is tinted: signed: red and green by size; small, large: the better, the bluer; counter: a bar of 15 days; words, none: no colour. */
export type ColumnHeat = 'signed' | 'small' | 'large' | 'counter' | 'words' | 'none'
/** A factor as a column of the screen. */
type ColumnLine = readonly [ref: string, head: string, scale: number, decimals: number, heat: ColumnHeat, width?: number]

/** Main number of a figure: the change of an index, the number of a count, the value of anything else. */
export type FigureLook = 'change' | 'value' | 'count'

interface MarketView {
  /** The columns of the screen besides the strategy's own factors, in order. */
  readonly columns: readonly ColumnLine[]
  /** Which columns answer a question of their own; those of the strategy's factors stand before them. */
  readonly columnSets: readonly { readonly key: string; readonly label: string; readonly columns: readonly string[] }[]
  /** Averages in the bar below the table. */
  readonly averages: readonly (readonly [ref: string, label: string, scale: number, decimals: number, unit: string])[]
  /** What the home page says of a day, in its order. */
  readonly figures: readonly (readonly [key: string, look: FigureLook])[]
}

export const marketViews: Readonly<Record<MarketId, MarketView>> = {
  cb: {
    columns: [
      ['close', '现价(元)', 1, 3, 'none'],
      ['pct_chg', '涨跌幅', 100, 2, 'signed', 68],
      ['conv_prem', '溢价率(%)', 100, 1, 'small'],
      ['dblow', '双低', 1, 1, 'small', 68],
      ['ytm', 'YTM(%)', 100, 2, 'large', 72],
      ['remain_size', '规模(亿)', 1, 2, 'small', 72],
      ['left_years', '年限', 1, 2, 'none', 56],
      ['amount', '成交(亿)', 1e-4, 2, 'none', 70],
      ['redeem_count', '强赎计数', 1, 0, 'counter', 92],
    ],
    columnSets: [
      {
        key: 'bond',
        label: '债性',
        columns: ['close', 'pct_chg', 'ytm', 'pure_value', 'bond_prem', 'left_years', 'remain_size', 'rating'],
      },
      {
        key: 'equity',
        label: '股性',
        columns: ['stock_name', 'close', 'pct_chg', 'conv_prem', 'conv_value', 'close_stk', 'pct_chg_stk', 'pct_chg_5', 'volatility_stk'],
      },
      {
        key: 'liquidity',
        label: '流动性',
        columns: ['close', 'pct_chg', 'amount', 'turnover', 'amount_5', 'amplitude', 'remain_size', 'remain_cap'],
      },
      {
        key: 'call',
        label: '强赎',
        columns: ['close', 'pct_chg', 'redeem_count', 'call_status', 'conv_value', 'conv_prem', 'left_years', 'remain_size'],
      },
    ],
    averages: [
      ['close', '平均现价', 1, 3, ''],
      ['conv_prem', '平均溢价率', 100, 1, '%'],
      ['remain_size', '平均规模', 1, 2, ' 亿'],
    ],
    figures: [
      ['cb_ew', 'change'],
      ['median_close', 'value'],
      ['mean_conv_prem', 'value'],
      ['near_call', 'count'],
    ],
  },
  stk: {
    columns: [
      ['close', '现价(元)', 1, 2, 'none'],
      ['pct_chg', '涨跌幅', 100, 2, 'signed', 68],
      ['total_mv', '总市值(亿)', 1, 2, 'small', 80],
      ['pe_ttm', '市盈率', 1, 1, 'none', 60],
      ['pb', '市净率', 1, 2, 'none', 56],
      ['roe_ttm', 'ROE(%)', 100, 1, 'large', 66],
      ['dv_ratio', '股息率(%)', 100, 2, 'none', 78],
      ['pct_chg_20', '20日涨幅', 100, 1, 'signed', 74],
      ['turnover', '换手(%)', 100, 2, 'none', 68],
      ['amount', '成交(亿)', 1e-4, 2, 'none', 70],
      ['is_st', 'ST', 1, 0, 'words', 44],
    ],
    columnSets: [
      { key: 'value', label: '估值', columns: ['close', 'pct_chg', 'pe_ttm', 'pb', 'ps_ttm', 'pcf_ttm', 'dv_ratio', 'total_mv'] },
      {
        key: 'quality',
        label: '质量',
        columns: ['close', 'pct_chg', 'roe_ttm', 'grossprofit_margin', 'debt_to_assets', 'or_yoy', 'netprofit_yoy'],
      },
      { key: 'trend', label: '走势', columns: ['close', 'pct_chg', 'pct_chg_5', 'pct_chg_20', 'pct_chg_60', 'bias_20', 'mom_12_1'] },
      { key: 'liquidity', label: '流动性', columns: ['close', 'pct_chg', 'amount', 'turnover', 'amount_5', 'amplitude', 'circ_mv'] },
    ],
    averages: [
      ['total_mv', '平均市值', 1, 2, ' 亿'],
      ['pb', '平均市净率', 1, 2, ''],
      ['dv_ratio', '平均股息率', 100, 2, '%'],
    ],
    figures: [
      ['stk_ew', 'change'],
      ['000300', 'change'],
      ['000852', 'change'],
    ],
  },
}
