/**
 * `node ours.ts <snapshot>`: grids, asked one by one (worker.ts), on one thread or on two, which share the panel and take half of the
 * first axis each.
 */
import { Worker } from 'node:worker_threads'
import type { GridAxis } from '@convexa/contract'
import { markets, needsOf } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { snapshotFields } from '@convexa/server/market/snapshot'
import { moveCloses } from '../inputs.ts'
import { type Run, timedAsync } from '../times.ts'
import { serve } from '../worker.ts'
import { parameters, settings } from './cases.ts'
import { type Part, timedGrid } from './run.ts'

export interface Question {
  readonly axes: readonly GridAxis[]
  readonly threads: 1 | 2
  readonly turn: number
}

export interface Answer extends Run {
  /** Total return by cell, in the order of the axes' values. */
  readonly totals: readonly number[]
  /** Processor time of the thread that took longest. */
  readonly longest: number
}

const [folder] = process.argv.slice(2)
const needs = needsOf(markets.cb, await snapshotFields(folder!), parameters, settings)
if (!needs.ok) throw new Error(needs.problem.message)
const panel = await loadPanel(folder!, null, needs.needs.fields)
const second = new Worker(new URL('./thread.ts', import.meta.url), { workerData: panel })
second.unref()

await serve<Question>({}, async ({ axes, threads, turn }): Promise<Answer> => {
  const putBack = turn < 0 ? () => {} : moveCloses(panel, turn)
  const [run, parts] = await timedAsync(async (): Promise<Part[]> => {
    if (threads === 1) return [timedGrid(panel, axes)]
    const [first, ...rest] = axes as [GridAxis, ...GridAxis[]]
    const half = Math.ceil(first.values.length / 2)
    const theirs = new Promise<Part>((resolve) => second.once('message', resolve))
    second.postMessage([{ ...first, values: first.values.slice(half) }, ...rest])
    return [timedGrid(panel, [{ ...first, values: first.values.slice(0, half) }, ...rest]), await theirs]
  })
  putBack()
  return { ...run, totals: parts.flatMap(({ totals }) => totals), longest: Math.max(...parts.map(({ cpu }) => cpu)) }
})
