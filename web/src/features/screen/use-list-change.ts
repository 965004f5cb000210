import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { closedDatesQuery, securitiesQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { changesOf, type ListChange, type NamedCode, tradingDayBefore } from '../current-list/list-change.ts'
import { useFactors } from '../rule/factors.ts'

export interface ListChangeView {
  /** The screen of now; null while it is computed or when it failed. */
  result: ScreenResult | null
  changes: readonly ListChange[]
  /** Day of the list that it is compared with. */
  day: string | null
  error: Error | null
  retry(): void
}

/**
 * The list of a rule now against `previous`: its screen of now, and that of the day of the list for the places of then. Without that day the
 * reasons are shorter, nothing else. Without a rule nothing is asked. `changedOn`: the day on which the rule became another after that list.
 */
export function useListChange(
  kind: MarketId,
  parameters: Parameters | null,
  previous: readonly NamedCode[],
  since: string | null,
  changedOn: string | null = null,
): ListChangeView {
  const version = useSite().data_version[kind]
  const { factors } = useFactors(kind)
  const { data: securities } = useQuery(securitiesQuery(kind))
  const codes = previous.map(({ code }) => code)
  const now = useQuery({
    queryKey: ['screen', kind, version, 'change', parameters, codes],
    queryFn: ({ signal }) => {
      if (!parameters) throw new Error('no rule to screen by')
      return call(calls[kind].realtimeScreen, { body: { parameters, previous: codes, need: ['list', 'excluded', 'funnel'] } }, { signal })
    },
    enabled: parameters !== null,
    retry: false,
  })
  const newest = now.data?.trade_date ?? null
  const closed = useQuery({ ...closedDatesQuery(Number((newest ?? '').slice(0, 4))), enabled: newest !== null && since === null }).data
  const day = since ?? (newest && closed ? tradingDayBefore(newest, new Set(closed.dates)) : null)
  const earlier = useQuery({
    queryKey: ['history-screen', kind, version, 'change', parameters, day],
    queryFn: ({ signal }) => {
      if (!parameters || !day) throw new Error('no day to screen')
      return call(calls[kind].historyScreen, { body: { parameters, trade_date: day, need: ['list', 'excluded', 'funnel'] } }, { signal })
    },
    enabled: parameters !== null && day !== null && newest !== null && day !== newest,
    retry: false,
  })
  const result = now.data ?? null
  return {
    result,
    changes:
      result && parameters
        ? changesOf(result, previous, {
            earlier: earlier.data?.results[0] ?? null,
            rule: parameters,
            factors,
            before: since === null ? '昨天' : (day ?? undefined),
            changedOn,
            securities,
          })
        : [],
    day,
    error: now.error,
    retry: () => void now.refetch(),
  }
}
