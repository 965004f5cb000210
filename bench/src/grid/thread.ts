/** The second thread of a grid: it is given axes and answers the cells. */
import { parentPort, workerData } from 'node:worker_threads'
import type { GridAxis } from '@convexa/contract'
import type { Panel } from '@convexa/engine'
import { runGrid } from './run.ts'

parentPort!.on('message', (axes: GridAxis[]) => parentPort!.postMessage(runGrid(workerData as Panel, axes)))
