/** A thread of a crew (together.ts): takes part in each group, and says when it is done. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Panel } from '@convexa/engine'
import { join, type Names } from '@convexa/engine/expression'
import { namesIn } from './formulas.ts'
import type { ThreadTask } from './together.ts'

const panel = workerData as Panel
const names: Names = namesIn(panel)

parentPort!.on('message', ({ invitation }: ThreadTask) => {
  try {
    join(invitation, panel, names)
    parentPort!.postMessage(null)
  } catch (error) {
    parentPort!.postMessage(String(error))
  }
})
parentPort!.postMessage('ready')
