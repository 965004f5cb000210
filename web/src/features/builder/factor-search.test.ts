import type { FactorMeta } from '@convexa/contract/factor'
import { expect, it } from 'vitest'
import { factorSearch, windowTyped } from './factor-search.ts'

const factor = (key: string, name: string, description = '', window: FactorMeta['window'] = undefined) =>
  ({ factor_key: key, factor_name: name, description, category: '', ...(window && { window }) }) as FactorMeta
const days = { default: 5, min: 1, max: 500 }
const search = factorSearch([
  factor('premium_pctile_N', '溢价率N日分位', '转股溢价率在自身 N 日中的分位', days),
  factor('conv_price', '转股价格', '当日有效的转股价格'),
  factor('open', '开盘价'),
  factor('low', '最低价'),
  factor('close', '收盘价', '收盘价，全价'),
  factor('pct_chg_N', 'N日涨跌幅', '收盘价之比', days),
  factor('conv_prem', '转股溢价率', '收盘价 ÷ 转股价值 − 1'),
  factor('ytm', '到期收益率'),
  factor('total_mv', '正股总市值'),
  factor('pe_ttm', '正股市盈率 TTM', '亏损时缺失'),
  factor('remain_size', '剩余规模', '未转股面值'),
  factor('redeem_count', '强赎已满足天数'),
])
const first = (typed: string) => search(typed)[0]?.factor_key ?? null

it.each([
  // As the heads of our own tables have it, copied with the unit.
  ['现价', 'close'],
  ['现价（元）', 'close'],
  ['溢价率(%)', 'conv_prem'],
  ['规模(亿)', 'remain_size'],
  ['强赎计数', 'redeem_count'],
  ['20日涨幅', 'pct_chg_N'],
  ['２０日涨跌幅', 'pct_chg_N'],
  // As people say it.
  ['价格', 'close'],
  ['低溢价', 'conv_prem'],
  ['溢价', 'conv_prem'],
  ['动量', 'pct_chg_N'],
  ['正股市值', 'total_mv'],
  ['市值', 'total_mv'],
  ['ＹＴＭ', 'ytm'],
  [' 转股 溢价率 ', 'conv_prem'],
  // By name, key, initials and definition.
  ['收盘价', 'close'],
  ['pe', 'pe_ttm'],
  ['zgyjl', 'conv_prem'],
  ['亏损', 'pe_ttm'],
  ['没有这个', null],
])('%s: %s', (typed, key) => expect(first(typed)).toBe(key))

it('tells all when nothing was typed, in their order', () => expect(search(' ')).toHaveLength(12))

it.each([
  ['20日涨幅', 20],
  ['６０日', 60],
  ['涨跌幅', null],
])('the window of %s: %s', (typed, window) => expect(windowTyped(typed)).toBe(window))
