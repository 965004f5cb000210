import { type RefObject, useEffect, useState } from 'react'
import { usePhone } from '../../base/use-phone.ts'

/** Row and head heights of the density in force, or of the phone, as the styles have them. */
export function useRowHeights(frame: RefObject<HTMLElement | null>): readonly [row: number, head: number] {
  const [heights, setHeights] = useState<readonly [number, number]>([28, 28])
  const phone = usePhone()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the phone's styles are others
  useEffect(() => {
    const read = () => {
      if (!frame.current) return
      const style = getComputedStyle(frame.current)
      const size = (name: string) => Number.parseFloat(style.getPropertyValue(name))
      setHeights([size('--grid-row'), size('--grid-head')])
    }
    read()
    const watch = new MutationObserver(read)
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] })
    return () => watch.disconnect()
  }, [frame, phone])
  return heights
}
