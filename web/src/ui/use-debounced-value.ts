import { useEffect, useState } from 'react'

/**
 * Debounce: the newest value once it has not changed for `debounceMs`. The first value after null counts at once; null keeps the last value.
 * @param isSame a function that stays the same; what is the same as the last value is no change
 */
export function useDebouncedValue<T>(value: T, debounceMs: number, isSame: (one: T, other: T) => boolean = Object.is): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    if (value === null || isSame(value, debounced)) return
    const timer = setTimeout(() => setDebounced(value), debounced === null ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [value, debounced, debounceMs, isSame])
  return debounced
}
