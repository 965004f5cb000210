import { type ComponentProps, Suspense } from 'react'
import { late } from '../../ui/late.ts'
import type { DataLamp } from './data-lamp.tsx'

const Lamp = late(async () => (await import('./data-lamp.tsx')).DataLamp)

/** The lamp asks the server before it can say anything: its code need not come with the page. */
export const LateLamp = (props: ComponentProps<typeof DataLamp>) => (
  <Suspense>
    <Lamp {...props} />
  </Suspense>
)
