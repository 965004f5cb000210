/** The second thread of a grid: it takes of what the first offers, and answers what that took of the processor. */
import { parentPort, workerData } from 'node:worker_threads'
import type { GridAxis } from '@convexa/contract'
import { helpGrid, markets, type Panel, type SharedGridWork } from '@convexa/engine'
import { parameters, settings } from './cases.ts'

export interface Offered {
  readonly axes: readonly GridAxis[]
  readonly offer: SharedGridWork
  readonly place: number
}

parentPort!.on('message', ({ axes, offer, place }: Offered) => {
  const before = process.threadCpuUsage()
  helpGrid({ panel: workerData as Panel, market: markets.cb, request: { parameters, settings }, axes, split: undefined }, offer, place)
  const { user, system } = process.threadCpuUsage(before)
  parentPort!.postMessage((user + system) / 1000)
})
