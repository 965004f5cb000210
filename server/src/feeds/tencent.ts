import { feedLabels } from '../config/feeds.ts'
import { type Feed, FeedError } from './feed.ts'
import { inBatches } from './source/batches.ts'
import { prefixed } from './source/codes.ts'
import { readings } from './source/columns.ts'
import type { FeedDeps } from './source/feed-deps.ts'
import { type QuoteRow, quotesOf, shanghaiMs } from './source/quotes.ts'
import { mayBeUnread, readable } from './source/readable.ts'
import type { Transport } from './source/transport.ts'

const label = feedLabels.tencent
/** The whole market is eighty questions. */
const batching = { codes: 80, atOnce: 6 }
const leastParts = 49

/** By place in the line: 3 last, 4 pre_close, 5 open, 6 volume, 30 time, 33 high, 34 low, 35 last/volume/amount in yuan, 45 total cap. */
const table = readings('stk', {
  close: '3',
  pre_close: '4',
  open: '5',
  vol: '6',
  high: '33',
  low: '34',
  amount: { column: 'yuan', unit: '元' },
  circ_mv: { column: '44', unit: '亿元' },
  total_mv: { column: '45', unit: '亿元' },
  pb: '46',
})

/** Tencent's quotes: GBK lines of parts between `~`; unknown codes have no line (providers.md 5). */
export function tencent({ url }: { url: string }, ask: Transport, deps: FeedDeps): Feed {
  return {
    name: 'tencent',
    label,
    offers: {
      quotes: async ({ codes }, asking) => {
        const lines = await inBatches(codes, batching, (some) => {
          const list = some.map(prefixed).join(',')
          const counted = { key: 'tencent', limits: [{ calls: 30, inMs: 1_000 }] }
          return ask({ label, what: `tencent q=${list}`, urls: [`${url}/q=${list}`], counted }, (bytes) => linesOf(bytes, some), asking)
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
  const text = new TextDecoder('gbk').decode(bytes).trim()
  const lines = new Map<string, readonly string[]>()
  for (const [, code = '', line = ''] of text.matchAll(/^v_(\w+)="([^"\n]*)";\s*$/gm)) lines.set(code, line.split('~'))
  if (lines.size === 0 || !text.endsWith('";')) throw new FeedError('shape', `${label}的应答不完整或不是行情`)
  return codes.flatMap((code) => {
    const parts = lines.get(prefixed(code))
    return parts ? [{ code, parts }] : []
  })
}

function rowOf({ code, parts }: Line): QuoteRow[] {
  const stamp = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(parts[30] ?? '')
  if (parts.length < leastParts || !stamp || parts[2] !== code.slice(0, 6))
    throw new FeedError('shape', `${label}对 ${code} 的应答不是已知的形状`)
  const [, year, month, day, hour, minute, second] = stamp
  // 37 is the amount rounded to 万元; the exact one stands behind two slashes.
  const yuan = parts[35]?.split('/')[2]
  const cell = (place: string) => (place === 'yuan' ? (yuan ?? Number(parts[37]) * 10_000) : parts[Number(place)])
  return [{ code, madeAt: shanghaiMs(`${year}-${month}-${day}`, `${hour}:${minute}:${second}`), cell }]
}
