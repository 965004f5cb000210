import type { Board } from '@convexa/contract'
import { boards as boardRows } from '@convexa/contract/enums/board'
import { markets } from '@convexa/contract/enums/market'
import { neutralizations } from '@convexa/contract/enums/neutralization'
import { labelOf } from '@convexa/contract/enums/table'
import { type Dated, from, inForce, usualRules } from '../base/dated-rules.ts'
import type { Security } from '../panel/panel.ts'
import { type LimitRates, type Market, pricesAt, type Quoted, quoteNumbers } from './market.ts'
import { stockFactors } from './stock.factors.ts'
import { stockFields } from './stock.fields.ts'
import { stockReportItems } from './stock.statement-items.ts'

interface BoardRules {
  readonly lot: { readonly min: number; readonly step: number }
  /** Daily limits of a day, and of ST securities; null = there were none. */
  readonly limit: readonly Dated<{ readonly usual: LimitRates; readonly st: LimitRates } | null>[]
  /** ST securities have the usual limits from `TradingRules.stLimitFrom` on. */
  readonly stFollows?: true
  /** Of a new listing, by listing day: how many days without a limit, or the limits of its first day around the issue price. */
  readonly debut: readonly Dated<{ readonly freeDays: number; readonly first?: LimitRates }>[]
}

const both = (rate: number): LimitRates => ({ up: rate, down: rate })
const [five, ten, twenty, thirty] = [both(0.05), both(0.1), both(0.2), both(0.3)] as const

/** 新股首日 +44 % / −36 %: both exchanges, 2014-06-13. */
const oldDebut = { freeDays: 0, first: { up: 0.44, down: 0.36 } }

const mainBoard: BoardRules = {
  lot: { min: 100, step: 100 },
  // Both exchanges have had limits since 1996-12-16.
  limit: [from('', null), from('1996-12-16', { usual: ten, st: five })],
  stFollows: true,
  // Registration system of the main boards: first listings 2023-04-10.
  debut: [from('', { freeDays: 1 }), from('2014-06-13', oldDebut), from('2023-04-10', { freeDays: 5 })],
}

const boards: Readonly<Record<Board, BoardRules>> = {
  SSE_MAIN: mainBoard,
  SZSE_MAIN: mainBoard,
  // ChiNext reform, 2020-08-24: ±20 %, five days without a limit; ST the same as the others.
  CHINEXT: {
    lot: mainBoard.lot,
    limit: [from('', { usual: ten, st: five }), from('2020-08-24', { usual: twenty, st: twenty })],
    debut: [from('', { freeDays: 1 }), from('2014-06-13', oldDebut), from('2020-08-24', { freeDays: 5 })],
  },
  // STAR market since 2019-07-22; orders from 200 shares in steps of 1.
  STAR: {
    lot: { min: 200, step: 1 },
    limit: [from('', { usual: twenty, st: twenty })],
    debut: [from('', { freeDays: 5 })],
  },
  // Beijing exchange since 2021-11-15; orders from 100 shares in steps of 1.
  BSE: {
    lot: { min: 100, step: 1 },
    limit: [from('', { usual: thirty, st: thirty })],
    debut: [from('', { freeDays: 1 })],
  },
}

/** 证券交易印花税, sellers only: 财政部 税务总局公告2023年第39号 halved it from 2023-08-28. */
const stampDuty = [from('', 0.001), from('2023-08-28', 0.0005)]
/** 过户费, both sides: 中国结算 lowered it from 2022-04-29; the Beijing exchange had its own rate before. */
const transferFee = [from('', 0.00002), from('2022-04-29', 0.00001)]
const transferFeeBeijing = [from('', 0.000025), from('2022-04-29', 0.00001)]

/** What the price is of that before; without a previous close of the exchange, of the last one known. */
const moved = 'coalesce(close / pre_close, close / ref(close, 1))'

const { id, label, unit, redeemed, equalWeightBenchmark: benchmark, priceDecimals: tickDecimals } = markets.stk

