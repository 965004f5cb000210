import { type ComponentProps, Suspense } from 'react'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import type { DataStatusBadge } from './data-status-badge.tsx'

const Lamp = lazyWithFallback(async () => (await import('./data-status-badge.tsx')).DataStatusBadge)

/** The lamp asks the server before it can say anything: its code need not come with the page. */
export const LateLamp = (props: ComponentProps<typeof DataStatusBadge>) => (
  <Suspense>
    <Lamp {...props} />
  </Suspense>
)
