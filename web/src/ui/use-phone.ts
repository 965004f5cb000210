import { useSyncExternalStore } from 'react'

const narrow = () => window.matchMedia('(max-width: 768px)')

function follow(changed: () => void): () => void {
  const query = narrow()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The window is as narrow as a phone's; a desktop window zoomed to 200 % is too. */
export const usePhone = (): boolean => useSyncExternalStore(follow, () => narrow().matches)
