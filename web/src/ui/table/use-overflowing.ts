import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has more to show than fits: only then is it a stop of the keyboard. */
export function useOverflowing(box: RefObject<HTMLElement | null>): boolean {
  const [more, setMore] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setMore(element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    if (element.firstElementChild) watch.observe(element.firstElementChild)
    return () => watch.disconnect()
  }, [box])
  return more
}
