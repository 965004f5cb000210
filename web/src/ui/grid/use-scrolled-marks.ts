import { useEffect } from 'react'

/** Marks the frame while something is scrolled under the pinned columns. */
export function useScrolledMarks(frame: { current: HTMLElement | null }, width: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have another width
  useEffect(() => {
    const box = frame.current
    if (!box) return
    const mark = () => {
      box.toggleAttribute('data-under-left', box.scrollLeft > 0)
      box.toggleAttribute('data-under-right', box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
    }
    mark()
    box.addEventListener('scroll', mark, { passive: true })
    const watch = new ResizeObserver(mark)
    watch.observe(box)
    return () => {
      box.removeEventListener('scroll', mark)
      watch.disconnect()
    }
  }, [frame, width])
}
