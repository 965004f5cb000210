import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { trackingQuery } from './strategy-queries.ts'

/** The day on which the rule of now was saved, where that is after `date`: a list of before was made by another rule. */
export function useChangedAfter(kind: MarketId, id: string, date: string | null): string | null {
  const { data } = useQuery({ ...trackingQuery(kind, id), enabled: date !== null })
  const saved = data?.saved_at.slice(0, 10)
  return date !== null && saved !== undefined && saved > date ? saved : null
}
