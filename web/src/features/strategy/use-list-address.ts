import { parseMarketId } from '@convexa/contract/enums/market'
import { useSearchParams } from 'react-router'

/** The filters of a list as the address has them; `set` changes some, null takes one out. */
export function useListAddress() {
  const [query, setQuery] = useSearchParams()
  const kind = parseMarketId(query.get('kind'))
  const view = query.get('view') === 'cards' ? ('cards' as const) : ('table' as const)
  const set = (change: Record<string, string | null>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries(change)) {
          if (value === null) next.delete(key)
          else next.set(key, value)
        }
        return next
      },
      { replace: true },
    )
  return { query, kind, view, typed: query.get('q') ?? '', sort: query.get('sort'), set }
}
