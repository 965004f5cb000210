import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Crew, crewState, evaluateAll, sharedMemory } from '../src/expression/index.ts'
import type { Panel } from '../src/panel/panel.ts'
import { compiled } from './compare-formulas.ts'

export interface CrewTask {
  readonly panel: Panel
  readonly texts: readonly string[]
  readonly rows: readonly number[] | undefined
  readonly into: readonly Float64Array[]
}

const sharedArray = (values: Float64Array): Float64Array => {
  const copy = new Float64Array(new SharedArrayBuffer(values.byteLength))
  copy.set(values)
  return copy
}

/** This thread and others that evaluate on one panel together. */
export function crewOn(panel: Panel, count: number) {
  const memory = sharedMemory()
  const state = crewState()
  const crew = (place: number): Crew => ({ place, count, memory, state })
  const columns = new Map([...panel.columns].map(([key, column]) => [key, sharedArray(column)]))
  const shared = { ...panel, columns }
  const threads = Array.from(
    { length: count - 1 },
    (_, k) => new Worker(new URL('./crew-thread.ts', import.meta.url), { workerData: { crew: crew(k + 1), panel: shared } }),
  )
  return {
    async evaluate(texts: readonly string[], rows?: readonly number[], used?: readonly Float64Array[]): Promise<Float64Array[]> {
      const cells = (rows?.length ?? panel.dates.length) * panel.stride
      const into = used ?? texts.map(() => new Float64Array(new SharedArrayBuffer(8 * cells)))
      const expressions = texts.map(compiled)
      state.fill(0)
      const told = threads.map(async (thread) => {
        const [failure] = await once(thread, 'message')
        if (failure !== null) throw new Error(failure)
      })
      for (const thread of threads) thread.postMessage({ texts, rows, into })
      const answers = evaluateAll(expressions, shared, rows, { crew: crew(0), into })
      await Promise.all(told)
      return answers
    },
    end: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}
