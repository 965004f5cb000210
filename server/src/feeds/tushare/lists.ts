/** What Tushare says of securities and their events: one function an api. */

import type { CallRow, ConversionPriceRow, RemainingSizeRow } from '../../db/tables/fact-value.ts'
import { addDays } from '../../market/calendar.ts'
import { couponsOf } from '../../market/import/coupons.ts'
import { standingOf } from '../../market/import/publications.ts'
import { itemColumns, itemsOf } from '../../market/import/statements.ts'
import { type Asking, FeedError, type Offers } from '../feed.ts'
import type { BondRow, NameRow, StockRow } from '../rows.ts'
import { agreedRows } from '../source/agreed.ts'
import { inBatches } from '../source/batches.ts'
import { compactDate, dateCell, nameCell, numberCell, textCell } from '../source/cell.ts'
import { isBond, isStock } from '../source/codes.ts'
import { publishedIn, type ReadStatement } from '../source/publications.ts'
import { readable } from '../source/readable.ts'
import type { TushareApi, TushareRow } from './api.ts'
import { agreedCalls, agreedPrices, agreedSizes, type PriceChange } from './events.ts'

type ListOffers = Required<
  Pick<Offers, 'calendar' | 'stock-list' | 'bond-list' | 'names' | 'calls' | 'conversion-prices' | 'remaining-sizes' | 'statements'>
>

const code = (row: TushareRow): string => String(row('ts_code'))
const text = (row: TushareRow, column: string): string | null => textCell(row(column))
const date = (row: TushareRow, column: string): string | null => dateCell(row(column), `${code(row)} 的 ${column}`)
const number = (row: TushareRow, column: string): number => numberCell(row(column), `${code(row)} 的 ${column}`)

/** 亿元; 0 is not told yet. */
const size = (row: TushareRow, column: string): number => {
  const value = number(row, column) / 1e8
  return value > 0 ? value : Number.NaN
}

