import { watchRemovals } from './focus-after-removal.ts'
import { watchLeaving } from './leaving-text.ts'
import { watchDrops } from './stray-drops.ts'

/** Where the focus goes when something is removed, what is copied or dragged out, and what is dropped. @returns its end */
export function watchPage(): () => void {
  const ends = [watchRemovals(), watchLeaving(), watchDrops()]
  return () => {
    for (const end of ends) end()
  }
}
