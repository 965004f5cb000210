import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

// A report is long and read from the top: what lies far below is drawn when it comes near, or when it is wanted (a jump, a print).

interface Waiting {
  readonly show: () => void
  /** It is costly, and so it is not drawn for what stands below it. */
  readonly costly: boolean
}
const waiting = new Map<HTMLElement, Waiting>()
/** While everything is drawn, what appears is drawn at once. */
let drawsAll = false

function draw(wanted: (part: HTMLElement, costly: boolean) => boolean): void {
  const shows = [...waiting].flatMap(([part, { show, costly }]) => (wanted(part, costly) ? [show] : []))
  if (shows.length === 0) return
  flushSync(() => {
    for (const show of shows) show()
  })
}

/** Draws the part of this id and all that stand before it: so it stays where one is taken to. */
export function showUpTo(id: string): void {
  const target = document.getElementById(id)
  if (!target) return
  draw(
    (part, costly) => !costly && (part.contains(target) || (part.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0),
  )
}

export function showAll(): void {
  drawsAll = true
  try {
    draw(() => true)
  } finally {
    drawsAll = false
  }
}

/** Whether the element is to be drawn: it has come within `margin` of the screen, or everything is drawn. */
function useShown(margin: string, costly: boolean) {
  const [shown, setShown] = useState(drawsAll)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (shown || !element) return
    const show = () => setShown(true)
    waiting.set(element, { show, costly })
    // Of one that came and went while the page was busy there are several entries.
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && show(), { rootMargin: margin })
    observer.observe(element)
    return () => {
      waiting.delete(element)
      observer.disconnect()
    }
  }, [shown, margin, costly])
  return [place, shown] as const
}

/** A part of the report; until it is drawn, an empty place of about its height. */
export function LazyPart({ id, height, children }: { id?: string; height: number; children: () => ReactNode }) {
  const [place, shown] = useShown('700px 0px', false)
  return (
    <div ref={place} id={id} className="report-part" style={shown ? undefined : { minHeight: height }}>
      {shown && children()}
    </div>
  )
}

/** What costs the server a computation: until it comes into view below the headers, its frame stands there. */
export function CostlyPart({ frame, children }: { frame: ReactNode; children: () => ReactNode }) {
  const [place, shown] = useShown('-160px 0px 0px', true)
  return shown ? children() : <div ref={place}>{frame}</div>
}
