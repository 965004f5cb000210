/** `node together.ts <input folder> <threads>`: a group of alphas in one evaluation, what they have in common computed once (worker.ts). */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Panel } from '@convexa/engine'
import { type Crew, crewState, type Expression, evaluateAll, sharedMemory } from '@convexa/engine/expression'
import { moveOneDay, readPanel } from '../inputs.ts'
import { timedAsync } from '../times.ts'
import { serve } from '../worker.ts'
import { alphaOf } from './formulas.ts'

/** What a thread of the crew is told: the panel first, then one group after the other. */
export interface ThreadData {
  readonly crew: Crew
  readonly panel: Panel
}
export interface ThreadTask {
  readonly alphas: readonly number[]
  readonly into: readonly Float64Array[]
}

const [folder, threads] = process.argv.slice(2)
const panel = await readPanel(folder!)
const count = Number(threads)
const memory = sharedMemory()
const state = crewState()
const crewAt = (place: number): Crew => ({ place, count, memory, state })
const others = Array.from({ length: count - 1 }, (_, k) => {
  const workerData: ThreadData = { crew: crewAt(k + 1), panel }
  return new Worker(new URL('./thread.ts', import.meta.url), { workerData })
})
await Promise.all(others.map((thread) => once(thread, 'message')))

/** Where answers go: kept from call to call, as is the crew's memory. To touch a page for the first time costs more than to fill it. */
let into: readonly Float64Array[] = []

await serve<{ readonly alphas: readonly number[]; readonly turn: number }>({}, async ({ alphas, turn }) => {
  const putBack = moveOneDay(panel, turn)
  const expressions = alphas.map((alpha) => alphaOf(alpha, panel))
  if (into.length !== alphas.length) into = alphas.map(() => new Float64Array(new SharedArrayBuffer(8 * panel.dates.length * panel.stride)))
  const [run] = await timedAsync(() => together(alphas, expressions))
  putBack()
  return run
})
for (const thread of others) await thread.terminate()

async function together(alphas: readonly number[], expressions: readonly Expression[]): Promise<void> {
  state.fill(0)
  const told = others.map(async (thread) => {
    const [failure] = await once(thread, 'message')
    if (failure !== null) throw new Error(failure)
  })
  for (const thread of others) thread.postMessage({ alphas, into } satisfies ThreadTask)
  evaluateAll(expressions, panel, undefined, { crew: crewAt(0), into })
  await Promise.all(told)
}
