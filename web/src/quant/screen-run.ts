import { calls } from '@convexa/contract/calls'
import type { RealtimeFactors } from '@convexa/contract/factor'
import type { Kind } from '@convexa/contract/market'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { useMarket } from '../market/market-context.tsx'
import { useSite } from '../state/site.ts'
import { sendable } from './draft.ts'
import type { Factors } from './factors.ts'
import { type Mistake, parameterMistakes } from './validate.ts'

/** A change waits this long for the next before the server is asked. */
const settle = 400

const need = ['list', 'reserve', 'excluded', 'funnel'] as const

export interface ScreenRun {
  result: ScreenResult | null
  /** What the result was made of. */
  parameters: Parameters | null
  /** The result is of an earlier draft: a new one is on its way, failed, or the draft has a mistake. */
  stale: boolean
  running: boolean
  /** Why nothing is asked for: the draft's mistakes. */
  mistakes: readonly Mistake[]
  error: unknown
  run(): void
}

/** The screen of a draft: asked for as the draft settles, the last good answer kept until the next is there. */
export function useScreen(parameters: Parameters | null): ScreenRun {
  const market = useMarket()
  const version = useSite().data_version[market.kind]
  const mistakes = useMemo(() => (parameters ? parameterMistakes(parameters, market) : []), [parameters, market])
  const valid = useMemo(() => (parameters && mistakes.length === 0 ? sendable(parameters) : null), [parameters, mistakes])
  const settled = useSettled(valid)
  const query = useQuery({
    queryKey: ['screen', market.kind, version, settled],
    queryFn: async ({ signal }) => {
      if (!settled) throw new Error('nothing to screen')
      const result = await call(calls[market.kind].realtimeScreen, { body: { parameters: settled, need: [...need] } }, { signal })
      return { result, parameters: settled }
    },
    enabled: settled !== null,
    retry: false,
  })
  const last = useRef<{ result: ScreenResult; parameters: Parameters } | null>(null)
  if (query.data) last.current = query.data
  const shown = query.data ?? last.current
  return {
    result: shown?.result ?? null,
    parameters: shown?.parameters ?? null,
    stale: shown !== null && (shown.parameters !== valid || query.isError),
    running: query.isFetching,
    mistakes,
    error: query.error,
    run: () => void query.refetch(),
  }
}

/** The newest value, once it has stopped changing; the first at once. */
function useSettled<T>(value: T | null): T | null {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === null || value === settled) return
    const timer = setTimeout(() => setSettled(value), settled === null ? 0 : settle)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}

/** The server takes this many factors in one cross-section. */
const atMost = 20

/** A reader of a row's factor: from the screen's own answer, else from the cross-section of that day. */
export function useCells(kind: Kind, result: ScreenResult | null, refs: readonly string[], factors: Factors): Reader {
  const first = result?.list_items[0]
  const missing = useMemo(
    () => (first ? refs.filter((ref) => !(ref in first.values) && factors.of(ref)?.available) : []),
    [first, refs, factors],
  )
  const date = result?.realtime ? null : (result?.trade_date ?? null)
  return useQueries({
    queries: useChunks(kind, missing).map((keys) => ({
      queryKey: ['cross-section', kind, result?.data_version, result?.trade_date, keys],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(calls[kind].realtimeFactors, { query: { with_values: '1', keys: [...keys], ...(date ? { date } : {}) } }, { signal }),
      enabled: result !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: readerOf,
  })
}

/** Refs in groups of as many as the server takes; what is asked for later is a group of its own, so that the earlier stay as they are. */
function useChunks(kind: Kind, refs: readonly string[]): readonly (readonly string[])[] {
  const [asked, setAsked] = useState<{ kind: Kind; chunks: readonly (readonly string[])[] }>({ kind, chunks: [] })
  const chunks = asked.kind === kind ? asked.chunks : []
  const known = new Set(chunks.flat())
  const fresh = refs.filter((ref) => !known.has(ref))
  if (fresh.length === 0) return chunks
  const groups = Array.from({ length: Math.ceil(fresh.length / atMost) }, (_, i) => fresh.slice(i * atMost, (i + 1) * atMost))
  const next = [...chunks, ...groups]
  setAsked({ kind, chunks: next })
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
