import { marketClock, marketTime } from '../market/clock.ts'
import { useMarketDays } from '../market/use-market-clock.ts'
import { type DataTime, stampOf } from './stamp.ts'
import './data-stamp.css'

/** The time stamp on a block of data: `数据 2026-11-20 14:32:05 · 实时`. `title` adds what is known besides. */
export function DataStamp({ title, ...data }: DataTime & { title?: string }) {
  // What does not move needs no calendar, nor may everybody who sees it ask for one.
  const { now, closed } = useMarketDays(data.realtime)
  const since = { open: marketClock(now, closed).open, moved: (from: number) => marketTime(from, now, closed) }
  const { text, look, warning } = stampOf(data, since)
  const words = [warning, title].filter(Boolean).join('；')
  return (
    <span className={warning && data.source !== 'demo' ? 'chip stamp standing' : 'chip stamp'} title={words || undefined}>
      <i className={{ ok: 'dot', warn: 'dot warn', quiet: 'dot quiet' }[look]} aria-hidden="true" />
      {text}
      {warning && <span className="hidden-text">{warning}</span>}
    </span>
  )
}
