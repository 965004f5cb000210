import { type ReactNode, useMemo, useState } from 'react'
import { pointerOf, TimeLinkContext, type TimeRange } from './link.ts'

/** What is inside shares one range of time and one pointer. */
export function LinkedCharts({ children }: { children: ReactNode }) {
  const [range, setRange] = useState<TimeRange | null>(null)
  const pointer = useMemo(pointerOf, [])
  const link = useMemo(() => ({ range, setRange, pointer }), [range, pointer])
  return <TimeLinkContext value={link}>{children}</TimeLinkContext>
}
