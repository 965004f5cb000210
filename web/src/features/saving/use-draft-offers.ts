import { useEffect } from 'react'
import { useStrategies } from '../../state/drafts.ts'

/** Offers unsaved drafts back, as a toast, after something else was opened over them. */
export function useDraftOffers(): void {
  const left = useStrategies((state) => state.left)
  useEffect(() => {
    if (left.length === 0) return
    useStrategies.setState({ left: [] })
    void import('./draft-offers.ts').then(({ offer }) => offer(left)).catch(() => {})
  }, [left])
}
