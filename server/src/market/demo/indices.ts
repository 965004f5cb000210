import type { Security } from '@convexa/engine'
import { type MarketTable, strideFor } from '../store.ts'
import type { BondMarket } from './bonds.ts'
import type { StockMarket } from './stocks.ts'

/** Indices of the demo market under the codes that templates ask for; every name says 演示. Places by market value, of 1,000 companies. */
const stockIndices = [
  { code: '000300', name: '沪深300（演示）', pinyin: 'hs300ys', from: 0, to: 0.3 },
  { code: '000905', name: '中证500（演示）', pinyin: 'zz500ys', from: 0.3, to: 0.6 },
  { code: '000852', name: '中证1000（演示）', pinyin: 'zz1000ys', from: 0.6, to: 1 },
  { code: '932000', name: '中证2000（演示）', pinyin: 'zz2000ys', from: 0.75, to: 1 },
] as const
const bondIndex = { code: '000832', name: '中证转债（演示）', pinyin: 'zzzzys' } as const
/** Members are chosen anew on the first trading day of these months. */
const reviews = ['06', '12']
const base = 1_000

/** Value-weighted index series: of companies by their place in market value, of bonds by what is left of them. Dividends are kept in. */
export function demoIndices(dates: readonly string[], stocks: StockMarket, bonds: BondMarket): MarketTable {
  const entries = [...stockIndices, bondIndex].sort((a, b) => (a.code < b.code ? -1 : 1))
  const stride = strideFor(entries.length)
  const close = new Float64Array(dates.length * stride).fill(Number.NaN)
  const listed = new Uint8Array(dates.length * stride)
  entries.forEach((entry, i) => {
    const series = 'from' in entry ? stockSeries(dates, stocks, entry.from, entry.to) : bondSeries(dates, bonds)
    for (let t = 0; t < dates.length; t++) {
      close[t * stride + i] = Math.round(series[t]! * 100) / 100
      listed[t * stride + i] = 1
    }
  })
  const securities = entries.map(
    ({ code, name, pinyin }): Security => ({
      code,
      name,
      pinyin,
      board: 'SSE_MAIN',
      listed: null,
      delisted: null,
      lastDay: null,
      lastDayKnown: null,
      redemptionPrice: null,
      issuer: code,
      attributes: {},
    }),
  )
  const columns = new Map([['close', { store: 'f64', cells: close, origin: 'model' } as const]])
  return { kind: 'index', dates, securities, stride, columns, listed, traded: listed, benchmarks: new Map() }
}

/** The members of an index by the row from which on they are: chosen at the close of that day, they count from the next. */
export function membersOf(dates: readonly string[], stocks: StockMarket, code: string): { row: number; members: readonly number[] }[] {
  const { from, to } = stockIndices.find((index) => index.code === code)!
  return dates.flatMap((_, t) => (isReview(dates, t) ? [{ row: t, members: ranked(stocks, t, from, to) }] : []))
}

const isReview = (dates: readonly string[], t: number): boolean =>
  t === 0 || (reviews.includes(dates[t]!.slice(5, 7)) && dates[t - 1]!.slice(5, 7) !== dates[t]!.slice(5, 7))

function stockSeries(dates: readonly string[], stocks: StockMarket, from: number, to: number): Float64Array {
  const { columns, stride } = stocks
  const series = new Float64Array(dates.length)
  let members: number[] = []
  for (let t = 0; t < dates.length; t++) {
    if (t === 0) series[0] = base
    else {
      let before = 0
      let now = 0
      for (const i of members) {
        const at = t * stride + i
        const weight = columns.circ_mv[at - stride]!
        if (stocks.listed[at] === 0 || !(weight > 0)) continue
        before += weight
        now += weight * (stocks.traded[at] === 1 ? columns.close[at]! / columns.pre_close[at]! : 1)
      }
      series[t] = series[t - 1]! * (before > 0 ? now / before : 1)
    }
    if (isReview(dates, t)) members = ranked(stocks, t, from, to)
  }
  return series
}

function ranked(stocks: StockMarket, t: number, from: number, to: number): number[] {
  const row = t * stocks.stride
  const all = stocks.companies.flatMap(({ index }) => (stocks.listed[row + index] === 1 ? [index] : []))
  const value = stocks.columns.total_mv
  all.sort((a, b) => value[row + b]! - value[row + a]! || a - b)
  return all.slice(Math.round(from * all.length), Math.round(to * all.length))
}

function bondSeries(dates: readonly string[], bonds: BondMarket): Float64Array {
  const { columns, stride, traded, lives } = bonds
  const series = new Float64Array(dates.length)
  series[0] = base
  const last = new Float64Array(lives.length).fill(Number.NaN)
  for (let t = 0; t < dates.length; t++) {
    let before = 0
    let now = 0
    for (let i = 0; i < lives.length; i++) {
      const at = t * stride + i
      if (traded[at] === 0) continue
      const weight = columns.remain_size[at]! * last[i]!
      if (weight > 0) {
        before += weight
        now += (weight * columns.close[at]!) / last[i]!
      }
      last[i] = columns.close[at]!
    }
    if (t > 0) series[t] = series[t - 1]! * (before > 0 ? now / before : 1)
  }
  return series
}
