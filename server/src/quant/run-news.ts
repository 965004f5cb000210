import type { DirectSession } from '../db/direct-session.ts'
import { runChannel } from './run-state.ts'

/** Wakes the followers of a run when it has new events. One LISTEN for all streams of a process. */
export interface RunNews {
  /** Watches a run from now on: `next` resolves when news came since the last call, or after `ms`. */
  watch(runId: string): { next(ms: number, signal: AbortSignal): Promise<void>; end(): void }
  close(): Promise<void>
}

interface Watcher {
  isNotified: boolean
  wake: () => void
}

export async function openRunNews(session: DirectSession): Promise<RunNews> {
  const watchers = new Map<string, Set<Watcher>>()
  const tell = (watcher: Watcher) => {
    watcher.isNotified = true
    watcher.wake()
  }
  const listening = await session.listen(
    runChannel,
    (runId) => watchers.get(runId)?.forEach(tell),
    // News of a time without connection are lost: every follower looks for itself.
    () => {
      for (const some of watchers.values()) some.forEach(tell)
    },
  )
  return {
    watch(runId) {
      const watcher: Watcher = { isNotified: false, wake: () => {} }
      const some = watchers.get(runId) ?? new Set()
      watchers.set(runId, some.add(watcher))
      return {
        next: (ms, signal) =>
          new Promise((resolve) => {
            if (watcher.isNotified || signal.aborted) {
              watcher.isNotified = false
              return resolve()
            }
            const wake = () => {
              clearTimeout(timer)
              signal.removeEventListener('abort', wake)
              watcher.wake = () => {}
              watcher.isNotified = false
              resolve()
            }
            const timer = setTimeout(wake, ms)
            signal.addEventListener('abort', wake, { once: true })
            watcher.wake = wake
          }),
        end() {
          some.delete(watcher)
          if (some.size === 0) watchers.delete(runId)
        },
      }
    },
    close: () => listening.close(),
  }
}
