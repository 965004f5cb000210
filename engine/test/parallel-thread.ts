import { parentPort, workerData } from 'node:worker_threads'
import { join } from '../src/expression/index.ts'
import type { Panel } from '../src/panel/panel.ts'
import { names } from './compare-formulas.ts'
import type { CrewTask } from './parallel-evaluation.ts'

/** A thread of a crew: takes part in what it is invited to, and says whether it came. */
const panel = workerData as Panel

parentPort!.on('message', ({ job, does }: CrewTask) => {
  try {
    const columns = new Map()
    const isThere = does === 'fails' ? join({ ...job, columns }, { ...panel, columns }, names) : join(job, panel, names)
    parentPort!.postMessage(isThere)
  } catch (error) {
    parentPort!.postMessage(String(error))
  }
})
parentPort!.postMessage('ready')
