/** Tushare Pro's one door: a POST with api, token and fields; HTTP 200 whatever it says (providers.md 1). */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { FeedErrorKind } from '../../db/tables/answers.ts'
import { type Asking, FeedError } from '../feed.ts'
import { nextMidnight } from '../session.ts'
import { jsonOf, type Transport } from '../source/transport.ts'
import { refusalOf } from './refusals.ts'

export interface TushareSettings {
  readonly url: string
  readonly token: string
  /** Calls a minute that the token's level allows for one api. */
  readonly perMinute: number
}

/** Reads a row by column name: their order is not promised. */
export type TushareRow = (column: string) => unknown

/** All rows of a question, page after page. */
export type TushareApi = (
  api: string,
  params: Readonly<Record<string, string>>,
  fields: readonly string[],
  asking: Asking,
) => Promise<TushareRow[]>

const label = 'Tushare'
/** Rows a call; what is not named gives 2,000. */
const pages: Readonly<Record<string, number>> = {
  daily: 6_000,
  adj_factor: 6_000,
  daily_basic: 6_000,
  stk_limit: 5_800,
  stock_basic: 6_000,
}
const mostPages = 50

const Answer = z.object({
  code: z.number(),
  msg: z.string().nullish(),
  data: z.object({ fields: z.array(z.string()), items: z.array(z.array(z.unknown())), has_more: z.boolean().nullish() }).nullish(),
})

/** What only time or the operator changes is not asked for again: an api for so long, in ms. */
const restMs: Partial<Record<FeedErrorKind, number>> = { refused: 3_600_000, wait: 0 }

/** @param now milliseconds since 1970 UTC */
export function tushareApi({ url, token, perMinute }: TushareSettings, ask: Transport, now: () => number = Date.now): TushareApi {
  const resting = new Map<string, { until: number; fault: FeedError }>()
  /** Calls a minute of an api, where a refusal named fewer than the setting. */
  const refusedRates = new Map<string, number>()
  const rest = (api: string, fault: FeedError) => {
    const { kind, waitMs } = fault
    const until = kind === 'tomorrow' || kind === 'permission' ? nextMidnight(now()) : now() + Math.max(restMs[kind] ?? 0, waitMs)
    if (until > now()) resting.set(api, { until, fault })
  }
  // Counted per token: two installations of one token would each believe to have it all.
  const counted = createHash('sha256').update(token).digest('hex').slice(0, 12)
  return async (api, params, fields, asking) => {
    const before = resting.get(api)
    if (before && now() < before.until) throw before.fault
    resting.delete(api)
    const rows: TushareRow[] = []
    const page = pages[api] ?? 2_000
    const refuse = (words: string) => {
      const { fault, perMinute: fewer } = refusalOf(api, words, token)
      if (fewer !== null && fewer < (refusedRates.get(api) ?? perMinute)) refusedRates.set(api, fewer)
      return fault
    }
    for (let offset = 0, pagesAsked = 1; ; pagesAsked++) {
      const paged = { ...params, limit: String(page), offset: String(offset) }
      const { items, columns, hasMore } = await ask(
        {
          label,
          what: ['tushare', api, ...Object.entries(paged).map(([key, value]) => `${key}=${value}`)].join(' '),
          urls: [url],
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ api_name: api, token, params: paged, fields: fields.join(',') }),
          counted: { key: `${counted} ${api}`, limits: [{ calls: refusedRates.get(api) ?? perMinute, inMs: 60_000 }] },
        },
        (bytes) => read(api, fields, bytes, refuse),
        asking,
      ).catch((error: unknown) => {
        if (error instanceof FeedError) rest(api, error)
        throw error
      })
      for (const item of items) rows.push((column) => item[columns.get(column) ?? -1])
      offset += items.length
      // Pages may be shorter than asked for: an empty one or its own word is the end.
      if (items.length === 0 || hasMore === false) return rows
      if (pagesAsked >= mostPages) throw new FeedError('shape', `${label} 的 ${api} 分页没有尽头`)
    }
  }
}

function read(api: string, fields: readonly string[], bytes: Buffer, refuse: (words: string) => FeedError) {
  const parsed = Answer.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedError('shape', `${label} 的 ${api} 应答的形状不是已知的`)
  const { code, msg, data } = parsed.data
  if (code !== 0) throw refuse(msg ?? '')
  if (!data) throw new FeedError('shape', `${label} 的 ${api} 应答里没有数据`)
  const columns = new Map(data.fields.map((field, place) => [field, place]))
  const missing = fields.filter((field) => !columns.has(field))
  if (missing.length > 0) throw new FeedError('shape', `${label} 的 ${api} 应答缺少列 ${missing.join('、')}`)
  if (data.items.some((item) => item.length !== data.fields.length)) throw new FeedError('shape', `${label} 的 ${api} 有的行列数不对`)
  return { items: data.items, columns, hasMore: data.has_more ?? null }
}
