import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { RealtimeFactors } from '@convexa/contract/factor'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useSite } from '../../api/site.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useCurrentList } from '../current-list/current-list.ts'
import { type Agreement, agreementOf, withPreview } from '../preview/agreement.ts'
import type { PreviewAnswer } from '../preview/messages.ts'
import { sendable } from '../rule/draft.ts'
import { type Factors, ownVersions, useFactors } from '../rule/factors.ts'
import { parameterMistakes, type ValidationIssue } from '../rule/validate.ts'
import { useSecurityTexts } from '../security/security-texts.ts'

/** A change waits this long for the next before the server is asked. */
const debounceMs = 400

const need = ['list', 'reserve', 'excluded', 'funnel'] as const

export interface ScreenRun {
  result: ScreenResult | null
  /** What the result was made of. */
  parameters: Parameters | null
  /** The newest of the server, which has the whole ranking. */
  whole: ScreenResult | null
  /** The browser's own answer to the draft as it is, there before the server's. */
  preview: PreviewAnswer | null
  /** How that answer and the server's stand to each other; null until both are there. */
  agreement: Agreement | null
  /** The result is of an earlier draft: a new one is on its way, failed, or the draft has a mistake. */
  stale: boolean
  running: boolean
  /** Why nothing is asked for: the draft's mistakes. */
  mistakes: readonly ValidationIssue[]
  error: unknown
  run(): void
}

/**
 * The screen of a draft: the browser's own answer at once, the server's as the draft settles, the last good one kept until the next is
 * there. Its changes are against the list that the user holds. `refetch`: milliseconds until it is asked for again by itself.
 */
export function useScreen(parameters: Parameters | null, refetch: number | false = false): ScreenRun {
  const market = useMarket()
  const previous = useCurrentList(market.id)?.codes ?? nobody
  const version = useSite().data_version[market.id]
  const mistakes = useMemo(() => (parameters ? parameterMistakes(parameters, market) : []), [parameters, market])
  const valid = useMemo(() => (parameters && mistakes.length === 0 ? sendable(parameters) : null), [parameters, mistakes])
  const settled = useDebouncedValue(valid, debounceMs)
  const query = useQuery({
    queryKey: ['screen', market.id, version, settled, previous],
    queryFn: async ({ signal }) => {
      if (!settled) throw new Error('nothing to screen')
      const body = { parameters: settled, need: [...need], ...(previous.length > 0 ? { previous: [...previous] } : {}) }
      const result = await call(calls[market.id].realtimeScreen, { body }, { signal })
      return { result, parameters: settled, words: JSON.stringify(settled) }
    },
    enabled: settled !== null,
    refetchInterval: refetch,
    retry: false,
  })
  const last = useRef<{ result: ScreenResult; parameters: Parameters; words: string } | null>(null)
  if (query.data) last.current = query.data
  const shown = query.data ?? last.current
  // The first answer comes from the server: the browser need not load what it previews with before anybody edits.
  const preview = usePreview(valid, previous, version, shown?.result ?? null)
  // Compared by content, not by identity: undo gives an equal rule in another object.
  const words = useMemo(() => JSON.stringify(valid), [valid])
  const current = shown !== null && shown.words === words
  const early = !current && shown !== null && preview !== null && valid !== null
  const result = useMemo(() => {
    if (!shown) return null
    return early ? withPreview(shown.result, preview) : shown.result
  }, [shown, early, preview])
  return {
    result,
    parameters: early ? valid : (shown?.parameters ?? null),
    whole: shown?.result ?? null,
    preview,
    // Realtime prices of browser and server are seconds apart: a difference then is no disagreement.
    agreement: useMemo(
      () => (current && preview && !shown.result.realtime ? agreementOf(preview, shown.result) : null),
      [current, preview, shown],
    ),
    stale: shown !== null && !early && (!current || query.isError),
    running: query.isFetching,
    mistakes,
    error: query.error,
    run: () => void query.refetch(),
  }
}

const nobody: readonly string[] = []

/** Of when the numbers of a day are that is not over; nothing of one that is. */
const momentOf = (result: ScreenResult | null): string => (result?.realtime ? result.data_time : '')

/** Of when the values are that the browser screens on: an own factor whose formula was changed has others under the same key. */
export const previewMoment = (result: ScreenResult | null, factors: Factors): string => [momentOf(result), ownVersions(factors)].join()

