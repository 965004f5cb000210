import { calls } from '@convexa/contract/calls'
import type { DryRun, DryRunBody } from '@convexa/contract/qmt-basket'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { qmtChanged } from '../qmt-queries.ts'

export interface Running {
  result: DryRun | null
  /** When the result was made. */
  at: Date | null
  error: unknown
  busy: boolean
  /** true when there is a new result. */
  run: (body: DryRunBody) => Promise<boolean>
  cancel: () => void
}

/** Dry runs of one config, one at a time; the result of before stays until there is another. */
export function useDryRun(id: string): Running {
  const [state, setState] = useState<Pick<Running, 'result' | 'at' | 'error' | 'busy'>>({
    result: null,
    at: null,
    error: null,
    busy: false,
  })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (body: DryRunBody) => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    setState((before) => ({ ...before, busy: true, error: null }))
    try {
      const result = await call(calls.qmt.dryRun, { params: { id }, body }, { signal })
      if (signal.aborted) return false
      setState({ result, at: new Date(), error: null, busy: false })
      void qmtChanged()
      return true
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, error, busy: false }))
      return false
    }
  }
  const cancel = () => {
    running.current?.abort()
    setState((before) => ({ ...before, busy: false }))
  }
  return { ...state, run, cancel }
}
