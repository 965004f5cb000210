import { z } from 'zod'
import { feedLabels } from '../config/feeds.ts'
import type { CallRow } from '../db/tables/fact-value.ts'
import { daysBetween } from '../market/calendar.ts'
import { couponsByYear } from '../market/import/coupons.ts'
import { type Asking, type Feed, FeedError } from './feed.ts'
import { requestBudget, roundAt } from './round-hours.ts'
import type { BondRow } from './rows.ts'
import { codeCell, compactDate, dateCell, nameCell, numberCell, textCell } from './source/cell.ts'
import { isBond, isStock, secid } from './source/codes.ts'
import { dayTable, readings, type SourceRow, tradedOnly } from './source/columns.ts'
import type { FeedDeps } from './source/feed-deps.ts'
import { type QuoteRow, quotesOf } from './source/quotes.ts'
import { mayBeUnread, readable, unreadText } from './source/readable.ts'
import { jsonOf, type Transport } from './source/transport.ts'
import { withVolumes } from './source/volume.ts'

export interface EastmoneySettings {
  /** Hosts of the same lists, asked in turn: any of them may be shut to an address. */
  readonly listUrls: readonly string[]
  readonly historyUrl: string
  readonly dataUrl: string
}

type Cells = Readonly<Record<string, unknown>>

const label = feedLabels.eastmoney
const referer = { referer: 'https://quote.eastmoney.com/' }
/** It answers at most a hundred, whatever is asked. */
const page = 100
const mostPages = 300
/** One a second: Eastmoney blocks faster clients. */
const limits = [{ calls: 1, inMs: 1_000 }]
/** Bars are asked for one security at a time. */
const mostBarsARound = 400
/** Constants of its own pages. */
const [listKey, historyKey] = ['bd1d9ddb04089700cf9c27f6f7426281', '7eea3edcaed734bea9cbfc24409ed989']
const bondList = 'b:MK0354'
const stockList = 'm:0 t:6,m:0 t:80,m:1 t:2,m:1 t:23,m:0 t:81 s:2048'

/** f124 is the time of a row, in seconds. Volumes are settled by the amount. */
const quoteTable = readings('cb', {
  close: 'f2',
  vol: 'f5',
  amount: { column: 'f6', unit: '元' },
  high: 'f15',
  low: 'f16',
  open: 'f17',
  pre_close: 'f18',
  pure_value: 'f227',
  close_stk: 'f229',
  conv_price: 'f235',
  conv_value: 'f236',
  conv_prem: { column: 'f237', unit: '%' },
})

/** A bar is a line of parts: date, open, close, high, low, volume, amount, amplitude, change in percent, change, turnover. */
const barTable = readings('cb', {
  open: '1',
  close: '2',
  high: '3',
  low: '4',
  vol: '5',
  amount: { column: '6', unit: '元' },
  pre_close: 'before',
})
const indexTable = readings('index', { open: '1', close: '2', high: '3', low: '4' })

const Listed = z.record(z.string(), z.unknown())
const List = z.object({
  rc: z.number().nullish(),
  data: z.object({ total: z.number(), diff: z.union([z.array(Listed), z.record(z.string(), Listed)]) }).nullable(),
})
const Bars = z.object({ data: z.object({ klines: z.array(z.string()) }).nullable() })
const Report = z.object({
  success: z.boolean(),
  message: z.string().nullish(),
  result: z.object({ pages: z.number(), count: z.number().nullish(), data: z.array(Listed) }).nullable(),
})

