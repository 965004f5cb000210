import { calls } from '@convexa/contract/calls'
import type { ReportCore } from '@convexa/contract/report'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { type EqualAnswer, equalSettings } from './equal-run.ts'

export interface EqualRun {
  /** By place; null where it failed, or has no rule of its own. */
  answers: readonly (EqualAnswer | null)[]
  /** So many have been asked; null when it is over. */
  done: number | null
  error: unknown
}

/**
 * Every rule once more on the same terms, as quick runs one after the other: the server lets a newer one take the place of an older one. What was
 * computed is of those columns alone: others begin anew.
 */
export function useEqualRun(reports: readonly (ReportCore | null)[], key: string) {
  const [state, setState] = useState<(EqualRun & { of: string }) | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (range: { from: string; to: string }) => {
    const like = reports.find((report) => report !== null)
    if (!like) return
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    const answers: (EqualAnswer | null)[] = reports.map(() => null)
    let error: unknown = null
    for (const [place, report] of reports.entries()) {
      setState({ of: key, answers: [...answers], done: place, error })
      if (!report?.parameters) continue
      const body = { parameters: report.parameters, settings: equalSettings(report, like, range) }
      try {
        answers[place] = await call(calls[report.kind].quickBacktest, { body }, { signal: control.signal })
      } catch (failure) {
        if (control.signal.aborted) return
        error = failure
      }
    }
    setState({ of: key, answers, done: null, error })
  }
  return { run: state?.of === key ? state : null, start }
}
