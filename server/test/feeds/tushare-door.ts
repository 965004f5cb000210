import type { Request, Send } from '../../src/feeds/source/transport.ts'
import { answered, type Call, type Cell, refused } from './tushare-script.ts'

export type Row = Readonly<Record<string, Cell>>

/** What is said of a call: its whole table, words of a refusal, or rows as they are to be sent. */
export type Said = readonly Row[] | string | { readonly rows: readonly Row[]; readonly hasMore: boolean }

const perCall: Readonly<Record<string, number>> = {
  daily: 6_000,
  adj_factor: 6_000,
  daily_basic: 6_000,
  stk_limit: 5_800,
  stock_basic: 6_000,
}

/** One answer of Tushare's door: the columns that were asked for, of the codes that were asked for, a page long. */
export function answerCall({ api_name, params, fields }: Call, said: Said): string {
  if (typeof said === 'string') return refused(said)
  const columns = fields.split(',')
  const cells = (rows: readonly Row[]) => rows.map((row) => columns.map((column) => row[column] ?? null))
  if ('rows' in said) return answered(columns, cells(said.rows), said.hasMore)
  const codes = params['ts_code'] === undefined ? null : new Set(params['ts_code'].split(','))
  const rows = codes ? said.filter((row) => codes.has(String(row['ts_code']))) : said
  const offset = Number(params['offset'] ?? 0)
  const page = rows.slice(offset, offset + Math.min(Number(params['limit'] ?? 2_000), perCall[api_name] ?? 2_000))
  return answered(columns, cells(page), offset + page.length < rows.length)
}

/** Tushare in memory, in the place of the network. */
export const sendFrom =
  (answer: (call: Call) => string): Send =>
  async ({ body }: Request, _url, _limits, signal) => {
    signal.throwIfAborted()
    return Buffer.from(answer(JSON.parse(body ?? '{}') as Call))
  }