/** Eastmoney's public pages: lists of quotes, bars of one security, terms of bonds (providers.md 2). */
export function eastmoney(settings: EastmoneySettings, ask: Transport, deps: FeedDeps): Feed {
  const rowsOf = async (filter: string, asking: Asking): Promise<QuoteRow[]> => {
    const rows = new Map<string, QuoteRow>()
    const seen = new Set<string>()
    for (let number = 1, total = 1; seen.size < total; number++) {
      if (number > mostPages) throw new FeedError('shape', `${label}的列表没有尽头`)
      const query = new URLSearchParams({ pn: String(number), pz: String(page), po: '1', np: '1', ut: listKey, fltt: '2', invt: '2' })
      for (const [key, value] of [
        ['fid', 'f12'],
        ['fs', filter],
        ['fields', listFields],
      ] as const)
        query.set(key, value)
      const found = await ask(
        {
          label,
          what: `eastmoney clist fs=${filter} pn=${number}`,
          urls: settings.listUrls.map((url) => `${url}/api/qt/clist/get?${query}`),
          headers: referer,
          counted: { key: 'eastmoney', limits },
        },
        (bytes) => readList(bytes, number, asking),
        asking,
      )
      const before = seen.size
      for (const name of found.names) seen.add(name)
      // A page of rows that were there already: some have moved over a border, and others are on no page.
      if (found.total !== null) total = found.total
      if (number > 1 && seen.size === before && seen.size < total)
        throw new FeedError('shape', `${label}的列表共 ${total} 行，只给出 ${seen.size} 行`)
      // While pages are read rows move over their borders: the later one is the newer.
      for (const row of found.rows) rows.set(row.code, row)
    }
    return [...rows.values()]
  }

  const budget = requestBudget(mostBarsARound, deps.now)
  const barsOf = async (code: string, date: string, asking: Asking) => {
    const day = compactDate(date)
    const query = new URLSearchParams({ secid: secid(code), klt: '101', fqt: '0', beg: day, end: day, ut: historyKey })
    query.set('fields1', 'f1,f2,f3,f4,f5,f6')
    query.set('fields2', 'f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61')
    return await ask(
      {
        label,
        what: `eastmoney kline secid=${secid(code)} beg=${day} end=${day}`,
        urls: [`${settings.historyUrl}/api/qt/stock/kline/get?${query}`],
        headers: referer,
        counted: { key: 'eastmoney', limits, budget },
      },
      (bytes) => readBars(bytes, code, date),
      asking,
    )
  }

  /** Bars that came in a round are not asked for again in it: a day that waits for something else is tried every five minutes. */
  const known = { round: Number.NaN, bars: new Map<string, readonly SourceRow[]>() }
  const barsOnce = async (code: string, date: string, asking: Asking): Promise<readonly SourceRow[]> => {
    const round = roundAt(deps.now()).began
    if (round !== known.round) Object.assign(known, { round, bars: new Map() })
    const key = `${code} ${date}`
    const found = known.bars.get(key) ?? (await barsOf(code, date, asking))
    if (found.length > 0) known.bars.set(key, found)
    return found
  }
  /** Securities beyond the calls of the round, and bars that cannot be parsed, are reported and left out of the answer. */
  const bars = async (codes: readonly string[], date: string, asking: Asking) => {
    const rows: SourceRow[] = []
    const unread: FeedError[] = []
    const notes: string[] = []
    for (const [place, code] of codes.entries()) {
      try {
        rows.push(...(await barsOnce(code, date, asking)))
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        if (error.kind === 'wait' && place > 0) {
          notes.push(`${error.message}，还有 ${codes.length - place} 只没有询问`)
          break
        }
        if (error.kind !== 'shape' || !mayBeUnread(unread.push(error), codes.length)) throw error
      }
    }
    if (unread.length > 0) notes.push(unreadText(unread[0]!.message, unread.length))
    return { rows, more: notes.length > 0 ? { notes } : {} }
  }

  /** All rows of the report of bonds, page after page. */
  const report = async (asking: Asking): Promise<readonly Cells[]> => {
    const rows: Cells[] = []
    const seen = new Set<string>()
    let total = 0
    for (let number = 1, pages = 1; number <= Math.min(pages, mostPages); number++) {
      const request = {
        label,
        what: `eastmoney RPT_BOND_CB_LIST page=${number}`,
        urls: [`${settings.dataUrl}/api/data/v1/get?${reportQuery(number)}`],
        headers: { referer: 'https://data.eastmoney.com/' },
        counted: { key: 'eastmoney', limits },
      }
      const found = await ask(request, readReport, asking)
      rows.push(...found.rows)
      for (const name of found.names) seen.add(name)
      pages = found.pages
      total = found.total ?? total
    }
    if (seen.size < total) throw new FeedError('shape', `${label}的转债列表共 ${total} 行，只给出 ${seen.size} 行`)
    return rows
  }

  return {
    name: 'eastmoney',
    label,
    offers: {
      quotes: async ({ codes }, asking) => {
        const wanted = new Set(codes)
        const rows: QuoteRow[] = []
        if (codes.some(isBond)) rows.push(...checkedColumns(await rowsOf(bondList, asking)))
        if (codes.some(isStock)) rows.push(...(await rowsOf(stockList, asking)))
        return quotesOf(
          label,
          rows.filter(({ code }) => wanted.has(code)),
          quoteTable,
          deps,
        )
      },
      // One call a bond, one a second: some minutes for a day of all.
      'bond-day': async ({ date, codes }, asking) => {
        const bondCodes = codes?.filter(isBond) ?? (await rowsOf(bondList, asking)).map(({ code }) => code).sort()
        const { rows, more } = await bars(bondCodes, date, asking)
        return tradedOnly(withVolumes(dayTable(label, date, rows, barTable, more)))
      },
      'index-day': async ({ date, codes }, asking) => {
        const { rows, more } = await bars(codes, date, asking)
        return dayTable(label, date, rows, indexTable, more)
      },
      'bond-list': async (_, asking) => {
        const rows = readable(await report(asking), bondRow, asking)
        return [...new Map(rows.map((row) => [row.code, row])).values()].sort((a, b) => (a.code < b.code ? -1 : 1))
      },
      // The list keeps the notice of a redemption beside its bond, also of bonds that have ended.
      calls: async ({ from, to }, asking) => {
        const rows = await report(asking)
        if (!rows.some((cells) => noticeDay in cells)) throw new FeedError('shape', `${label}的转债列表没有赎回公告日一列`)
        return readable(rows, callRow, asking)
          .filter(({ announced }) => announced >= from && announced <= to)
          .sort((a, b) => (`${a.announced} ${a.code}` < `${b.announced} ${b.code}` ? -1 : 1))
      },
    },
  }
}

