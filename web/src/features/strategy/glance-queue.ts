import type { MarketId } from '@convexa/contract/enums/market'
import { create } from 'zustand'

// Glances take seconds each: they are refreshed one after the other, two at a time at most, and what waits can be called off.

export interface Queued {
  kind: MarketId
  id: string
  name: string
}

export interface GlanceQueue {
  waiting: readonly Queued[]
  running: readonly Queued[]
  /** Of this round: how many are done or failed. */
  done: number
  /** Why a refresh failed, by strategy; until it is tried again. */
  failed: Readonly<Record<string, string>>
  /** Adds to the round; what is in it already stays where it is. */
  add(strategies: readonly Queued[]): void
  /** Calls off what waits and aborts what runs. */
  cancel(): void
}

const mostAtOnce = 2

/** A queue whose work is `refresh`; it rejects with an error whose message is shown beside the row. */
export const makeGlanceQueue = (refresh: (strategy: Queued, signal: AbortSignal) => Promise<void>) => {
  const aborts = new Map<string, AbortController>()
  return create<GlanceQueue>((set, get) => {
    const next = () => {
      const { waiting, running } = get()
      const [first, ...rest] = waiting
      if (!first || running.length >= mostAtOnce) return
      set({ waiting: rest, running: [...running, first] })
      void run(first)
      next()
    }
    const run = async (strategy: Queued) => {
      const abort = new AbortController()
      aborts.set(strategy.id, abort)
      const message = await refresh(strategy, abort.signal).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      // Called off meanwhile: another round may have begun.
      if (aborts.get(strategy.id) !== abort) return
      aborts.delete(strategy.id)
      set(({ running, done, failed }) => ({
        running: running.filter(({ id }) => id !== strategy.id),
        done: done + 1,
        failed: message === null ? failed : { ...failed, [strategy.id]: message },
      }))
      next()
    }
    return {
      waiting: [],
      running: [],
      done: 0,
      failed: {},
      add(strategies) {
        const { waiting, running, done, failed } = get()
        const known = new Set([...waiting, ...running].map(({ id }) => id))
        const fresh = strategies.filter(({ id }) => !known.has(id))
        const again = new Set(fresh.map(({ id }) => id))
        set({
          waiting: [...waiting, ...fresh],
          done: known.size === 0 ? 0 : done,
          failed: Object.fromEntries(Object.entries(failed).filter(([id]) => !again.has(id))),
        })
        next()
      },
      cancel() {
        const stopped = [...aborts.values()]
        aborts.clear()
        set({ waiting: [], running: [], done: 0 })
        for (const abort of stopped) abort.abort()
      },
    }
  })
}

/** Where a strategy is in the queue. */
export type GlanceState = 'waiting' | 'running' | null

export const stateIn = ({ waiting, running }: Pick<GlanceQueue, 'waiting' | 'running'>, id: string): GlanceState =>
  running.some((one) => one.id === id) ? 'running' : waiting.some((one) => one.id === id) ? 'waiting' : null

/** `刷新概览 2 / 5`; null while nothing is refreshed. */
export function roundWords({ waiting, running, done }: Pick<GlanceQueue, 'waiting' | 'running' | 'done'>): string | null {
  const left = waiting.length + running.length
  return left === 0 ? null : `概览刷新 ${done} / ${done + left}`
}
