import { useSyncExternalStore } from 'react'

/** Whether the window is at most so wide, now and after it changes. */
function narrowerThan(width: number): () => boolean {
  const query = () => window.matchMedia(`(max-width: ${width}px)`)
  const follow = (changed: () => void): (() => void) => {
    const list = query()
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  const now = () => query().matches
  return () => useSyncExternalStore(follow, now)
}

const phoneWidth = 768
/** The window is as narrow as a phone's; a desktop window zoomed to 200 % is too. */
export const usePhone = narrowerThan(phoneWidth)
/** The same outside of a page; where there is no window it is not narrow. */
export const isPhone = (): boolean => typeof matchMedia === 'function' && matchMedia(`(max-width: ${phoneWidth}px)`).matches
/** Too narrow for panels side by side and a wide table beside them. */
export const useNarrow = narrowerThan(1_280)
