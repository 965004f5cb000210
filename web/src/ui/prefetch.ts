// A page's code is fetched before its link is followed (specification 9): 100 ms after the mouse or the focus came to the link,
// or once half of it is visible. Whoever saves data is left alone.

/** Hover and focus that only pass by fetch nothing. */
const patience = 100
const halfVisible = 0.5

let loadAhead: (path: string) => unknown = () => {}
/** How to load what an address needs: told once by the routes. A chunk that is there, or on its way, costs nothing to ask for again. */
export const prefetchBy = (load: (path: string) => unknown): void => void (loadAhead = load)

declare global {
  interface Navigator {
    /** Chromium only. */
    readonly connection?: { readonly saveData: boolean }
  }
}

function prefetch(path: string): void {
  if (!navigator.connection?.saveData) loadAhead(path)
}

/** For a link to this address, or for anything else that leads there. */
export function prefetchHandlers(path: string) {
  let timer: ReturnType<typeof setTimeout>
  const start = () => {
    clearTimeout(timer)
    timer = setTimeout(prefetch, patience, path)
  }
  const stop = () => clearTimeout(timer)
  return { onPointerEnter: start, onFocus: start, onPointerLeave: stop, onBlur: stop }
}

const watched = new Map<Element, string>()
let observer: IntersectionObserver | null = null

/** Fetches ahead when half of the element is seen; the returned function ends the watch. */
export function prefetchWhenSeen(element: Element, path: string): () => void {
  observer ??= new IntersectionObserver(onSeen, { threshold: halfVisible })
  watched.set(element, path)
  observer.observe(element)
  return () => unwatch(element)
}

function onSeen(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting, intersectionRatio } of entries) {
    const path = watched.get(target)
    if (!isIntersecting || intersectionRatio < halfVisible || path === undefined) continue
    unwatch(target)
    prefetch(path)
  }
}

function unwatch(element: Element): void {
  watched.delete(element)
  observer?.unobserve(element)
}
