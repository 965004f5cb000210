import { type Clause, ratings } from '@convexa/engine'
import type { ConversionPriceRow, RemainingSizeRow } from '../../src/db/tables/fact-value.ts'
import { type Chain, chain } from '../../src/feeds/chain.ts'
import type { Asking, Feed, Offers } from '../../src/feeds/feed.ts'
import type { BondRow, DayTable, NameRow, StockRow } from '../../src/feeds/rows.ts'
import type { MarketTable } from '../../src/market/store.ts'

/** A source that answers what a test says, under the name of one that is asked for everything. */
export const scriptedFeed = (offers: Offers): Feed => ({ name: 'tushare', label: '脚本', offers })

export const scriptedChain = (offers: Offers): Chain => chain([scriptedFeed(offers)], () => 0)

/** Fields that are worked out at ingestion: a source that gives bars alone has none of them. */
const bars = new Set(['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount', 'adj_factor', 'total_mv', 'circ_mv', 'pe_ttm', 'pb'])

/** The rows of a table on a day, as a source of bars would give them. */
function tableOn(table: MarketTable, date: string, fields: ReadonlySet<string> = bars): DayTable {
  const t = table.dates.indexOf(date)
  if (t < 0) return { date, codes: [], columns: new Map() }
  const at = (i: number) => t * table.stride + i
  const places = table.securities.flatMap((_, i) => (table.traded[at(i)] === 1 ? [i] : []))
  return {
    date,
    codes: places.map((i) => table.securities[i]!.code),
    columns: new Map(
      [...table.columns]
        .filter(([key]) => fields.has(key))
        .map(([key, { cells }]) => [key, Float64Array.from(places, (i) => cells[at(i)]!)]),
    ),
    suspended: table.securities.flatMap(({ code }, i) => (table.listed[at(i)] === 1 && table.traded[at(i)] === 0 ? [code] : [])),
  }
}

/** A source that knows a demo market and tells of it what is public on a day. */
export function marketFeed(
  tables: { stk: MarketTable; cb: MarketTable; index?: MarketTable },
  today: () => string,
): Required<
  Pick<
    Offers,
    'stock-day' | 'bond-day' | 'stock-list' | 'bond-list' | 'calls' | 'conversion-prices' | 'remaining-sizes' | 'index-day' | 'names'
  >
> {
  const { stk, cb, index } = tables
  const day =
    (table: MarketTable) =>
    async (ask: { date: string }, { keep }: Asking) => {
      const answer = tableOn(table, ask.date)
      keep?.({ what: `file ${table.kind} ${ask.date}`, bytes: Buffer.from(answer.codes.join()) })
      return answer
    }
  const isPublic = (listed: string | null) => listed === null || listed <= today()
  const changes = <R>(code: string, key: string, make: (code: string, date: string, value: number) => R): R[] => {
    const i = cb.securities.findIndex((each) => each.code === code)
    const { cells } = cb.columns.get(key)!
    const found: R[] = []
    let before = Number.NaN
    for (let t = 0; t < cb.dates.length && cb.dates[t]! <= today(); t++) {
      const value = cells[t * cb.stride + i]!
      if (cb.listed[t * cb.stride + i] === 0 || value !== value || value === before) continue
      found.push(make(code, cb.dates[t]!, value))
      before = value
    }
    return found
  }
  return {
    'stock-day': day(stk),
    'bond-day': day(cb),
    'index-day': index ? day(index) : async ({ date }) => ({ date, codes: [], columns: new Map() }),
    'stock-list': async () =>
      stk.securities
        .filter(({ listed }) => isPublic(listed))
        .map(({ code, name, listed, delisted }): StockRow => ({ code, name, industry: null, listed, delisted: past(delisted, today()) })),
    'bond-list': async () =>
      cb.securities
        .filter(({ listed }) => isPublic(listed))
        .map((security, i): BondRow => {
          const { code, name, stockCode = '', stockName = null, listed, delisted, terms } = security
          const t = cb.dates.indexOf(today())
          const rating = ratings[cb.columns.get('rating')?.cells[t * cb.stride + i] ?? -1] ?? null
          return {
            code,
            name,
            stockCode,
            stockName,
            listed,
            delisted: past(delisted, today()),
            valueDate: terms?.valueDate ?? null,
            maturityDate: terms?.maturityDate ?? null,
            conversionStart: terms?.conversionStart ?? null,
            conversionEnd: terms?.conversionEnd ?? null,
            issueSize: terms?.issueSize ?? Number.NaN,
            remainSize: Number.NaN,
            conversionPrice: Number.NaN,
            firstConversionPrice: Number.NaN,
            coupons: terms?.coupons.map((coupon) => coupon && coupon / 100) ?? [],
            maturityPrice: terms?.maturityPrice ?? Number.NaN,
            rating,
            clauses: {
              redeem: wordsOf('如果公司股票', terms?.redeem, '不低于'),
              put: wordsOf('在最后两个计息年度，如果公司股票', terms?.put, '低于'),
              reset: wordsOf('当公司股票', terms?.reset, '低于'),
            },
          }
        }),
    names: async ({ from = '', to = '9999-12-31' }) =>
      stk.securities.flatMap(({ code, name }, i) => {
        const flags = stk.columns.get('is_st')?.cells
        const found: NameRow[] = []
        let before: number | null = null
        for (let t = 0; t < stk.dates.length && stk.dates[t]! <= today(); t++) {
          const flag = flags?.[t * stk.stride + i] ?? Number.NaN
          if (flag !== flag || flag === before) continue
          const plain = name.replace(/^\*?ST/, '')
          const day = stk.dates[t]!
          found.push({ code, name: flag === 1 ? `ST${plain}` : plain, from: day, to: null, announced: day })
          before = flag
        }
        return found.filter(({ announced }) => announced !== null && announced >= from && announced <= to)
      }),
    calls: async ({ from, to }) =>
      cb.securities.flatMap(({ code, announcements = [] }) =>
        announcements
          .filter(({ kind, date }) => kind === 'redeem' && date >= from && date <= to)
          .map(({ date, price }) => ({
            code,
            announced: date,
            status: 'called' as const,
            callDate: null,
            price: price ?? Number.NaN,
            registerDate: null,
          })),
      ),
    'conversion-prices': async ({ codes }) =>
      codes.flatMap((code) =>
        changes(code, 'conv_price', (_, effective, price): ConversionPriceRow => ({ code, announced: effective, effective, price })),
      ),
    'remaining-sizes': async ({ codes }) =>
      codes.flatMap((code) => changes(code, 'remain_size', (_, asOf, size): RemainingSizeRow => ({ code, announced: asOf, asOf, size }))),
  }
}

/** What is over by now. */
const past = (date: string | null, today: string): string | null => (date !== null && date <= today ? date : null)

/** A clause as a prospectus words it. */
const wordsOf = (when: string, clause: Clause | null | undefined, side: string): string | null =>
  clause
    ? `${when}在任何连续${clause.window}个交易日中至少${clause.days}个交易日的收盘价格${side}当期转股价格的${Number((clause.trigger * 100).toFixed(6))}%`
    : null
