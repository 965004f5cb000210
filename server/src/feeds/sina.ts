import { feedLabels } from '../config/feeds.ts'
import { type Feed, FeedError } from './feed.ts'
import { inBatches } from './source/batches.ts'
import { prefixed } from './source/codes.ts'
import { readings } from './source/columns.ts'
import type { FeedDeps } from './source/feed-deps.ts'
import { type QuoteRow, quotesOf, shanghaiMs } from './source/quotes.ts'
import { mayBeUnread, readable } from './source/readable.ts'
import type { Transport } from './source/transport.ts'

const label = feedLabels.sina
/** It takes 800 codes; half of that is 4 KB of address. The whole market is sixteen questions. */
const batching = { codes: 400, atOnce: 4 }

/** By place in the line: 0 name, 1 open, 2 pre_close, 3 last, 4 high, 5 low, 8 volume, 9 amount, 30 date, 31 time, 32 status. */
const table = readings('stk', {
  open: '1',
  pre_close: '2',
  close: '3',
  high: '4',
  low: '5',
  vol: '8',
  amount: { column: '9', unit: '元' },
})

/** Sina's quotes: GBK lines, refused without its own Referer; an unknown code has an empty line (providers.md 4). */
export function sina({ url }: { url: string }, ask: Transport, deps: FeedDeps): Feed {
  return {
    name: 'sina',
    label,
    offers: {
      quotes: async ({ codes }, asking) => {
        const lines = await inBatches(codes, batching, (some) => {
          const list = some.map(prefixed).join(',')
          const request = {
            label,
            what: `sina list=${list}`,
            urls: [`${url}/list=${list}`],
            headers: { referer: 'https://finance.sina.com.cn/' },
            counted: { key: 'sina', limits: [{ calls: 5, inMs: 1_000 }] },
          }
          return ask(request, (bytes) => linesOf(bytes, some), asking)
        })
        return quotesOf(label, readable(lines, rowOf, asking, mayBeUnread), table, deps)
      },
    },
  }
}

interface Line {
  readonly code: string
  readonly parts: readonly string[]
}

function linesOf(bytes: Buffer, codes: readonly string[]): Line[] {
  const lines = new Map<string, readonly string[]>()
  for (const [, code = '', text = ''] of new TextDecoder('gbk').decode(bytes).matchAll(/^var hq_str_(\w+)="([^"\n]*)";\s*$/gm))
    lines.set(code, text.split(','))
  const cut = codes.find((code) => !lines.has(prefixed(code)))
  if (cut) throw new FeedError('shape', `${label}的应答不完整，没有 ${cut}`)
  return codes.map((code) => ({ code, parts: lines.get(prefixed(code)) ?? [] })).filter(({ parts }) => parts.length > 1)
}

function rowOf({ code, parts }: Line): QuoteRow[] {
  const madeAt = shanghaiMs(parts[30] ?? '', parts[31] ?? '')
  if (parts.length < 33 || madeAt !== madeAt) throw new FeedError('shape', `${label}对 ${code} 的应答不是已知的形状`)
  return [{ code, madeAt, cell: (place: string) => parts[Number(place)] }]
}