export function tushareLists(call: TushareApi): ListOffers {
  const shares = (codes: readonly string[], asking: Parameters<ListOffers['remaining-sizes']>[1]) =>
    each(codes, (one) =>
      call('cb_share', { ts_code: one }, ['ts_code', 'publish_date', 'end_date', 'convert_price', 'remain_size'], asking),
    )
  const daysOf = async (exchange: string, from: string, to: string, asking: Asking) => {
    const params = { exchange, start_date: compactDate(from), end_date: compactDate(to) }
    const rows = await call('trade_cal', params, ['cal_date', 'is_open'], asking)
    return rows
      .map((row) => ({ date: dateCell(row('cal_date'), 'cal_date') ?? '', open: numberCell(row('is_open'), 'is_open') === 1 }))
      .filter((day) => day.date >= from && day.date <= to)
      .sort(by((day) => day.date))
  }
  return {
    // Both exchanges are closed on the same days, but one may be published before the other: the answer has the days that both have.
    calendar: async ({ from, to }, asking) => {
      const [shanghai = [], shenzhen = []] = await Promise.all(['SSE', 'SZSE'].map((exchange) => daysOf(exchange, from, to, asking)))
      const openOn = new Map(shenzhen.map(({ date, open }) => [date, open]))
      const other = shanghai.find(({ date, open }) => openOn.has(date) && openOn.get(date) !== open)
      if (other) throw new FeedError('shape', `Tushare 给出的沪深交易日历在 ${other.date} 不一致`)
      return shanghai.filter(({ date }) => openOn.has(date))
    },

    // Asked without a status it answers the listed only: a market of survivors.
    'stock-list': async (_, asking) => {
      const fields = ['ts_code', 'name', 'industry', 'list_date', 'delist_date', 'list_status']
      const rows = await each(['L', 'D', 'P'], (status) => call('stock_basic', { list_status: status }, fields, asking))
      const read = readable(
        rows.filter((row) => isStock(code(row))),
        (row) => [stockRow(row)],
        asking,
      )
      return agreedRows(read, asking).map((row) => ({ ...row, name: row.name ?? row.code }))
    },

    'bond-list': async (_, asking) => {
      const rows = await call('cb_basic', {}, bondFields, asking)
      const ours = rows.filter((row) => isBond(code(row)) && text(row, 'cb_type') !== 'EB')
      const read = readable(ours, (row) => [bondRow(row)], asking)
      return agreedRows(read, asking).map((row) => ({ ...row, name: row.name ?? row.code, stockCode: row.stockCode ?? '' }))
    },

    names: async ({ codes, from, to }, asking) => {
      const fields = ['ts_code', 'name', 'start_date', 'end_date', 'ann_date']
      // Its start and end are of announcements.
      const announced = { ...(from && { start_date: compactDate(from) }), ...(to && { end_date: compactDate(to) }) }
      const rows = codes
        ? await each(codes, (one) => call('namechange', { ts_code: one, ...announced }, fields, asking))
        : await call('namechange', announced, fields, asking)
      // Of two changes on one day the one that lasts is the later one, whatever their order in the answer.
      return unlikeNames(readable(rows, nameRow, asking)).sort(by(({ code, from, to }) => `${code} ${from} ${to ?? '9'}`))
    },

    calls: async ({ from, to }, asking) => {
      const params = { start_date: compactDate(from), end_date: compactDate(to) }
      const fields = ['ts_code', 'is_call', 'ann_date', 'call_date', 'call_price', 'call_reg_date', 'payment_date']
      const rows = await call('cb_call', params, fields, asking)
      const ours = rows.filter((row) => isBond(code(row)))
      const said = readable(ours, callRow, asking).filter((row) => row.announced >= from && row.announced <= to)
      return agreedCalls(said, asking).sort(by((row) => `${row.announced} ${row.code}`))
    },

    'conversion-prices': async ({ codes }, asking) => {
      const fields = ['ts_code', 'publish_date', 'change_date', 'convert_price_initial', 'convertprice_bef', 'convertprice_aft']
      try {
        const rows = await each(chunks(codes, 50), (some) => call('cb_price_chg', { ts_code: some.join(',') }, fields, asking))
        return agreedPrices(readable(rows, priceRow, asking), asking).sort(by(({ code, effective }) => `${code} ${effective}`))
      } catch (error) {
        // A right of its own that points do not buy: each report of conversions carries the price in force, too.
        if (!(error instanceof FeedError) || error.kind !== 'permission') throw error
        return changesOf(agreedPrices(readable(await shares(codes, asking), priceInReport, asking), asking))
      }
    },

    'remaining-sizes': async ({ codes }, asking) => {
      const rows = await shares(codes, asking)
      return agreedSizes(readable(rows, sizeRow, asking), asking).sort(by((row) => `${row.code} ${row.announced} ${row.asOf}`))
    },

    statements: async ({ from, to, codes }, asking) => {
      const ask = (api: string, params: Readonly<Record<string, string>>, vip = '') =>
        call(`${api}${vip}`, params, ['ts_code', 'ann_date', 'end_date', ...statementTables[api]!], asking)
      const tables = Object.keys(statementTables)
      const window = { start_date: compactDate(from), end_date: compactDate(to) }
      const ofEach = async (some: readonly string[]) => {
        // Each table has a limit of its own: they are asked side by side.
        const ofOne = ([one = '']: readonly string[]) => Promise.all(tables.map((api) => ask(api, { ts_code: one, ...window })))
        return (await inBatches(some, { codes: 1, atOnce: 4 }, ofOne)).flat()
      }
      const days = daysFrom(from, to).map(compactDate)
      let rows: readonly TushareRow[]
      if (codes) rows = await ofEach(codes)
      else {
        try {
          // All companies of a day at once, which takes an account with enough points. The indicators do not know the day of a correction.
          const questions = days.flatMap((day) => tables.map((api) => [api, day] as const))
          rows = await each(questions, ([api, day]) => ask(api, { [api === indicators ? 'ann_date' : 'f_ann_date']: day }, '_vip'))
        } catch (error) {
          if (!(error instanceof FeedError) || error.kind !== 'permission') throw error
          const who = await each(days, (day) => call('disclosure_date', { actual_date: day }, ['ts_code', 'actual_date'], asking))
          rows = await ofEach([...new Set(who.map(code))].sort())
        }
      }
      const found = readable(rows, statementRow, asking).filter(
        ({ code: of, announced }) => isStock(of) && (announced === null || (announced >= from && announced <= to)),
      )
      return publishedIn(found, asking)
    },
  }
}

