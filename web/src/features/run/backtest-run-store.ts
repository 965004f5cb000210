import { calls } from '@convexa/contract/calls'
import { type MarketId, marketIds } from '@convexa/contract/enums/market'
import { create } from 'zustand'
import { CallError, messages, sentenceOf } from '../../api/messages.ts'
import { queries, strategyOptionsQuery } from '../../api/queries.ts'
import { subscribe } from '../../api/stream.ts'
import { onOtherUser, useAuth } from '../../state/auth.ts'
import { parameters, settings } from '../../state/rule-shapes.ts'
import { atLeast, oneOf, optional, orNull, text } from '../../state/shapes.ts'
import { userStorage } from '../../state/user-storage.ts'
import { isActive, newRun, type RunAction, type RunRequest, type RunState, reduceRun } from './backtest-run.ts'
import { keepRunName } from './backtest-run-names.ts'

// The runs of this tab live here, above the router: changing the page keeps them, closing the tab ends them.

interface Runs {
  runs: readonly RunState[]
  /** Starts a run and gives its key. */
  start(request: RunRequest): string
  /** Closes the stream, which cancels the run on the server; what was computed stays to be seen. */
  cancel(key: string): void
  /** Takes an ended run off the list. */
  dismiss(key: string): void
}

const streams = new Map<string, AbortController>()
const lastKey = (kind: MarketId) => `lastRun:${kind}`
/** The request of the newest run of a market in this browser. */
export const lastRequest = (kind: MarketId): RunRequest | null => userStorage.read(lastKey(kind), shape)
const shape = atLeast<RunRequest>({
  ...{ kind: oneOf(...marketIds), name: text, note: text, parameters: orNull(parameters), settings },
  ...{ strategyId: optional(text), groupId: optional(text) },
})

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const useRuns = create<Runs>((set, get) => {
  const act = (key: string, action: RunAction) =>
    set(({ runs }) => ({ runs: runs.map((run) => (run.key === key ? reduceRun(run, action) : run)) }))
  return {
    runs: [],
    start(request) {
      const key = newKey()
      const previous = lastRequest(request.kind)
      userStorage.write(lastKey(request.kind), request)
      // One run of a market is looked at; what ended before it is over.
      const kept = get().runs.filter((run) => isActive(run) || run.request.kind !== request.kind)
      set({ runs: [...kept, newRun(key, request, performance.now(), previous)] })
      void follow(key, request, (action) => act(key, action))
      return key
    },
    cancel(key) {
      act(key, { type: 'cancel', at: performance.now() })
      streams.get(key)?.abort()
    },
    dismiss(key) {
      set(({ runs }) => ({ runs: runs.filter((run) => run.key !== key || isActive(run)) }))
    },
  }
})

/** A rule, with the strategy that it is of; or a group by its id. */
function bodyOf(key: string, { note, parameters, settings, strategyId, groupId }: RunRequest) {
  const more = { settings, client_run_id: key, ...(note ? { note } : {}) }
  if (parameters) return { parameters, ...more, ...(strategyId ? { strategy_id: strategyId } : {}) }
  return { group_id: groupId ?? '', ...more }
}

async function follow(key: string, request: RunRequest, act: (action: RunAction) => void): Promise<void> {
  const stream = new AbortController()
  streams.set(key, stream)
  const { kind } = request
  const body = bodyOf(key, request)
  let ended = false
  let counted = false
  try {
    for await (const event of subscribe(calls[kind].backtest, { body }, stream.signal)) {
      if (!counted) usesChanged()
      counted = true
      if (event.type === 'result') {
        ended = true
        keepRunName(event.backtest_id, request.name)
      }
      act({ type: 'event', event, at: performance.now() })
    }
    // A stream that ends without saying how is a broken one (reliability.md 4.1).
    if (!ended) act({ type: 'fail', message: messages.streamUnreadable, code: 0, at: performance.now() })
  } catch (error) {
    if (stream.signal.aborted) act({ type: 'cancel', at: performance.now() })
    else act({ type: 'fail', message: sentenceOf(error), code: error instanceof CallError ? error.code : 0, at: performance.now() })
  } finally {
    streams.delete(key)
    usesChanged()
  }
}

/** How many are left today is among the options: one is taken as a run begins, and may be given back as it ends. */
const usesChanged = () => void queries.invalidateQueries({ queryKey: strategyOptionsQuery.queryKey })

function forgetRuns(): void {
  if (useRuns.getState().runs.length === 0) return
  for (const stream of streams.values()) stream.abort()
  useRuns.setState({ runs: [] })
}

/** A login that ended takes its runs with it; so does another person's, begun in another tab. */
useAuth.subscribe(({ tokenData }) => {
  if (!tokenData) forgetRuns()
})
onOtherUser(forgetRuns)
