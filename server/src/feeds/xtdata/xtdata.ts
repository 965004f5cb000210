import { feedLabels } from '../../config/feeds.ts'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { type Asking, type Feed, FeedError } from '../feed.ts'
import type { DayTable } from '../rows.ts'
import { dateCell, numberCell } from '../source/cell.ts'
import { isBond, isStock, withExchange } from '../source/codes.ts'
import { dayTable, readings, type SourceRow, tradedOnly } from '../source/columns.ts'
import type { FeedDeps } from '../source/feed-deps.ts'
import { quotesOf } from '../source/quotes.ts'
import { readable } from '../source/readable.ts'
import { withVolumes } from '../source/volume.ts'
import type { PushedBars, ReadPushed } from './pushed-store.ts'

const label = feedLabels.xtdata
/** A bridge pushes every three seconds: one that has not for so long is gone. */
const goneMs = 30_000

const tickTable = readings('stk', {
  close: 'lastPrice',
  open: 'open',
  high: 'high',
  low: 'low',
  pre_close: 'lastClose',
  vol: 'volume',
  amount: { column: 'amount', unit: '元' },
})
const barTable = readings('stk', {
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  pre_close: 'preClose',
  vol: 'volume',
  amount: { column: 'amount', unit: '元' },
})

/** xtdata on the operator's own terminal, as its bridge pushes it (qmt-bridge/, providers.md 7). */
export function xtdata(read: ReadPushed, deps: FeedDeps): Feed {
  const day = async (date: string, keep: (code: string) => boolean, asking: Asking): Promise<DayTable> => {
    const found = await read({ kind: 'bars', date })
    if (found === null) return dayTable(label, date, [], barTable)
    asking.keep?.({ what: `xtdata bars ${date}`, bytes: found.bytes })
    const rows = rowsOf(found).filter(({ code }) => keep(code))
    const suspended = rows.filter(({ cell }) => cell('suspendFlag') === 1).map(({ code }) => code)
    const traded = rows.filter(({ cell }) => cell('suspendFlag') !== 1)
    return tradedOnly(withVolumes(dayTable(label, date, traded, barTable)), suspended)
  }
  const among = (codes: readonly string[] | undefined, kind: (code: string) => boolean) => {
    const wanted = codes && new Set(codes)
    return (code: string) => kind(code) && (!wanted || wanted.has(code))
  }

  return {
    name: 'xtdata',
    label,
    offers: {
      'stock-day': ({ date, codes }, asking) => day(date, among(codes, isStock), asking),
      'bond-day': ({ date, codes }, asking) => day(date, among(codes, isBond), asking),
      // It says how things stood on the day of the push, and says so of its last day alone.
      calls: async ({ to }, asking) => {
        const found = await read({ kind: 'calls', date: to })
        if (found === null) throw new FeedError('permission', `没有收到${label} ${to} 的强赎数据（终端需有可转债资料的权限）`)
        asking.keep?.({ what: `xtdata calls ${to}`, bytes: found.bytes })
        return readable(rowsOf(found), (row) => callRow(row, to), asking).sort((a, b) => (a.code < b.code ? -1 : 1))
      },
      quotes: async ({ codes }, asking) => {
        const found = await read({ kind: 'ticks' })
        if (found === null) throw new FeedError('network', `还没有收到${label}的推送`)
        if (deps.now() - found.at > goneMs) throw new FeedError('network', `${label}的推送已停止`)
        asking.keep?.({ what: 'xtdata ticks', bytes: found.bytes })
        const ours = new Map(codes.map((code) => [withExchange(code), code]))
        const rows = rowsOf(found).flatMap(({ code, cell }) => (ours.has(code) ? [{ code: ours.get(code)!, cell }] : []))
        const made = rows.map((row) => ({ ...row, madeAt: Number(row.cell('time')) || Number.NaN }))
        return quotesOf(label, made, tickTable, deps)
      },
    },
  }
}

/** A call is what has a last day of trading ahead: one that has passed is of a call of before, or of a bond that has ended. */
function callRow({ code, cell }: SourceRow, today: string): CallRow[] {
  if (!isBond(code)) return []
  const lastTradingDay = dateCell(cell('forceRedeemTradeDate'), `${code} 的 forceRedeemTradeDate`)
  if (lastTradingDay === null || lastTradingDay < today) return []
  const price = numberCell(cell('forceRedeemPrice'), `${code} 的 forceRedeemPrice`)
  const said = { code, announced: today, standing: true, status: 'called' } as const
  return [{ ...said, callDate: null, price: price > 0 ? price : Number.NaN, registerDate: null, lastTradingDay }]
}

const rowsOf = ({ push }: PushedBars): SourceRow[] =>
  Object.entries(push.rows).map(([code, row]) => {
    const cells = new Map<string, unknown>(Object.entries(row))
    return { code, cell: (column: string) => cells.get(column) }
  })