const listFields = ['f12', 'f13', 'f14', 'f124', ...quoteTable.map(({ column }) => column)].join(',')

function readList(bytes: Buffer, number: number, asking: Asking): { total: number | null; names: string[]; rows: QuoteRow[] } {
  const parsed = List.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedError('shape', `${label}列表的形状不是已知的`)
  const { data } = parsed.data
  // Behind the last page there is nothing.
  if (data === null && number > 1) return { total: null, names: [], rows: [] }
  // How it turns an address away; the next host may not.
  if (data === null) throw new FeedError('network', `${label}没有给出数据（可能限制了本机的访问）`)
  const lines = Object.values(data.diff)
  const rowOf = (cells: Cells): QuoteRow[] => {
    const number = String(cells['f12'] ?? '').padStart(6, '0')
    const exchange = cells['f13'] === 1 ? 'SH' : /^(4|8|92)/.test(number) ? 'BJ' : 'SZ'
    const code = `${number}.${exchange}`
    if (!isBond(code) && !isStock(code)) return []
    const seconds = numberCell(cells['f124'], `${code} 的 f124`)
    return [{ code, madeAt: seconds > 1e9 ? seconds * 1_000 : Number.NaN, cell: (column) => cells[column] }]
  }
  const names = lines.map((cells) => `${cells['f13']} ${cells['f12']}`)
  return { total: data.total, names, rows: readable(lines, rowOf, asking, mayBeUnread) }
}

/**
 * Its columns have no names and have moved before: price, value and premium must belong together, or none of them is believed.
 * @throws FeedError `shape`
 */
function checkedColumns(rows: QuoteRow[]): QuoteRow[] {
  let [known, wrong] = [0, 0]
  // A cell that cannot be parsed is reported with its row.
  const numberIn = (cells: unknown, what: string): number => {
    try {
      return numberCell(cells, what)
    } catch (error) {
      if (!(error instanceof FeedError) || error.kind !== 'shape') throw error
      return Number.NaN
    }
  }
  for (const { code, cell } of rows) {
    const [close, stock, price, value, premium] = ['f2', 'f229', 'f235', 'f236', 'f237'].map((f) => numberIn(cell(f), `${code} 的 ${f}`))
    const made = (100 / price!) * stock!
    const off = Math.max(Math.abs(made - value!) / made, Math.abs((close! / made - 1) * 100 - premium!) / 100)
    if (off !== off || off === Number.POSITIVE_INFINITY) continue
    known++
    if (off > 0.01) wrong++
  }
  if (wrong * 10 > known) throw new FeedError('shape', `${label}的转股价、转股价值与溢价率对不上，列的含义可能已改变`)
  return rows
}

