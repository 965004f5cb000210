import type { Website } from '@convexa/contract/system'
import { useSyncExternalStore } from 'react'
import { queries, websiteKey } from './query-cache.ts'

const siteNow = () => queries.getQueryData<Website>(websiteKey)
/** After the step that told: a question is also begun while another part is being drawn. */
const subscribe = (changed: () => void) =>
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === websiteKey[0]) queueMicrotask(changed)
  })

/** What is known of the site without asking for it: for the first chunk, which does not hold the asking hooks. */
export const useSiteNow = (): Website | undefined => useSyncExternalStore(subscribe, siteNow)
