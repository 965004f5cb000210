import { parentPort, workerData } from 'node:worker_threads'
import { type Crew, evaluateAll } from '../src/expression/index.ts'
import { compiled } from './compare-formulas.ts'
import type { CrewTask } from './crew.ts'

/** A thread of a crew: computes its part of whatever it is told, and says when it is done. */
const { crew, panel } = workerData as { crew: Crew; panel: CrewTask['panel'] }

parentPort!.on('message', ({ texts, rows, into }: Omit<CrewTask, 'panel'>) => {
  try {
    evaluateAll(texts.map(compiled), panel, rows, { crew, into })
    parentPort!.postMessage(null)
  } catch (error) {
    parentPort!.postMessage(String(error))
  }
})
