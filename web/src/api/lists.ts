import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'

/** A list as a page shows it. Its call failed: no items of that call, the error, and `retry` for the button of an `ErrorBlock`. */
export interface List<Item> {
  items: readonly Item[]
  /** How many there are on all pages; the items' own number where the list is not paged. */
  total: number
  /** Nothing is known yet, or is asked for again. */
  loading: boolean
  error: Error | null
  retry(): void
}

/** What the lists of the wire look like (api.md 0.1): bare, paged or small collections, and the realtime factors. */
export type ListData =
  | readonly unknown[]
  | { readonly list_items: readonly unknown[]; readonly total?: number }
  | { readonly factors: readonly unknown[] }
export type ItemOf<Data> = Data extends readonly (infer Item)[]
  ? Item
  : Data extends { readonly list_items: readonly (infer Item)[] }
    ? Item
    : Data extends { readonly factors: readonly (infer Item)[] }
      ? Item
      : never

/** The items of a list, whatever its shape; none for what is no list. */
export function itemsOf<Data extends ListData>(data: Data | null | undefined): readonly ItemOf<Data>[] {
  if (Array.isArray(data)) return data
  const { list_items: items, factors } = (data ?? {}) as { list_items?: readonly ItemOf<Data>[]; factors?: readonly ItemOf<Data>[] }
  return items ?? factors ?? []
}

/**
 * A list call as a page uses it: it never throws, a failure is an empty list with a retry (specification 8).
 * A list that was here before a later call failed stays, with the error beside it.
 * @example const list = useList(groupsQuery); return list.error ? <ErrorBlock error={list.error} onRetry={list.retry} /> : …
 */
export function useList<Data extends ListData, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>): List<ItemOf<Data>> {
  const { data, error, isFetching, refetch } = useQuery(options)
  const items = itemsOf(data)
  const loading = data === undefined && isFetching
  return {
    items,
    total: (data && 'total' in data && data.total) || items.length,
    loading,
    error: loading ? null : error,
    retry: () => void refetch(),
  }
}