/** It gives some changes twice. */
const unlikeNames = (rows: readonly NameRow[]): NameRow[] => [
  ...new Map(rows.map((row) => [`${row.code} ${row.from} ${row.name}`, row])).values(),
]

const stockRow = (row: TushareRow): Omit<StockRow, 'name'> & { readonly name: string | null } => ({
  code: code(row),
  name: nameCell(row('name')),
  industry: text(row, 'industry'),
  listed: date(row, 'list_date'),
  delisted: date(row, 'delist_date'),
})

// The last seven are only given when they are named.
const bondFields = [
  ...['ts_code', 'bond_short_name', 'cb_type', 'stk_code', 'stk_short_name', 'maturity', 'issue_size', 'remain_size', 'value_date'],
  ...['maturity_date', 'list_date', 'delist_date', 'conv_start_date', 'conv_end_date', 'first_conv_price', 'conv_price', 'rate_clause'],
  ...['put_clause', 'maturity_call_price', 'call_clause', 'reset_clause', 'newest_rating'],
]

function bondRow(row: TushareRow): Omit<BondRow, 'name' | 'stockCode'> & Record<'name' | 'stockCode', string | null> {
  const { yearly, filled } = couponsOf(text(row, 'rate_clause'), number(row, 'maturity'), date(row, 'value_date'))
  const said = yearly.slice(0, yearly.length - filled)
  return {
    code: code(row),
    name: nameCell(row('bond_short_name')),
    stockCode: text(row, 'stk_code'),
    stockName: nameCell(row('stk_short_name')),
    listed: date(row, 'list_date'),
    delisted: date(row, 'delist_date'),
    valueDate: date(row, 'value_date'),
    maturityDate: date(row, 'maturity_date'),
    conversionStart: date(row, 'conv_start_date'),
    conversionEnd: date(row, 'conv_end_date'),
    issueSize: size(row, 'issue_size'),
    remainSize: size(row, 'remain_size'),
    conversionPrice: number(row, 'conv_price'),
    firstConversionPrice: number(row, 'first_conv_price'),
    coupons: said.map((percent) => percent && percent / 100),
    maturityPrice: maturityPriceIn(text(row, 'maturity_call_price'), filled === 0 ? (said.at(-1) ?? null) : null),
    rating: text(row, 'newest_rating'),
    clauses: { redeem: text(row, 'call_clause'), put: text(row, 'put_clause'), reset: text(row, 'reset_clause') },
  }
}

/**
 * What is paid at maturity per 100 of face, out of a number or of words with `110元` or `面值的110%` in them. Words that leave the last coupon
 * out have it added. NaN: they do not say.
 * @param last the last coupon in per cent of face; null = not known
 */
function maturityPriceIn(words: string | null, last: number | null): number {
  const found = /^\s*(\d{2,3}(?:\.\d+)?)|(\d{2,3}(?:\.\d+)?)\s*元|(1\d\d(?:\.\d+)?)\s*[%％]/.exec(words ?? '')
  const said = found ? Number(found[1] ?? found[2] ?? found[3]) : Number.NaN
  return /不含[^，。；;）)]*利息/.test(words ?? '') ? said + (last ?? Number.NaN) : said
}

function nameRow(row: TushareRow): NameRow[] {
  const [name, from] = [nameCell(row('name')), date(row, 'start_date')]
  return name && from ? [{ code: code(row), name, from, to: date(row, 'end_date'), announced: date(row, 'ann_date') }] : []
}

/** Old rows say 公告强赎 for what is now 公告实施强赎. */
const callStatus: Readonly<Record<string, CallRow['status']>> = {
  已满足强赎条件: 'met',
  公告提示强赎: 'will_call',
  公告实施强赎: 'called',
  公告强赎: 'called',
  公告到期赎回: 'matures',
  公告不强赎: 'will_not_call',
}

function callRow(row: TushareRow): CallRow[] {
  const [announced, words] = [date(row, 'ann_date'), text(row, 'is_call')]
  if (announced === null || words === null) return []
  const status = callStatus[words]
  if (!status) throw new FeedError('shape', `Tushare 的赎回状态“${words.slice(0, 20)}”不是已知的（${code(row)}）`)
  const [callDate, registerDate, paymentDate] = [date(row, 'call_date'), date(row, 'call_reg_date'), date(row, 'payment_date')]
  return [
    {
      code: code(row),
      announced,
      status,
      callDate,
      price: number(row, 'call_price'),
      registerDate,
      ...(paymentDate !== null && { paymentDate }),
    },
  ]
}