function readBars(bytes: Buffer, code: string, date: string) {
  const parsed = Bars.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedError('shape', `${label}日线的形状不是已知的（${code}）`)
  return (parsed.data.data?.klines ?? []).flatMap((line) => {
    const parts = line.split(',')
    if (parts.length < 11) throw new FeedError('shape', `${label}日线的列数不对（${code}）`)
    if (parts[0] !== date) return []
    const at = (place: number) => numberCell(parts[place], `${code} 的日线第 ${place + 1} 列`)
    // Open, close, high, low: another order than everybody's, and easily taken for it.
    const [open, close, high, low] = [at(1), at(2), at(3), at(4)]
    if (Math.max(open, close) > high + 1e-9 || Math.min(open, close) < low - 1e-9)
      throw new FeedError('shape', `${label}日线的最高、最低价与开盘、收盘价对不上（${code}）`)
    const before = Math.round((close - at(9)) * 1_000) / 1_000
    return [{ code, cell: (column: string) => (column === 'before' ? before : parts[Number(column)]) }]
  })
}

const reportQuery = (number: number): string =>
  new URLSearchParams({
    reportName: 'RPT_BOND_CB_LIST',
    columns: 'ALL',
    quoteColumns: 'f235~10~SECURITY_CODE~TRANSFER_PRICE',
    // Many bonds share a day: without the code behind it their order changes from page to page, and rows are on two pages or on none.
    sortColumns: 'PUBLIC_START_DATE,SECURITY_CODE',
    sortTypes: '-1,-1',
    pageSize: '500',
    pageNumber: String(number),
    source: 'WEB',
    client: 'WEB',
  }).toString()

function readReport(bytes: Buffer): { pages: number; total: number | null; names: string[]; rows: readonly Cells[] } {
  const parsed = Report.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedError('shape', `${label}转债列表的形状不是已知的`)
  const { success, result } = parsed.data
  if (!success || result === null) throw new FeedError('network', `${label}没有给出转债列表`)
  const names = result.data.map((cells) => String(cells['SECUCODE'] ?? cells['SECURITY_CODE']))
  return { pages: result.pages, total: result.count ?? null, names, rows: result.data }
}

function bondRow(cells: Cells): BondRow[] {
  const code = codeCell(cells['SECUCODE'] ?? cells['SECURITY_CODE'], 'cb')
  if (!code || !isBond(code)) return []
  const date = (column: string) => dateCell(cells[column], `${code} 的 ${column}`)
  const number = (column: string) => numberCell(cells[column], `${code} 的 ${column}`)
  const rates = couponsByYear(String(cells['INTEREST_RATE_EXPLAIN'] ?? ''))
  return [
    {
      code,
      name: nameCell(cells['SECURITY_NAME_ABBR']) ?? code,
      stockCode: codeCell(cells['CONVERT_STOCK_CODE'], 'stk') ?? '',
      stockName: nameCell(cells['SECURITY_SHORT_NAME']),
      listed: date('LISTING_DATE'),
      delisted: date('DELIST_DATE'),
      valueDate: date('VALUE_DATE'),
      maturityDate: date('EXPIRE_DATE'),
      conversionStart: date('TRANSFER_START_DATE'),
      conversionEnd: date('TRANSFER_END_DATE'),
      issueSize: number('ACTUAL_ISSUE_SCALE'),
      remainSize: Number.NaN,
      conversionPrice: number('TRANSFER_PRICE'),
      firstConversionPrice: number('INITIAL_TRANSFER_PRICE'),
      coupons: rates.map((percent) => percent && percent / 100),
      maturityPrice: Number.NaN,
      rating: textCell(cells['RATING']),
      clauses: { redeem: textCell(cells['REDEEM_CLAUSE']), put: textCell(cells['RESALE_CLAUSE']), reset: null },
    },
  ]
}

/** The day of the notice of a redemption; SH is 赎回, HS is 回售. */
const noticeDay = 'NOTICE_DATE_SH'
/** A redemption whose notice comes within so many days of the maturity is that of the maturity. */
const maturityNoticeDays = 60

/** What it says of a redemption: the day of the notice, the price, the register day. */
function callRow(cells: Cells): CallRow[] {
  const code = codeCell(cells['SECUCODE'] ?? cells['SECURITY_CODE'], 'cb')
  if (!code || !isBond(code)) return []
  const date = (column: string) => dateCell(cells[column], `${code} 的 ${column}`)
  const [announced, price] = [date(noticeDay), numberCell(cells['EXECUTE_PRICE_SH'], `${code} 的 EXECUTE_PRICE_SH`)]
  if (announced === null || !(price > 0)) return []
  const maturity = date('EXPIRE_DATE')
  const status = maturity !== null && daysBetween(announced, maturity) <= maturityNoticeDays ? 'matures' : 'called'
  return [{ code, announced, status, callDate: null, price, registerDate: date('RECORD_DATE_SH') }]
}
