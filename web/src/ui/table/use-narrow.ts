import { useSyncExternalStore } from 'react'

const phone = '(max-width: 768px)'
const subscribe = (heard: () => void) => {
  const query = window.matchMedia(phone)
  query.addEventListener('change', heard)
  return () => query.removeEventListener('change', heard)
}

/** A phone, or a window as narrow as one. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(phone).matches)
