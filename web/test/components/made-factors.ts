import type { FactorMeta } from '@convexa/contract/factor'
import { factorsOf } from '../../src/features/rule/factors.ts'

const factor = (factor_key: string, factor_name: string, category: string, more: Partial<FactorMeta> = {}): FactorMeta => ({
  factor_key,
  factor_name,
  factor_type: 0,
  category,
  unit: null,
  decimals: 4,
  prefer_default: 'small',
  realtime: true,
  available: true,
  coverage: 1,
  description: `${factor_name}的定义`,
  ...more,
})

/** A few factors of bonds: of each kind of unit, a family with a window, words, and one that the data lack. */
export const madeFactors = factorsOf([
  factor('close', '收盘价', '行情', { unit: '元', decimals: 3 }),
  factor('conv_prem', '转股溢价率', '估值'),
  factor('dblow', '双低', '估值', { decimals: 3 }),
  factor('remain_size', '剩余规模', '条款', { unit: '亿元', decimals: 2, coverage: 0.98 }),
  factor('rating', '评级', '条款', { decimals: 0, values: ['AAA', 'AA+', 'AA'] }),
  factor('pct_chg_N', 'N日涨跌幅', '行情', { prefer_default: 'large', window: { default: 5, min: 1, max: 500 } }),
  factor('iv', '隐含波动率', '估值', { available: false, reason: '数据中没有正股波动率', coverage: null }),
])

/** A column of a cross-section of so many securities: 0 to 1 in their order. */
export const rising = (count = 100): number[] => Array.from({ length: count }, (_, i) => i / count)
