/** Tushare Pro's one door: a POST with api, token and fields; HTTP 200 whatever it says (providers.md 1). */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Asking, FeedFault } from '../feed.ts'
import { jsonOf, type Transport } from '../source/transport.ts'

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

export function tushareApi({ url, token, perMinute }: TushareSettings, ask: Transport): TushareApi {
  // Counted per token: two installations of one token would each believe to have it all.
  const counted = createHash('sha256').update(token).digest('hex').slice(0, 12)
  return async (api, params, fields, asking) => {
    const rows: TushareRow[] = []
    const page = pages[api] ?? 2_000
    for (let offset = 0, asked = 1; ; asked++) {
      const paged = { ...params, limit: String(page), offset: String(offset) }
      const { items, columns, hasMore } = await ask(
        {
          label,
          what: ['tushare', api, ...Object.entries(paged).map(([key, value]) => `${key}=${value}`)].join(' '),
          urls: [url],
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ api_name: api, token, params: paged, fields: fields.join(',') }),
          counted: { key: `${counted} ${api}`, limits: [{ calls: perMinute, inMs: 60_000 }] },
        },
        (bytes) => read(api, fields, bytes),
        asking,
      )
      for (const item of items) rows.push((column) => item[columns.get(column) ?? -1])
      offset += items.length
      if (items.length === 0 || (!hasMore && items.length < page)) return rows
      if (asked >= mostPages) throw new FeedFault('shape', `${label} 的 ${api} 分页没有尽头`)
    }
  }
}

function read(api: string, fields: readonly string[], bytes: Buffer) {
  const parsed = Answer.safeParse(jsonOf(label, bytes))
  if (!parsed.success) throw new FeedFault('shape', `${label} 的 ${api} 应答的形状不是已知的`)
  const { code, msg, data } = parsed.data
  if (code !== 0) throw refusal(api, msg ?? '')
  if (!data) throw new FeedFault('shape', `${label} 的 ${api} 应答里没有数据`)
  const columns = new Map(data.fields.map((field, place) => [field, place]))
  const missing = fields.filter((field) => !columns.has(field))
  if (missing.length > 0) throw new FeedFault('shape', `${label} 的 ${api} 应答缺少列 ${missing.join('、')}`)
  if (data.items.some((item) => item.length !== data.fields.length)) throw new FeedFault('shape', `${label} 的 ${api} 有的行列数不对`)
  return { items: data.items, columns, hasMore: data.has_more === true }
}

/** Its numbers are not documented: what is meant is in the words. */
const refusals: readonly (readonly [RegExp, (api: string) => FeedFault])[] = [
  [/每分钟.*次/, (api) => new FeedFault('wait', `${label} 的 ${api} 本分钟的次数已用完`, { waitMs: 61_000 })],
  [/每小时.*次/, (api) => new FeedFault('wait', `${label} 的 ${api} 本小时的次数已用完`, { waitMs: 3_600_000 })],
  [/每天.*次/, (api) => new FeedFault('tomorrow', `${label} 的 ${api} 今天的次数已用完`)],
  [/权限|积分/, (api) => new FeedFault('permission', `所用的 ${label} 账号没有 ${api} 的权限（积分不足或需单独开通）`)],
  [/token/i, () => new FeedFault('credentials', `${label} 不接受所设置的 token，请检查 TUSHARE_TOKEN`)],
]

function refusal(api: string, message: string): FeedFault {
  const known = refusals.find(([words]) => words.test(message))
  return known ? known[1](api) : new FeedFault('shape', `${label} 的 ${api} 拒绝了请求，原因不是已知的`)
}
