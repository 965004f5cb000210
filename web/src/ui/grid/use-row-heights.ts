import { type RefObject, useEffect, useState } from 'react'

/** Row and head heights of the density in force, read from the tokens. */
export function useRowHeights(frame: RefObject<HTMLElement | null>): readonly [row: number, head: number] {
  const [heights, setHeights] = useState<readonly [number, number]>([28, 28])
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
  }, [frame])
  return heights
}
