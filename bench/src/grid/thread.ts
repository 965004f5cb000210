/** The second thread of a grid: it is given axes and answers the cells, with what they took of the processor. */
import { parentPort, workerData } from 'node:worker_threads'
import type { GridAxis } from '@convexa/contract'
import type { Panel } from '@convexa/engine'
import { timedGrid } from './run.ts'

parentPort!.on('message', (axes: GridAxis[]) => parentPort!.postMessage(timedGrid(workerData as Panel, axes)))
