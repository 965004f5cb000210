import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type Compared, itemsOf, itemText, mostCompared } from '../../rule/addresses.ts'
import { commonDays, onRange } from './common-range.ts'
import { columnQuery } from './compared-column.ts'

/** What the address compares, in its order, with ways to change it. */
export function useCompared() {
  const [query, setQuery] = useSearchParams()
  const text = query.get('items')
  const items = useMemo(() => itemsOf(text), [text])
  const write = (next: readonly Compared[]) =>
    setQuery(
      (before) => {
        const changed = new URLSearchParams(before)
        changed.set('items', next.map(itemText).join(','))
        return changed
      },
      { replace: true },
    )
  const onCommon = query.get('range') === 'common'
  return {
    items,
    /** The figures are of the days that all have in common. */
    onCommon,
    setCommon: (on: boolean) =>
      setQuery(
        (before) => {
          const changed = new URLSearchParams(before)
          if (on) changed.set('range', 'common')
          else changed.delete('range')
          return changed
        },
        { replace: true },
      ),
    add: (item: Compared) => items.length < mostCompared && write([...items, item]),
    remove: (place: number) => write(items.filter((_, i) => i !== place)),
    move: (place: number, step: -1 | 1) => write(moved(items, place, step)),
  }
}

/** One step to a side; at the end it stays. */
export function moved<T>(items: readonly T[], place: number, step: -1 | 1): T[] {
  const to = place + step
  const next = [...items]
  const item = next[place]
  if (item === undefined || to < 0 || to >= next.length) return next
  next.splice(place, 1)
  next.splice(to, 0, item)
  return next
}

/** Each item's column as it comes, and those that have numbers on the days they share. */
export function useColumns(items: readonly Compared[]) {
  const answers = useQueries({ queries: items.map(columnQuery) })
  const reports = answers.map(({ data }) => data?.report ?? null)
  // A report never changes: its id stands for it.
  const ids = reports.map((report) => report?.backtest_id ?? '').join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: by the id of each report
  const common = useMemo(() => {
    const there = reports.flatMap((report, place) => (report ? [{ report, place }] : []))
    const dates = commonDays(there.map(({ report }) => report))
    return { dates, lines: there.map(({ report, place }) => ({ report, place, range: onRange(report, dates) })) }
  }, [ids])
  return { answers, reports, common }
}
