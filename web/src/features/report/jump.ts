import { showUpTo } from './lazy-part.tsx'

/** Where somebody went on purpose counts as reached, even when the page ends too early to bring it to the top. */
let requested: { readonly id: string; readonly at: number } | null = null

export const requestedPart = () => requested

/** Brings a part to the top of the page; what stands before it is drawn first, so that it stays there. */
export function go(id: string): void {
  requested = { id, at: performance.now() }
  showUpTo(id)
  document.getElementById(id)?.scrollIntoView({ block: 'start', behavior: 'auto' })
  window.dispatchEvent(new Event('scroll'))
}

/** A part above or around the one that was jumped to has changed its height: back to the top, unless somebody has moved on since. */
export function jumpAgain(): void {
  const wanted = requested
  if (wanted && performance.now() - wanted.at < 5_000) setTimeout(() => requested?.id === wanted.id && go(wanted.id), 0)
}

/** Moving on by oneself ends a jump. */
const movesOn = ['wheel', 'touchmove', 'pointerdown'] as const
const moveOn = () => {
  requested = null
}

/** Ends jumps by what the reader does. Returns what stops it. */
export function watchMoves(): () => void {
  for (const move of movesOn) window.addEventListener(move, moveOn, { passive: true })
  return () => {
    for (const move of movesOn) window.removeEventListener(move, moveOn)
  }
}
