import { useEffect, useState } from 'react'
import { useAuth } from './auth.ts'

/** Seconds before its end at which a login says that it ends (WCAG 2.2.1). */
const ahead = 60
/** A timer of a browser holds no more than this. */
const longest = 2 ** 31 - 1

/** The moment at which the login ends, from a minute before it until it is past; else null. */
export function useLoginEnd(): number | null {
  const end = useAuth(({ tokenData }) => tokenData?.ends_at ?? null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    setNear(false)
    if (end === null) return
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      clearTimeout(timer)
      const left = end - Date.now()
      setNear(left > 0 && left <= ahead * 1000)
      if (left > 0) timer = setTimeout(look, Math.min(longest, left > ahead * 1000 ? left - ahead * 1000 : left))
    }
    look()
    // Timers do not advance while the machine sleeps.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [end])
  // A renewal may have moved the end before the timer is reset.
  return near && end !== null && end - Date.now() <= ahead * 1000 ? end : null
}
