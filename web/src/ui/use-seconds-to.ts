import { useEffect, useState } from 'react'

/** Whole seconds to a moment of the clock, however long the tab slept; 0 once it is past. */
export function useSecondsTo(moment: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    setNow(Date.now())
    if (moment === null) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= moment) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [moment])
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
}
