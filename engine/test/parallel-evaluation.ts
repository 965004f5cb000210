import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endParallelJob, evaluateAll, hasCompany, type ParallelJob, recallHelpers, withThreadHost } from '../src/expression/index.ts'
import type { Panel } from '../src/panel/panel.ts'
import { compiled } from './compare-formulas.ts'

export interface CrewTask {
  readonly job: ParallelJob
  /** What the other threads do: they stay, they fail, they are wanted elsewhere, they are ended. */
  readonly does: 'stay' | 'fails' | 'goes' | 'ends'
}

const shared = (values: Float64Array): Float64Array => {
  const copy = new Float64Array(new SharedArrayBuffer(values.byteLength))
  copy.set(values)
  return copy
}

/** This thread and another one that evaluate on one panel together. */
export async function crewOn(panel: Panel) {
  const seats = 2
  const columns = new Map([...panel.columns].map(([key, column]) => [key, shared(column)]))
  const own = { ...panel, columns }
  const threads = Array.from({ length: seats - 1 }, () => new Worker(new URL('./parallel-thread.ts', import.meta.url), { workerData: own }))
  await Promise.all(threads.map((thread) => once(thread, 'message')))
  return {
    /** The answers, and what the threads said; it begins when all of them are there. */
    async evaluate(texts: readonly string[], rows?: readonly number[], { does = 'stay' }: { does?: CrewTask['does'] } = {}) {
      let invited = 0
      const said: unknown[] = []
      const invite = (job: ParallelJob) => {
        invited++
        if (invited > 1) return
        if (does !== 'ends') said.push(...threads.map(async (thread) => (await once(thread, 'message'))[0] as unknown))
        for (const thread of threads) thread.postMessage({ job, does } satisfies CrewTask)
        const { state } = job
        const until = (isSo: () => boolean) => {
          while (!isSo()) Atomics.wait(state, 0, state[0]!, 20)
        }
        until(() => hasCompany(state))
        // It may have finished the stage already and wait for us, so we do not wait for it.
        if (does === 'goes') recallHelpers(state)
        if (does !== 'ends') return
        for (const thread of threads) void thread.terminate()
        endParallelJob(state)
      }
      const answers = withThreadHost({ maxThreads: seats, worthwhile: 0, invite }, () => evaluateAll(texts.map(compiled), own, rows))
      return { answers, invited, said: await Promise.all(said) }
    },
    end: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}
