import { setTimeout as sleep } from 'node:timers/promises'
import { stages } from '@convexa/contract'
import { isDatabaseAway } from '../base/api-error.ts'
import type { RunProgress } from '../compute/protocol.ts'
import type { StoredEvent } from './run-state.ts'

export interface ProgressWriter {
  tell(items: readonly RunProgress[]): void
  /** Resolves when everything is written; nothing is written after it. */
  close(): Promise<void>
}

/**
 * Writes the progress of a run as events, in order, one statement at a time: what comes meanwhile waits, of progress only the newest.
 * `percent` never falls. `append`: writes events; false when the run is not ours any more. Then `lost` is called and nothing more is written, nor is
 * it when events cannot be written: the run goes on without progress. The third argument: the last event written before the run was given back.
 */
export function progressWriter(
  append: (events: readonly { seq: number; payload: StoredEvent }[]) => Promise<boolean>,
  lost: () => void,
  { seq: lastSeq, percent: lastPercent }: { readonly seq: number; readonly percent: number } = { seq: 1, percent: 0 },
  retryMs = 500,
): ProgressWriter {
  let seq = lastSeq
  let percent = lastPercent
  let waiting: StoredEvent[] = []
  let isWriting = false
  let written: Promise<void> = Promise.resolve()
  let over = false

  const write = async () => {
    try {
      while (waiting.length > 0 && !over) {
        const events = waiting.map((payload) => ({ seq: ++seq, payload }))
        waiting = []
        if (!(await appended(events))) {
          over = true
          lost()
        }
      }
    } catch {
      over = true
    } finally {
      isWriting = false
    }
  }

  const appended = async (events: Parameters<typeof append>[0]): Promise<boolean> => {
    try {
      return await append(events)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      // The run goes on; these few steps of its progress are lost.
      await sleep(retryMs)
      return true
    }
  }

  return {
    tell(items) {
      for (const item of items) {
        if (item.type === 'progress') {
          percent = Math.max(percent, item.percent)
          waiting = waiting.filter((event) => event.type !== 'progress')
          waiting.push({ ...item, percent })
        } else if (item.type === 'stage') waiting.push({ ...item, label: stages[item.stage] })
        else waiting.push({ ...item })
      }
      if (isWriting) return
      isWriting = true
      written = write()
    },
    async close() {
      while (isWriting) await written
      over = true
    },
  }
}
