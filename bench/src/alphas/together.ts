/** `node together.ts <input folder> <threads>`: a group of alphas in one evaluation, what they have in common computed once (worker.ts). */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Panel } from '@convexa/engine'
import { type Expression, evaluateAll, type ParallelJob, withThreadHost } from '@convexa/engine/expression'
import { moveOneDay, readPanel } from '../inputs.ts'
import { timedAsync } from '../times.ts'
import { serve } from '../worker.ts'
import { alphaOf } from './formulas.ts'

/** Message to a helper thread for one group of alphas. The panel has come before, as `workerData`. */
export interface ThreadTask {
  readonly invitation: ParallelJob
}

const [folder, threads] = process.argv.slice(2)
const panel: Panel = await readPanel(folder!)
const seats = Number(threads)
const others = Array.from({ length: seats - 1 }, () => new Worker(new URL('./thread.ts', import.meta.url), { workerData: panel }))
await Promise.all(others.map((thread) => once(thread, 'message')))

/** Where answers go: kept from call to call, as is the crew's memory. To touch a page for the first time costs more than to fill it. */
let into: readonly Float64Array[] = []

await serve<{ readonly alphas: readonly number[]; readonly turn: number }>({}, async ({ alphas, turn }) => {
  const putBack = moveOneDay(panel, turn)
  const expressions = alphas.map((alpha) => alphaOf(alpha, panel))
  if (into.length !== alphas.length) into = alphas.map(() => new Float64Array(new SharedArrayBuffer(8 * panel.dates.length * panel.stride)))
  const [run] = await timedAsync(() => together(expressions))
  putBack()
  return run
})
for (const thread of others) await thread.terminate()

/** The leader does not wait for the others: they come when they are ready, as in the server. */
async function together(expressions: readonly Expression[]): Promise<void> {
  const told: Promise<void>[] = []
  const invite = (invitation: ParallelJob) => {
    for (const thread of others) {
      told.push(heard(thread))
      thread.postMessage({ invitation } satisfies ThreadTask)
    }
  }
  withThreadHost({ maxThreads: seats, worthwhile: 0, invite }, () => evaluateAll(expressions, panel, undefined, { into }))
  await Promise.all(told)
}

async function heard(thread: Worker): Promise<void> {
  const [failure] = await once(thread, 'message')
  if (failure !== null) throw new Error(failure)
}
