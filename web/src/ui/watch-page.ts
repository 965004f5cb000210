import { watchRemovals } from './focus-after-removal.ts'
import { watchLeaving } from './leaving-text.ts'

/** Where the focus goes when something is removed, and what is copied or dragged out. @returns its end */
export function watchPage(): () => void {
  const ends = [watchRemovals(), watchLeaving()]
  return () => {
    for (const end of ends) end()
  }
}
