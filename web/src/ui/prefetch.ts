// Prefetches a page's code before its link is followed (specification 9): 100 ms after hover or focus, or once half of the link is
// visible. Visible links wait until the current page has loaded, and are then fetched one page at a time. Nothing is prefetched in
// the browser's data saving mode.

/** Delay after hover or focus in milliseconds, so that passing over a link fetches nothing. */
const patience = 100
const halfVisible = 0.5
/** Interval of checks whether the current page has loaded, in milliseconds. */
const idleMs = 500

let loadAhead: (path: string) => unknown = () => {}
let isBusy = () => false
/**
 * Registers how to load what an address needs, and whether the current page is still loading; called once by the routes. Loading a
 * chunk again that is loaded or on its way costs nothing.
 */
export function prefetchBy(load: (path: string) => unknown, busy: () => boolean): void {
  loadAhead = load
  isBusy = busy
}

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

const seen = new Set<string>()

function prefetchInTurn(path: string): void {
  if (seen.size === 0) setTimeout(next, idleMs)
  seen.add(path)
}

function next(): void {
  const [path] = seen
  if (path !== undefined && !isBusy()) {
    seen.delete(path)
    prefetch(path)
  }
  if (seen.size > 0) setTimeout(next, idleMs)
}

function onSeen(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting, intersectionRatio } of entries) {
    const path = watched.get(target)
    if (!isIntersecting || intersectionRatio < halfVisible || path === undefined) continue
    unwatch(target)
    prefetchInTurn(path)
  }
}

function unwatch(element: Element): void {
  watched.delete(element)
  observer?.unobserve(element)
}
