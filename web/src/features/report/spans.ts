import type { Report, TradeReason, TradeRow } from '@convexa/contract/report'

// The holdings of a report as spans of time: which security, from when to when, how heavy, and how it ended.

interface Span {
  /** Indices of trading days, both included. */
  from: number
  to: number
  /** The day it was bought, which may be before the window. */
  bought: number
  /** Mean weight. */
  weight: number
}

export interface SpanRow {
  code: string
  name: string
  /** Days held within the window. */
  days: number
  spans: Span[]
  /** Ends that are worth a mark: forced, or thrown out by a rule. */
  marks: { at: number; reason: TradeReason }[]
}

const marked: ReadonlySet<TradeReason> = new Set([
  'called',
  'last_day',
  'matured',
  'delisted',
  'excluded',
  'missing',
  'stop_loss',
  'take_profit',
  'trailing_stop',
  'timing',
])

/**
 * Spans of every security held from the day `first` on, the longest held first. A day that is not among the holdings (nothing was
 * traded on it) goes on as the day before.
 */
export function spanRows(dates: readonly string[], holdings: Report['holdings'], trades: readonly TradeRow[], first: number): SpanRow[] {
  const dayOf = new Map(dates.map((date, i) => [date, i]))
  const rows = new Map<number, { spans: (Span & { sum: number })[] }>()
  const listed = holdings.days.flatMap((day) => {
    const at = dayOf.get(day.date)
    return at === undefined ? [] : [{ at, day }]
  })
  const spanOfCode = new Map<number, { bought: number; until: number }>()
  listed.forEach(({ at, day }, k) => {
    const until = (listed[k + 1]?.at ?? dates.length) - 1
    const from = Math.max(at, first)
    for (const [code, share] of sharesOf(day)) {
      const before = spanOfCode.get(code)
      const bought = before && before.until === at - 1 ? before.bought : at
      spanOfCode.set(code, { bought, until })
      if (until < first) continue
      const row = rows.get(code) ?? { spans: [] }
      rows.set(code, row)
      const weight = share * (until - from + 1)
      const open = row.spans.at(-1)
      if (open && open.to === from - 1) {
        open.to = until
        open.sum += weight
      } else row.spans.push({ from, to: until, bought, sum: weight, weight: 0 })
    }
  })
  const marks = new Map<string, SpanRow['marks']>()
  for (const trade of trades) {
    const at = dayOf.get(trade.date)
    if (trade.side !== 'sell' || at === undefined || at < first || !marked.has(trade.reason)) continue
    const known = marks.get(trade.code) ?? []
    // Two members of a group, or two fills of a day, are one end.
    if (known.some((mark) => mark.at === at && mark.reason === trade.reason)) continue
    marks.set(trade.code, [...known, { at, reason: trade.reason }])
  }
  return [...rows]
    .map(([index, { spans }]) => {
      const code = holdings.codes[index] ?? ''
      return {
        code,
        name: holdings.names[index] ?? code,
        days: spans.reduce((sum, span) => sum + span.to - span.from + 1, 0),
        spans: spans.map(({ from, to, bought, sum }) => ({ from, to, bought, weight: sum / (to - from + 1) })),
        marks: marks.get(code) ?? [],
      }
    })
    .sort((a, b) => b.days - a.days || (a.code < b.code ? -1 : 1))
}

/** By place in the codes: a group that tells its members apart has a security once for each of them. */
function sharesOf({ code_index, weight }: Report['holdings']['days'][number]): Map<number, number> {
  const shares = new Map<number, number>()
  for (const [i, code] of code_index.entries()) shares.set(code, (shares.get(code) ?? 0) + (weight[i] ?? 0))
  return shares
}
