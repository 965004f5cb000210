import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

// A report is long and read from the top: what lies far below is drawn when it comes near, or when it is wanted (a jump, a print).

const waiting = new Map<HTMLElement, () => void>()

function draw(wanted: (part: HTMLElement) => boolean): void {
  const shows = [...waiting].flatMap(([part, show]) => (wanted(part) ? [show] : []))
  if (shows.length === 0) return
  flushSync(() => {
    for (const show of shows) show()
  })
}

/** Draws the part of this id and all that stand before it: so it stays where one is taken to. */
export function showUpTo(id: string): void {
  const target = document.getElementById(id)
  if (!target) return
  draw((part) => part.contains(target) || (part.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)
}

export const showAll = (): void => draw(() => true)

/** A part of the report; until it is drawn, an empty place of about its height. */
export function LazyPart({ id, height, children }: { id?: string; height: number; children: () => ReactNode }) {
  const [shown, setShown] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (shown || !element) return
    const show = () => setShown(true)
    waiting.set(element, show)
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && show(), { rootMargin: '700px 0px' })
    observer.observe(element)
    return () => {
      waiting.delete(element)
      observer.disconnect()
    }
  }, [shown])
  return (
    <div ref={place} id={id} className="report-part" style={shown ? undefined : { minHeight: height }}>
      {shown && children()}
    </div>
  )
}
