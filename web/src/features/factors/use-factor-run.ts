import { calls } from '@convexa/contract/calls'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { queries, strategyOptionsQuery } from '../../api/queries.ts'
import { type Asked, type FactorRun, readRun, requestOf } from './run-model.ts'

export interface FactorRunState {
  /** The last one that came back; it stays while the next is on its way. */
  run: FactorRun | null
  running: boolean
  error: unknown
  /** The server's own word against the formula. */
  refused: string | null
}

const nothing: FactorRunState = { run: null, running: false, error: null, refused: null }

/** Runs a factor on a security and a day; the next run ends the one before. `subject`: another factor begins with nothing. */
export function useFactorRun(kind: MarketId, subject: string) {
  const [state, setState] = useState<FactorRunState>(nothing)
  const now = useRef<AbortController | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per factor
  useEffect(() => {
    setState(nothing)
    return () => now.current?.abort()
  }, [kind, subject])
  const start = async (request: Asked) => {
    now.current?.abort()
    const control = new AbortController()
    now.current = control
    setState((before) => ({ ...before, running: true, error: null, refused: null }))
    const params = { id: markets[kind].segment }
    const answer = await call(calls.quant.factorRunning, { params, body: requestOf(request) }, { signal: control.signal }).then(
      (result) => ({ result, error: null }),
      (error: unknown) => ({ result: null, error }),
    )
    if (control.signal.aborted) return
    // How many are left today is among the options.
    void queries.invalidateQueries({ queryKey: strategyOptionsQuery.queryKey })
    if (!answer.result) return setState((before) => ({ ...before, running: false, error: answer.error }))
    const read = readRun(request, answer.result)
    setState((before) =>
      'refused' in read ? { ...before, running: false, refused: read.refused } : { run: read, running: false, error: null, refused: null },
    )
  }
  const cancel = () => {
    now.current?.abort()
    setState((before) => ({ ...before, running: false }))
  }
  return { ...state, start, cancel }
}

export const timedOut = (error: unknown): boolean => error instanceof CallError && error.kind === 'timeout'
