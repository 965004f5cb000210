// What happens when a page is come to: it begins at its top, or where it was left when one goes back to it; the reader's focus is
// on its heading; and it is remembered as the one used last.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { countVisit } from '../features/site-status/visits.ts'
import { chainAt } from '../routing/page-at.ts'
import { innerPages } from '../routing/page-table.ts'
import { keepLastChild } from '../state/last-pages.ts'
import { finite, recordOf } from '../state/shapes.ts'
import { session } from '../state/storage.ts'
import { takeFocus } from '../ui/take-focus.ts'

let arrivedAt: string | null = null
/** Since the address changed the user pressed something: a menu that they opened meanwhile must not close under them. */
let pressed = false

/** Called beside all pages, of each address anew: from then on it is known whether its page is still waited for idly. */
export function useDeparture(): void {
  useLayoutEffect(() => {
    pressed = false
    const listeners = new AbortController()
    const press = () => {
      pressed = true
      listeners.abort()
    }
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, press, { signal: listeners.signal, capture: true })
    return () => listeners.abort()
  }, [])
}

/** Called for each new address, once the code of its page is loaded and rendered. */
export function useArrival(): void {
  const { pathname } = useLocation()
  const wasLedHere = useRef(false)
  // A layout effect runs before the page is painted: a visit counts even if the user leaves at once.
  useLayoutEffect(() => {
    if (arrivedAt === pathname) return
    wasLedHere.current = arrivedAt !== null
    arrivedAt = pathname
    remember(pathname)
  }, [pathname])
  useEffect(() => {
    if (wasLedHere.current) focusHeading()
    wasLedHere.current = false
  }, [])
}

function remember(pathname: string): void {
  const chain = chainAt(pathname)
  const page = chain.at(-1)
  if (!page || page.path.includes(':')) return
  if (innerPages.includes(chain[0]!)) countVisit(page.path)
  for (const [i, child] of chain.slice(1).entries()) keepLastChild(chain[i]!.path, child.path)
}

/** The heading of a page, unless the page puts the focus somewhere itself, as a form or a dialog does, or the user has put it elsewhere. */
function focusHeading(): void {
  const chosen = document.activeElement
  if (chosen?.closest('main, [data-modal]')) return
  if (pressed && chosen && chosen !== document.body) return
  const heading = ['main h1', 'h1', 'main'].map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null)
  if (heading) takeFocus(heading)
}

const storageKey = 'scroll'
/** How far each entry of the history was scrolled: of this tab, past a reload. */
const places: Record<string, number> = session.read(storageKey, recordOf(finite)) ?? {}
/** Contents may come later than the page: so long is a place waited for. */
const patience = 3_000

export function useScroll(): void {
  const { key, pathname } = useLocation()
  // Every address that is loaded afresh has the same key: it alone would bring the place of the page before.
  const entry = `${key} ${pathname}`
  const way = useNavigationType()
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const keep = () => session.write(storageKey, places)
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a filter in the address changes the entry, not the page
  useLayoutEffect(() => {
    if (way === 'POP') return scrollWhenLong(places[entry] ?? 0)
    window.scrollTo(0, 0)
  }, [placeOf(pathname)])
  useEffect(() => {
    const keep = () => {
      places[entry] = window.scrollY
    }
    places[entry] ??= window.scrollY
    window.addEventListener('scroll', keep, { passive: true })
    return () => window.removeEventListener('scroll', keep)
  }, [entry])
}

/** A drawer's address shows the page that it lies over. */
function placeOf(pathname: string): string {
  const page = chainAt(pathname).at(-1)
  const over = page && !page.code && !page.leads
  return over ? pathname.slice(0, pathname.lastIndexOf('/')) : pathname
}

/** Scrolls as soon as the page is long enough, unless the user begins to move first; the returned function ends the waiting. */
function scrollWhenLong(place: number): () => void {
  const until = performance.now() + patience
  const moved = new AbortController()
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(event, () => moved.abort(), { signal: moved.signal, passive: true })
  const attempt = () => {
    if (moved.signal.aborted) return
    window.scrollTo(0, place)
    if (Math.abs(window.scrollY - place) < 2 || performance.now() > until) return moved.abort()
    requestAnimationFrame(attempt)
  }
  attempt()
  return () => moved.abort()
}
