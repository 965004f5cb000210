import type { Settings } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import type { QuickBacktestResult } from '@convexa/contract/grid'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { useSite } from '../../api/site.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { usePreferences } from '../../state/preferences.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { type DataRange, sendable, yearsBefore } from '../rule/draft.ts'
import { parameterMistakes, settingMistakes } from '../rule/validate.ts'

/** A change waits this long for the next: long enough for a held key, too short to be felt. */
const debounceMs = 80
const minute = 60_000
/** What is worth asking again, and how often: data are loaded within six times, also on a busy machine. */
const again: ReadonlyMap<number, number> = new Map([
  [40029, 6],
  [23021, 6],
  [23024, 2],
  [50301, 2],
])

export type LiveYears = 1 | 3 | 5

export interface QuickCurve {
  /** The newest curve, and how it was before the edit that led to it. */
  result: QuickBacktestResult | null
  before: QuickBacktestResult | null
  settings: Settings | null
  /** Of which the curve is, which may be fewer than are asked for by now. */
  years: LiveYears
  /** The curve is of an earlier draft: the next is on its way, failed, or the draft has a mistake. */
  stale: boolean
  running: boolean
  mistaken: boolean
  error: unknown
  retry(): void
}

/** What is asked for: the last years of the data, whatever range the backtest itself is set to. */
function liveSettings(settings: Settings, data: DataRange, years: LiveYears): Settings {
  const start = yearsBefore(data.end, years)
  return { ...settings, start_date: start > data.start ? start : data.start, end_date: data.end, execution: 'ideal', oos_start: null }
}

/**
 * Quick curve: a small net-value curve that follows the draft. Edits are debounced, a new request cancels the one before, and a draft that was
 * seen a moment ago (undo) comes back at once.
 */
export function useQuickCurve(draft: Draft, data: DataRange | null): QuickCurve {
  const market = useMarket()
  const version = useSite().data_version[market.id]
  const years = usePreferences((state) => state.liveYears)
  const { parameters, settings } = draft
  const wanted = useMemo(() => {
    if (!data || parameterMistakes(parameters, market).length > 0) return null
    const terms = liveSettings(settings, data, years)
    // The range is our own: only the other settings can be wrong here.
    return settingMistakes(terms, null).length > 0 ? null : { body: { parameters: sendable(parameters), settings: terms }, years }
  }, [parameters, settings, data, years, market])
  const settled = useDebouncedValue(wanted, debounceMs, isSameText)
  const query = useQuery({
    queryKey: ['live', market.id, version, settled],
    queryFn: ({ signal }) => call(calls[market.id].quickBacktest, { body: (settled as NonNullable<typeof settled>).body }, { signal }),
    enabled: settled !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * minute,
    // Retries what passes: a rate limit, data that are still being loaded, a cancellation by another window's newer run (an own abort
    // is no failure), a busy server. Any other error is shown, without a toast.
    retry: (times, error) => error instanceof CallError && times < (again.get(error.code) ?? 0),
    retryDelay: (times, error) => ((error instanceof CallError && error.retryAfter) || Math.min(1 + times, 4)) * 1000,
  })
  const seen = useRef<(Pick<QuickCurve, 'before' | 'years'> & { settings: Settings; result: QuickBacktestResult }) | null>(null)
  if (query.data && settled && seen.current?.result !== query.data) {
    const { body, years } = settled
    // Curves of another period are not comparable.
    const sameDays = seen.current?.settings.start_date === body.settings.start_date
    seen.current = { settings: body.settings, years, result: query.data, before: sameDays ? (seen.current?.result ?? null) : null }
  }
  return {
    result: seen.current?.result ?? null,
    before: seen.current?.before ?? null,
    settings: seen.current?.settings ?? settled?.body.settings ?? null,
    years: seen.current?.years ?? years,
    stale: seen.current !== null && (wanted === null || query.data === undefined || query.isError),
    running: query.isFetching,
    mistaken: wanted === null && data !== null,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

/** A request with the same content is the same request. */
const isSameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
