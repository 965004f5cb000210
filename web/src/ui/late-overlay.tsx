import { type ComponentType, type ReactNode, Suspense } from 'react'
import { whenIdle } from '../base/when-idle.ts'
import { lazyWithFallback } from './lazy-with-fallback.ts'

/**
 * A part that opens above the page: its code comes when the browser is idle, at the latest with the first use. `meanwhile` stands in its place
 * until then, `otherwise` where it does not come.
 */
export function lateOverlay<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  otherwise?: ComponentType<P>,
  meanwhile: (props: P) => ReactNode = () => null,
): (props: P) => ReactNode {
  whenIdle(() => void fetch().catch(() => {}))
  const Late = lazyWithFallback(fetch, otherwise) as ComponentType<P>
  return (props) => (
    <Suspense fallback={meanwhile(props)}>
      <Late {...props} />
    </Suspense>
  )
}
