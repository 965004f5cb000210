import { feedLabels } from '../../config/feeds.ts'
import { type Asking, type Feed, FeedError } from '../feed.ts'
import { requestBudget } from '../round-hours.ts'
import type { ExDayRow, StockRow } from '../rows.ts'
import { codeCell, dateCell, nameCell, numberCell } from '../source/cell.ts'
import { dotted, isStock } from '../source/codes.ts'
import { dayTable, readings, type SourceRow, tradedOnly } from '../source/columns.ts'
import type { FeedDeps } from '../source/feed-deps.ts'
import { readable } from '../source/readable.ts'
import { spent } from '../source/transport.ts'
import { type MessageType, message, messageTypes, partsOf, type Wire, wire } from './wire.ts'

export interface BaostockSettings {
  readonly host: string
  readonly port: number
  readonly timeoutMs?: number
}

const label = feedLabels.baostock
const page = 2_000
const mostPages = 200
/** Place of an answer's part. */
const pageLength = 5
const backOffMs = [500, 2_000, 8_000]
/** Logins of a round: one, and one more for each retry of a broken connection. Frequent logins get an address blacklisted. */
const mostLogins = 1 + backOffMs.length

const table = readings('stk', {
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  pre_close: 'preclose',
  vol: { column: 'volume', unit: '股' },
  amount: { column: 'amount', unit: '元' },
  turnover: { column: 'turn', unit: '%' },
  pe_ttm: 'peTTM',
  pb: 'pbMRQ',
  ps_ttm: 'psTTM',
  is_st: 'isST',
})
const indexTable = readings('index', { close: 'close', open: 'open', high: 'high', low: 'low' })
const indexFields = 'date,code,open,high,low,close'
/** 3: prices as they were, not adjusted. */
const unadjusted = '3'

type Row = Readonly<Record<string, unknown>>

interface Question {
  /** For the kept answer. */
  readonly what: string
  readonly type: MessageType
  readonly parts: readonly string[]
  /** Which part of the answer holds the records, and which names their columns. */
  readonly data: number
  readonly columns: number
}

/** BaoStock (free, no key): A shares but those of Beijing and indices, no bonds. Suspended stocks have a row; it has no cash flow of our kind (providers.md 6). */
export function baostock(settings: BaostockSettings, deps: FeedDeps): Feed {
  const { host, port, timeoutMs = 60_000 } = settings
  let line: Wire | null = null
  // One connection, one question at a time.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = before.then(work, work)
    before = mine.catch(() => {})
    return mine
  }

  const logins = requestBudget(mostLogins, deps.now)
  const loggedIn = async (signal: AbortSignal): Promise<Wire> => {
    if (line) return line
    if (!logins.take()) throw spent(label, logins, '登录')
    const opened = wire({ host, port, timeoutMs })
    try {
      refused(partsOf(await opened.ask(message(messageTypes.login, ['login', 'anonymous', '123456', '0']), signal)))
    } catch (error) {
      opened.close()
      throw error
    }
    line = opened
    return opened
  }
  const once = async ({ what, type, parts }: Question, { signal, keep }: Asking): Promise<string[]> => {
    const bytes = await (await loggedIn(signal)).ask(message(type, parts), signal)
    keep?.({ what: `baostock ${what}`, bytes })
    return partsOf(bytes)
  }
  /** With another connection and login where the first was dropped; a whole answer, whatever it says, leaves the connection as it is. */
  const ask = async (question: Question, asking: Asking): Promise<{ records: Row[]; parts: readonly string[] }> => {
    for (let attempt = 0; ; attempt++) {
      let answer: string[] | null = null
      try {
        answer = await once(question, asking)
        refused(answer)
        return { records: recordsOf(answer[question.data], answer[question.columns]), parts: answer }
      } catch (error) {
        if (answer === null || (error instanceof FeedError && error.kind === 'network')) {
          line?.close()
          line = null
        }
        if (!(error instanceof FeedError) || (error.kind !== 'network' && error.kind !== 'shape')) throw error
        const wait = backOffMs[attempt]
        if (wait === undefined) throw error
        await deps.sleep(wait, asking.signal)
      }
    }
  }

  /** Page after page; `columns` is where an answer of this kind names them. */
  const rows = (what: string, type: MessageType, more: readonly string[], columns: number, asking: Asking): Promise<Row[]> =>
    inTurn(async () => {
      const found: Row[] = []
      const [method = '', ...rest] = more
      for (let number = 1; number <= mostPages; number++) {
        const parts = [method, 'anonymous', String(number), String(page), ...rest]
        const { records, parts: answerParts } = await ask({ what: `${what} page=${number}`, type, parts, data: 6, columns }, asking)
        found.push(...records)
        // The answer says how long its pages are, which may be shorter than what was asked for.
        const length = Number(answerParts[pageLength])
        if (records.length === 0 || records.length < (length > 0 ? length : page)) return found
      }
      throw new FeedError('shape', `${label}的分页没有尽头`)
    })

  const barsOf = (code: string, date: string, fields: string, asking: Asking) =>
    rows(
      `bars ${dotted(code)} ${date}`,
      messageTypes.bars,
      ['query_history_k_data_plus', dotted(code), fields, date, date, 'd', unadjusted],
      8,
      asking,
    )

  return {
    name: 'baostock',
    label,
    offers: {
      calendar: async ({ from, to }, asking) => {
        const found = await rows(`trade dates ${from} ${to}`, messageTypes['trade dates'], ['query_trade_dates', from, to], 9, asking)
        return found
          .map((row) => ({ date: dateCell(row['calendar_date'], 'calendar_date') ?? '', open: row['is_trading_day'] === '1' }))
          .filter(({ date }) => date >= from && date <= to)
          .sort((a, b) => (a.date < b.date ? -1 : 1))
      },
      'stock-day': async ({ date, codes }, asking) => {
        // Of some too: a table is one question, and stocks one by one are many.
        const parts = ['query_daily_history_k_AStock', 'anonymous', date]
        const question = { what: `day ${date}`, type: messageTypes['day of all stocks'], parts, data: 4, columns: 5 }
        const wanted = codes && new Set(codes.map(dotted))
        const { records: rows } = await inTurn(() => ask(question, asking))
        return day(date, wanted ? rows.filter(({ code }) => wanted.has(String(code))) : rows)
      },
      'index-day': async ({ date, codes }, asking) => {
        const found: SourceRow[] = []
        // It has nothing of Beijing, and answers a question about it with an error.
        for (const code of codes.filter((each) => !dotted(each).startsWith('bj.'))) {
          const bars = await barsOf(code, date, indexFields, asking)
          for (const row of bars) if (row['date'] === date) found.push({ code, cell: (column) => row[column] })
        }
        return dayTable(label, date, found, indexTable)
      },
      // One request per stock: callers ask for few of them.
      'ex-days': async ({ date, codes }, asking) => {
        const found: ExDayRow[] = []
        for (const code of codes.filter((each) => isStock(each) && !each.endsWith('.BJ'))) {
          const parts = ['query_adjust_factor', dotted(code), date, date]
          const events = await rows(`adjust factor ${dotted(code)} ${date}`, messageTypes['adjust factor'], parts, 10, asking)
          const isEx = events.some((row) => dateCell(row['dividOperateDate'], `${code} 的 dividOperateDate`) === date)
          found.push({ code, date: isEx ? date : null })
        }
        return found
      },
      'stock-list': async (_, asking) => {
        const found = await rows('stock basic', messageTypes['stock basic'], ['query_stock_basic', '', ''], 9, asking)
        return readable(found, stockRow, asking).sort((a, b) => (a.code < b.code ? -1 : 1))
      },
    },
  }
}