function priceRow(row: TushareRow): PriceChange[] {
  const effective = date(row, 'change_date')
  // The first row of a bond is its issue: it has no price before and after.
  const after = number(row, 'convertprice_aft')
  const price = after === after ? after : number(row, 'convert_price_initial')
  const before = number(row, 'convertprice_bef')
  return effective && price > 0 ? [{ code: code(row), announced: date(row, 'publish_date'), effective, price, before }] : []
}

function priceInReport(row: TushareRow): PriceChange[] {
  const [effective, price] = [date(row, 'end_date'), number(row, 'convert_price')]
  const announced = date(row, 'publish_date')
  return effective && price > 0 ? [{ code: code(row), announced, effective, price, before: Number.NaN }] : []
}

/** Of reports that each say the price in force, those with another one than the report before. */
function changesOf(reports: readonly ConversionPriceRow[]): ConversionPriceRow[] {
  const found = reports.toSorted(by(({ code, effective }) => `${code} ${effective}`))
  return found.filter((row, i) => found[i - 1]?.code !== row.code || found[i - 1]?.price !== row.price)
}

/** Known from the day of publication: what has none is known on no day. */
function sizeRow(row: TushareRow): RemainingSizeRow[] {
  const [announced, asOf, size] = [date(row, 'publish_date'), date(row, 'end_date'), number(row, 'remain_size') / 1e8]
  // A size of 0 is one that is not told.
  return announced && asOf && size > 0 ? [{ code: code(row), announced, asOf, size }] : []
}

const items = (...columns: string[]) => columns.filter((column) => itemColumns.has(column))
/** What is read of the four tables; the items are those of imports. */
const statementTables: Readonly<Record<string, readonly string[]>> = {
  income: [
    ...['f_ann_date', 'report_type', 'update_flag'],
    ...items('revenue', 'oper_cost', 'sell_exp', 'admin_exp', 'fin_exp', 'rd_exp', 'fin_exp_int_exp'),
    ...items('operate_profit', 'total_profit', 'n_income', 'n_income_attr_p'),
  ],
  balancesheet: [
    ...['f_ann_date', 'report_type', 'update_flag'],
    ...items('total_assets', 'total_liab', 'total_hldr_eqy_exc_min_int', 'money_cap', 'accounts_receiv', 'inventories', 'goodwill'),
    ...items('total_cur_assets', 'total_cur_liab', 'st_borr', 'lt_borr', 'bond_payable', 'non_cur_liab_due_1y', 'total_share'),
  ],
  cashflow: [
    ...['f_ann_date', 'report_type', 'update_flag'],
    ...items('n_cashflow_act', 'depr_fa_coga_dpba', 'amort_intang_assets', 'lt_amort_deferred_exp'),
  ],
  fina_indicator: ['update_flag', ...items('profit_dedt')],
}
const indicators = 'fina_indicator'

function daysFrom(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

function statementRow(row: TushareRow): ReadStatement[] {
  const flag = text(row, 'update_flag')
  const standing = standingOf(number(row, 'report_type'), flag)
  if (standing === null) throw new FeedError('shape', `${code(row)} 的 update_flag 应是数字，却是“${String(flag).slice(0, 20)}”`)
  if (standing === 'other') return []
  const [period, announced] = [date(row, 'end_date'), date(row, 'f_ann_date') ?? date(row, 'ann_date')]
  const found = itemsOf((column) => {
    const value = number(row, column)
    return value === value ? value : null
  })
  // Tables have rows of nothing but empty cells; what has numbers and no day is for the checks to tell.
  return Object.keys(found).length > 0 ? [{ code: code(row), announced, period, items: found, standing }] : []
}

async function each<T>(questions: readonly T[], ask: (question: T) => Promise<TushareRow[]>): Promise<TushareRow[]> {
  const rows: TushareRow[] = []
  for (const question of questions) for (const row of await ask(question)) rows.push(row)
  return rows
}

function chunks(list: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

const by =
  <T>(key: (row: T) => string) =>
  (a: T, b: T): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
