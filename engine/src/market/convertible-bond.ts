import { markets } from '@convexa/contract/enums/market'
import { neutralizations } from '@convexa/contract/enums/neutralization'
import { labelOf } from '@convexa/contract/enums/table'
import { from, inForce } from '../base/dated-rules.ts'
import { convertibleBondFactors } from './convertible-bond.factors.ts'
import { convertibleBondFields } from './convertible-bond.fields.ts'
import { type LimitRates, type Market, pricesAt, type Quoted, quoteNumbers } from './market.ts'
import { stockReportItems } from './stock.statement-items.ts'

/**
 * Price limits of the exchanges' 可转换公司债券交易实施细则, in force 2022-08-01: ±20 %, on the first day −43.3 % … +57.3 %
 * around the issue price of 100. Before that day bonds had temporary halts but no limit.
 */
const daily = [from<LimitRates | null>('', null), from<LimitRates | null>('2022-08-01', { up: 0.2, down: 0.2 })]
const firstDay: LimitRates = { base: 100, up: 0.573, down: 0.433 }

const own = Object.fromEntries(quoteNumbers.map((number): [string, Quoted] => [number, { of: 'own', number }]))
const ofTheStock: Readonly<Record<string, Quoted>> = {
  close_stk: { of: 'issuer', number: 'close' },
  pre_close_stk: { of: 'issuer', number: 'pre_close' },
  // 手 of a hundred shares.
  vol_stk: { of: 'issuer', number: 'vol', per: 100 },
  amount_stk: { of: 'issuer', number: 'amount' },
}

/** What the stock's price is of that before; without a previous close of the exchange, of the last one known. */
const stockMoved = 'coalesce(close_stk / pre_close_stk, close_stk / ref(close_stk, 1))'

const { id, label, unit, redeemed, equalWeightBenchmark: benchmark, priceDecimals: tickDecimals } = markets.cb

/** Rules of 可转债: T+0, lots of 10 张, tick 0.001 yuan, neither stamp duty nor transfer fee. */
export const convertibleBond: Market = {
  id,
  label,
  benchmark,
  fields: convertibleBondFields,
  factors: convertibleBondFactors,
  // Those of the company that issued the bond.
  reportItems: stockReportItems,
  tickDecimals,
  settlement: 0,
  redeemed,
  unit,
  volumeUnit: 10,
  roles: { size: 'remain_size', volatility: 'volatility_60', st: 'is_st_stk', adjustment: null },
  today: {
    quoted: { ...own, ...ofTheStock },
    follows: {
      // Ex-days show in the exchange's previous close; noise in the fourth digit is none (data.md 2).
      adj_factor_stk: 'r := coalesce(ref(close_stk, 1) / pre_close_stk, 1); ref(adj_factor_stk, 1) * if(abs(r - 1) > 0.0005, r, 1)',
      ...Object.fromEntries(['total_mv', 'circ_mv', 'pb', 'pe_ttm', 'ps_ttm'].map((key) => [key, `ref(${key}, 1) * ${stockMoved}`])),
      dv_ratio: `ref(dv_ratio, 1) / ${stockMoved}`,
    },
  },
  neutralizations: [
    { key: 'size', label: labelOf(neutralizations, 'size', 'cb'), size: 'remain_size', group: null },
    { key: 'stock_size', label: labelOf(neutralizations, 'stock_size'), size: 'total_mv', group: null },
    { key: 'industry', label: labelOf(neutralizations, 'industry'), size: null, group: 'industry_1' },
  ],
  columns: [
    'close',
    'pct_chg',
    'conv_prem',
    'dblow',
    'conv_value',
    'pure_value',
    'ytm',
    'remain_size',
    'left_years',
    'amount',
    'turnover',
    'close_stk',
    'pct_chg_stk',
    'rating',
    'call_status',
  ],
  figures: [
    { key: 'median_close', label: '中位价', of: 'close', as: 'median', unit: '元' },
    { key: 'mean_close', label: '平均价', of: 'close', as: 'mean', unit: '元' },
    { key: 'mean_conv_prem', label: '平均溢价率', of: 'conv_prem', as: 'mean', unit: null },
    { key: 'median_conv_prem', label: '溢价率中位数', of: 'conv_prem', as: 'median', unit: null },
    { key: 'mean_dblow', label: '平均双低', of: 'dblow', as: 'mean', unit: '点' },
    { key: 'mean_ytm', label: '平均到期收益率', of: 'ytm', as: 'mean', unit: null },
    { key: 'near_call', label: '临近强赎', of: 'formula: redeem_remain_days >= 1 and redeem_remain_days <= 5', as: 'sum', unit: '只' },
    { key: 'share_up', label: '上涨占比', of: 'formula: pct_chg > 0', as: 'mean', unit: null },
    { key: 'traded', label: '交易数量', of: 'formula: close > 0', as: 'sum', unit: '只' },
    { key: 'share_below_100', label: '低于 100 元占比', of: 'formula: close < 100', as: 'mean', unit: null },
    { key: 'share_above_130', label: '高于 130 元占比', of: 'formula: close > 130', as: 'mean', unit: null },
    { key: 'amount', label: '成交额', of: 'formula: amount / 10000', as: 'sum', unit: '亿元' },
  ],
  binMeans: ['close', 'conv_prem'],
  groupings: [
    { dimension: 'industry', label: '行业', attributes: ['industry_1', 'industry'] },
    { dimension: 'rating', label: '评级', of: 'rating' },
    { dimension: 'price', label: '价格带', of: 'close', edges: [90, 100, 110, 120, 130, 150] },
    { dimension: 'premium', label: '溢价带', of: 'conv_prem', edges: [0, 0.1, 0.2, 0.3, 0.5, 1], percent: true },
    { dimension: 'size', label: '剩余规模（亿元）', of: 'remain_size', edges: [1, 3, 5, 10, 30] },
  ],
  lot: () => ({ min: 10, step: 10 }),
  limitRates: (_security, date, listedDays) => limitRates(date, listedDays),
  limits: (_security, date, listedDays, previousClose) => pricesAt(limitRates(date, listedDays), previousClose, 3),
  fees: () => ({ stampSell: 0, transfer: 0 }),
}

function limitRates(date: string, listedDays: number): LimitRates | null {
  const rates = inForce(daily, date)
  return rates !== null && listedDays === 1 ? firstDay : rates
}