/** The browser's own screen; null while it is on its way and where only the server can tell. */
function usePreview(
  parameters: Parameters | null,
  previous: readonly string[],
  version: string | null,
  /** The newest of the server; nothing is made before there is one. */
  newest: ScreenResult | null,
): PreviewAnswer | null {
  const { id: kind } = useMarket()
  const { factors } = useFactors(kind)
  const of = previewMoment(newest, factors)
  const query = useQuery({
    queryKey: ['screen-preview', kind, version, of, parameters, previous],
    queryFn: async () => {
      const { previewOf } = await import('../preview/preview.ts')
      return previewOf(kind, version ?? '')
        .of(of)
        .screen(parameters as Parameters, previous, factors.nameOf)
    },
    // What a rule is called is sent along with its values: names come first.
    enabled: newest !== null && parameters !== null && !factors.isWaiting,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Values that did not come may come in a moment; the server answers meanwhile.
    retry: (times, error) => times < 2 && error.message !== 'superseded',
    // Thousands of rows, made anew each time: nothing of the last answer is in them.
    structuralSharing: false,
  })
  return query.data ?? null
}

/** The server takes this many factors in one cross-section. */
const atMost = 20

/** A reader of a row's factor: from the screen's own answer, else from the cross-section of that day. */
export function useCells(kind: MarketId, result: ScreenResult | null, refs: readonly string[], factors: Factors): Reader {
  const first = result?.list_items[0]
  const missing = useMemo(
    () => (first ? refs.filter((ref) => !(ref in first.values) && factors.of(ref)?.available) : []),
    [first, refs, factors],
  )
  const date = result?.realtime ? null : (result?.trade_date ?? null)
  const read = useQueries({
    queries: useChunks(kind, missing).map((keys) => ({
      queryKey: ['cross-section', kind, result?.data_version, result?.trade_date, momentOf(result), keys],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(calls[kind].realtimeFactors, { query: { with_values: '1', keys: [...keys], ...(date ? { date } : {}) } }, { signal }),
      enabled: result !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: readerOf,
  })
  const texts = useSecurityTexts(kind, refs)
  // The screen's own answer has the words of an enumeration, a cross-section their numbers.
  return useCallback(
    (row, ref) => {
      if (texts.words(ref)) return texts.place(row.code, ref)
      const own = row.values[ref]
      if (typeof own !== 'string') return read(row, ref)
      const at = factors.of(ref)?.values?.indexOf(own) ?? -1
      return at < 0 ? null : at
    },
    [read, factors, texts],
  )
}

/** Refs in groups of as many as the server takes; what is asked for later is a group of its own, so that the earlier stay as they are. */
function useChunks(kind: MarketId, refs: readonly string[]): readonly (readonly string[])[] {
  const [requested, setRequested] = useState<{ kind: MarketId; chunks: readonly (readonly string[])[] }>({ kind, chunks: [] })
  const chunks = requested.kind === kind ? requested.chunks : []
  const known = new Set(chunks.flat())
  const fresh = refs.filter((ref) => !known.has(ref))
  if (fresh.length === 0) return chunks
  const groups = Array.from({ length: Math.ceil(fresh.length / atMost) }, (_, i) => fresh.slice(i * atMost, (i + 1) * atMost))
  const next = [...chunks, ...groups]
  setRequested({ kind, chunks: next })
  return next
}

type Reader = (row: ScreenRow, ref: string) => number | null

/** One reader of all cross-sections that are here. */
function readerOf(answers: readonly { data: RealtimeFactors | undefined }[]): Reader {
  const sections = answers.flatMap(({ data }) => (data ? [sectionReader(data)] : []))
  return (row, ref) => {
    const own = row.values[ref]
    if (typeof own === 'number') return own
    for (const read of sections) {
      const value = read(row, ref)
      if (value !== null) return value
    }
    return null
  }
}

function sectionReader(section: RealtimeFactors): Reader {
  const places = new Map(section.codes?.map((code, index) => [code, index]))
  const columns = new Map(section.columns?.map((ref, index) => [ref, section.values?.[index]]))
  return (row, ref) => {
    const place = places.get(row.code)
    return place === undefined ? null : (columns.get(ref)?.[place] ?? null)
  }
}
