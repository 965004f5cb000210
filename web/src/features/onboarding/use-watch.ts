import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { marketOfSegment } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'

/** Ticks off what a newcomer has done, by where they are: the pages themselves know nothing of the list. */
export function useChecklistWatch(): void {
  const { pathname, search } = useLocation()
  const market = marketOfSegment(pathname.split('/')[2])
  const hasRule = useStrategies(({ drafts }) => market !== null && drafts[market.id] !== null)
  useEffect(() => {
    void import('./checklist.ts')
      .then(({ finishedBy, useChecklist }) => {
        for (const task of finishedBy(pathname, search, hasRule)) useChecklist.getState().finish(task)
      })
      .catch(() => {})
  }, [pathname, search, hasRule])
}
