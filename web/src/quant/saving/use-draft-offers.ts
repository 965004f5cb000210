import { useEffect } from 'react'
import { useStrategies } from '../../state/drafts.ts'

/** Whoever opened something over changes that were not saved is told where these are. */
export function useDraftOffers(): void {
  const left = useStrategies((state) => state.left)
  useEffect(() => {
    if (left.length === 0) return
    useStrategies.setState({ left: [] })
    void import('./draft-offers.ts').then(({ offer }) => offer(left)).catch(() => {})
  }, [left])
}
