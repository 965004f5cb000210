import { calls } from '@convexa/contract/calls'
import type { DictionaryKey, DictionaryOption } from '@convexa/contract/reference'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { call } from './client.ts'
import { queries } from './query-cache.ts'

/** Dictionary key → what a form offers. */
export type Dictionaries = Partial<Record<DictionaryKey, readonly DictionaryOption[]>>

/** Attributes of securities; the dictionaries are built from each market's data. */
export const attributeDictionaries = [
  'cb_market',
  'cb_rating',
  'cb_yy_rating',
  'cb_industry_1',
  'cb_org_type',
  'cb_area',
  'stk_market',
  'stk_industry_1',
  'stk_org_type',
  'stk_area',
] as const satisfies readonly DictionaryKey[]

/** One dictionary, kept until the data it is made of change. Keys that are asked for at the same time travel in one call. */
const dictionaryQuery = (key: DictionaryKey) =>
  queryOptions({
    queryKey: ['dictionary', key],
    queryFn: () => together(key),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/**
 * The map of all that is known so far, merged as answers came.
 * @public read by tests, in a tab of their own
 */
export const knownDictionaries = (): Dictionaries =>
  Object.fromEntries(
    queries
      .getQueriesData<readonly DictionaryOption[]>({ queryKey: ['dictionary'] })
      .flatMap(([[, key], data]) => (data ? [[key, data]] : [])),
  )

/** Loads the absent ones of these dictionaries and returns all that are loaded. */
export async function needDictionaries(keys: readonly DictionaryKey[]): Promise<Dictionaries> {
  await Promise.all(keys.map((key) => queries.fetchQuery(dictionaryQuery(key))))
  return knownDictionaries()
}

/** These dictionaries on a page: empty until they are there. */
export function useDictionaries(...keys: DictionaryKey[]) {
  return useQueries({
    queries: keys.map(dictionaryQuery),
    combine: (results) => ({
      of: (key: DictionaryKey): readonly DictionaryOption[] => results[keys.indexOf(key)]?.data ?? [],
      loading: results.some(({ isFetching, data }) => isFetching && !data),
      error: results.find(({ error }) => error)?.error ?? null,
      retry: () => {
        for (const { error, refetch } of results) if (error) void refetch()
      },
    }),
  })
}

interface Batch {
  keys: Set<DictionaryKey>
  answer: Promise<ReadonlyMap<DictionaryKey, readonly DictionaryOption[]>>
}
let batch: Batch | null = null

async function together(key: DictionaryKey): Promise<readonly DictionaryOption[]> {
  batch ??= nextBatch()
  batch.keys.add(key)
  const { answer } = batch
  return (await answer).get(key) ?? []
}

/** Opens a batch that is sent one microtask later, so that keys requested in the same tick share a call. */
function nextBatch(): Batch {
  const keys = new Set<DictionaryKey>()
  const ask = async () => {
    await null
    batch = null
    const items = await call(calls.reference.dictionaryItems, { query: { keys: [...keys] } })
    return new Map(items.map(({ dictionary_key: each, options }) => [each, options]))
  }
  return { keys, answer: ask() }
}
