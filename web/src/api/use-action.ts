import { useState } from 'react'
import { CallError, sentenceOf } from './messages.ts'

export interface Act {
  busy: boolean
  /** Why the last one failed, to be said where it was asked for: most of these calls have no toast. */
  refused: string | null
  /** Runs one at a time; true when it was done. */
  run: (act: () => Promise<unknown>) => Promise<boolean>
}

/** State of a button whose press calls the server. */
export function useAction(): Act {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const run = async (act: () => Promise<unknown>) => {
    if (busy) return false
    setBusy(true)
    setRefused(null)
    try {
      await act()
      return true
    } catch (error) {
      // A login that is over has its own warning.
      if (!(error instanceof CallError && error.kind === 'login')) setRefused(sentenceOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, run }
}
