import { useEffect, useState } from 'react'

/** A text once it has stood still for so many milliseconds. What is no text is compared by its JSON. */
export function useSettled(text: string, after: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), after)
    return () => clearTimeout(timer)
  }, [text, after])
  return settled
}