/** Rules of A shares: T+1, tick 0.01 yuan, lots and limits by board and date. */
export const stock: Market = {
  id,
  label,
  benchmark,
  fields: stockFields,
  factors: stockFactors,
  reportItems: stockReportItems,
  tickDecimals,
  settlement: 1,
  redeemed,
  unit,
  volumeUnit: 1,
  roles: { size: 'total_mv', volatility: 'volatility_60', st: 'is_st', adjustment: 'adj_factor' },
  today: {
    quoted: Object.fromEntries(quoteNumbers.map((number): [string, Quoted] => [number, { of: 'own', number }])),
    follows: {
      // Ex-days show in the exchange's previous close; noise in the fourth digit is none (data.md 2).
      adj_factor: 'r := coalesce(ref(close, 1) / pre_close, 1); ref(adj_factor, 1) * if(abs(r - 1) > 0.0005, r, 1)',
      turnover: 'vol * pre_close / (ref(circ_mv, 1) * 100000000)',
      ...Object.fromEntries(
        ['total_mv', 'circ_mv', 'pe', 'pe_ttm', 'pb', 'ps_ttm', 'pcf_ttm'].map((key) => [key, `ref(${key}, 1) * ${moved}`]),
      ),
      ...Object.fromEntries(['dv_ratio', 'dv_ttm'].map((key) => [key, `ref(${key}, 1) / ${moved}`])),
    },
  },
  neutralizations: [
    { key: 'size', label: labelOf(neutralizations, 'size', 'stk'), size: 'total_mv', group: null },
    { key: 'industry', label: labelOf(neutralizations, 'industry'), size: null, group: 'industry_1' },
    { key: 'size_industry', label: labelOf(neutralizations, 'size_industry'), size: 'total_mv', group: 'industry_1' },
  ],
  columns: ['close', 'pct_chg', 'total_mv', 'circ_mv', 'pe_ttm', 'pb', 'roe_ttm', 'dv_ratio', 'pct_chg_20', 'turnover', 'amount', 'is_st'],
  figures: [
    { key: 'median_pct_chg', label: '涨跌幅中位数', of: 'pct_chg', as: 'median', unit: null },
    { key: 'share_up', label: '上涨占比', of: 'formula: pct_chg > 0', as: 'mean', unit: null },
    { key: 'median_pe_ttm', label: '市盈率中位数', of: 'pe_ttm', as: 'median', unit: '倍' },
    { key: 'amount', label: '成交额', of: 'formula: amount / 10000', as: 'sum', unit: '亿元' },
  ],
  binMeans: [],
  groupings: [
    { dimension: 'industry', label: '行业', attributes: ['industry_1', 'industry'] },
    { dimension: 'size', label: '总市值（亿元）', of: 'total_mv', edges: [30, 50, 100, 300, 1_000] },
    { dimension: 'price', label: '价格带', of: 'close', edges: [5, 10, 20, 50, 100] },
    { dimension: 'valuation', label: '市净率', of: 'pb', edges: [1, 2, 3, 5, 10] },
  ],
  lot: (security) => boards[security.board].lot,
  limitRates,
  limits: (security, date, listedDays, previousClose, st) => pricesAt(limitRates(security, date, listedDays, st), previousClose, 2),
  fees: (security, date) => ({
    stampSell: inForce(stampDuty, date),
    transfer: inForce(boardRows[security.board].exchange === 'BSE' ? transferFeeBeijing : transferFee, date),
  }),
}

function limitRates(security: Security, date: string, listedDays: number, st: boolean, { stLimitFrom } = usualRules): LimitRates | null {
  const rules = boards[security.board]
  const debut = inForce(rules.debut, security.listed ?? date)
  if (listedDays <= debut.freeDays) return null
  if (listedDays === 1 && debut.first) return debut.first
  const limit = inForce(rules.limit, date)
  if (limit === null) return null
  const isAsOthers = rules.stFollows === true && stLimitFrom !== null && date >= stLimitFrom
  return st && !isAsOthers ? limit.st : limit.usual
}