/** Kinds of its `type` column; 1 is a stock, others are indices and funds. */
const isStockType = '1'

function stockRow(row: Row): StockRow[] {
  const code = codeCell(row['code'], 'stk')
  if (!code || !isStock(code) || row['type'] !== isStockType) return []
  const [listed, delisted] = [dateCell(row['ipoDate'], `${code} 的 ipoDate`), dateCell(row['outDate'], `${code} 的 outDate`)]
  return [{ code, name: nameCell(row['code_name']) ?? code, industry: null, listed, delisted }]
}

/** A row whose status cannot be read is one that cannot be read. */
function tradeOf(row: Row, what: string): { traded: boolean; cell: SourceRow['cell'] } {
  try {
    return { traded: numberCell(row['tradestatus'], what) === 1, cell: (column) => row[column] }
  } catch (error) {
    return {
      traded: true,
      cell: () => {
        throw error
      },
    }
  }
}

function day(date: string, rows: readonly Row[]) {
  const ours = rows.flatMap((row): (SourceRow & { traded: boolean })[] => {
    const code = codeCell(row['code'], 'stk')
    if (!code || !isStock(code)) return []
    if (row['date'] !== date) throw new FeedError('shape', `${label}应答了 ${String(row['date']).slice(0, 10)}，问的是 ${date}`)
    return [{ code, ...tradeOf(row, `${code} 的 tradestatus`) }]
  })
  const still = ours.filter(({ traded }) => !traded).map(({ code }) => code)
  const made = dayTable(
    label,
    date,
    ours.filter(({ traded }) => traded),
    table,
  )
  return { ...tradedOnly(made, still), ...(made.codes.length > 0 && { notes: [`${label}的日线没有复权因子与市值`] }) }
}

/** Values are texts in JSON, columns a list beside it. */
function recordsOf(json: string | undefined, columns: string | undefined): Row[] {
  if (json === undefined || columns === undefined) throw new FeedError('shape', `${label}的应答缺少数据或列名`)
  if (json.trim() === '') return []
  const fields = columns.split(',').map((field) => field.trim())
  let records: unknown
  try {
    records = (JSON.parse(json) as { record?: unknown }).record
  } catch {
    throw new FeedError('shape', `${label}的应答不是 JSON`)
  }
  if (!Array.isArray(records)) throw new FeedError('shape', `${label}的应答里没有记录`)
  return records.map((record: unknown) => {
    if (!Array.isArray(record) || record.length !== fields.length) throw new FeedError('shape', `${label}有的行列数不对`)
    return Object.fromEntries(fields.map((field, i) => [field, record[i]]))
  })
}

/** @throws FeedFault for every answer whose first part is not 0 */
function refused([code, words = '']: readonly string[]): void {
  if (code === '0') return
  // Not logged in: the session was dropped, another login helps. 10002…: its own network.
  if (code === '10001001' || code?.startsWith('10002')) throw new FeedError('network', `${label}断开了登录`)
  if (code === '10001005') throw new FeedError('wait', `${label}的登录数已满`, { waitMs: 60_000 })
  if (code === '10001006' || code === '10001011') throw new FeedError('blocked', `${label}不允许本机访问`)
  if (code?.startsWith('10001')) throw new FeedError('credentials', `${label}不接受登录（${code}）`)
  throw new FeedError(
    'shape',
    `${label}拒绝了请求（${String(code).slice(0, 10)} ${words.replace(/[^\p{L}\p{N} ，。]/gu, '').slice(0, 40)}）`,
  )
}
