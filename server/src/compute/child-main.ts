import { errorCodes } from '@convexa/contract/enums/error-code'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import { learnYears } from '../market/calendar.ts'
import { collect, collectWhenIdle } from './collect.ts'
import { liveDays } from './live-days.ts'
import { type LoadedPanel, panelCache } from './panel-cache.ts'
import { stackOf, threadPool } from './pool.ts'
import type { FromChild, Outcome, Task, TaskValue, ToChild } from './protocol.ts'
import { rejection, rejectionOfProblem } from './rejection.ts'
import { readsOf } from './required-data.ts'
import { marketOf } from './run-task.ts'

// The compute child: owns the panels and the threads, talks only to the worker that forked it. Its main thread does not compute:
// need (which fields) → load (exactly those) → compute (in a thread).

const [threads = '3', panelMb = '1024', heapMb = '768', stLimitFrom] = process.argv.slice(2)

const send = (message: FromChild) => {
  // A failed send means that the worker is gone.
  if (process.connected) process.send?.(message, undefined, undefined, (error) => error && process.exit(0))
}

/** Simulated runs are kept in what panels leave, a quarter at most. */
const keptBytes = Math.min(256, Number(panelMb) / 4) * 1024 * 1024
const pool = threadPool(Number(threads), Number(heapMb), undefined, undefined, keptBytes)
const cache = panelCache(
  Number(panelMb) * 1024 * 1024 - keptBytes,
  (bytes) => send({ type: 'memory', bytes: bytes + keptBytes }),
  (key) => {
    pool.forget(key)
    days.forget(key)
    setImmediate(collect)
  },
  stLimitFrom === undefined ? undefined : { stLimitFrom: stLimitFrom === 'off' ? null : stLimitFrom },
)
const days = liveDays(lay)
/** What stops a task, by its id. */
const running = new Map<number, () => void>()

process.on('message', (message: ToChild) => {
  if (message.type === 'task') void take(message.task)
  else if (message.type === 'quotes') days.tell(message.quotes)
  else if (message.type === 'calendar') learnYears(message.years)
  else running.get(message.id)?.()
})
// The parent's end is ours: no orphan outlives its worker.
process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole group; the worker decides when we end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => process.exit(0))

setInterval(() => send({ type: 'alive' }), 1_000).unref()
send({ type: 'ready' })

async function take({ id, files, work, guest }: Task): Promise<void> {
  const done = (outcome: Outcome<TaskValue>, ms = 0, stack?: string, mismatch?: string) => {
    running.delete(id)
    send({ type: 'done', id, outcome, ms, ...(stack !== undefined && { stack }), ...(mismatch !== undefined && { mismatch }) })
  }
  let aborted = false
  running.set(id, () => {
    aborted = true
  })
  try {
    if (files === null || work.call === 'storedParts') {
      const stop = pool.run({ work, data: null, available: nothing, ...(guest && { guest }), onProgress: () => {}, onDone: done })
      if (running.has(id)) running.set(id, stop)
      return
    }
    const market = marketOf(files.kind, work)
    const available = await readable(cache.available(files))
    const needs = readsOf(work, market, available)
    if (!needs.ok) return done(rejectionOfProblem(needs.problem))
    if (work.call === 'backtest') send({ type: 'progress', id, items: [{ type: 'stage', stage: 'load' }] })
    const isLive = 'live' in work.input && work.input.live === true
    const panel = await readable(cache.acquire(files, isLive ? days.reads(market, available, needs.reads) : needs.reads))
    const entered = isLive ? await days.enter(panel, available) : null
    const release = () => {
      entered?.leave()
      panel.release()
    }
    if (aborted) {
      release()
      return done(rejection(errorCodes.cancelled))
    }
    const stop = pool.run({
      work,
      data: panel,
      available,
      ...(entered && { live: entered.day }),
      ...(guest && { guest }),
      ...nearOf(work),
      onProgress: (items) => send({ type: 'progress', id, items }),
      onDone: (outcome, ms, stack, mismatch) => {
        release()
        done(outcome, ms, stack, mismatch)
        if (work.call === 'backtest') collectWhenIdle()
      },
    })
    if (running.has(id)) running.set(id, stop)
  } catch (error) {
    done(rejection(error instanceof UnreadableMarketError ? errorCodes.noMarketData : errorCodes.computeCrashed), 0, stackOf(error))
  }
}

const nothing: ReadonlySet<string> = new Set()

/** What a thread keeps of a run is near to all that is asked of the run; its check grid leaves that thread free. */
function nearOf(work: Task['work']): { near?: string; away?: string } {
  if (work.call === 'backtest') return { near: work.input.runId }
  if (work.call === 'checks') return { away: work.input.runId }
  return work.call === 'partsAgain' || work.call === 'dayAgain' ? { near: work.input.run.id } : {}
}

/** Has a thread lay the row of the day that is not over. */
function lay(data: LoadedPanel, available: ReadonlySet<string>, quotes: LiveQuotes): Promise<boolean> {
  return new Promise((resolve) => {
    pool.run({
      work: { call: 'lay', input: { quotes } },
      ...{ data, available },
      onProgress: () => {},
      onDone: (outcome) => resolve(outcome.ok),
    })
  })
}

/** The files of the snapshot are missing or damaged: nothing is computed on it. */
class UnreadableMarketError extends Error {}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw new UnreadableMarketError(stackOf(error))
  }
}
