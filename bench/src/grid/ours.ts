/**
 * `node ours.ts <snapshot>`: grids, asked one by one (worker.ts), on one thread or on two, of which the second takes what the first
 * offers.
 */
import { Worker } from 'node:worker_threads'
import type { GridAxis, Settings } from '@convexa/contract'
import { atWork, markets, needsOf } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { snapshotFields } from '@convexa/server/market/snapshot'
import { moveCloses } from '../inputs.ts'
import { type Run, timedAsync } from '../times.ts'
import { serve } from '../worker.ts'
import { parameters, settings } from './cases.ts'
import { timedGrid } from './run.ts'
import type { Offered } from './thread.ts'

export interface Question {
  readonly axes: readonly GridAxis[]
  readonly threads: 1 | 2
  readonly turn: number
  /** How bonds that are called or mature leave, where it is not as in the reference; on one thread. */
  readonly call_handling?: Settings['call_handling']
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
/** Resolvers of the offers' computing times, first in first out: the thread answers offers in their order. */
const waiting: ((ms: number) => void)[] = []
second.on('message', (ms: number) => waiting.shift()?.(ms))
second.unref()

await serve<Question>({}, async ({ axes, threads, turn, ...over }): Promise<Answer> => {
  const putBack = turn < 0 ? () => {} : moveCloses(panel, turn)
  const [run, part] = await timedAsync(async () => {
    if (threads === 1) return timedGrid(panel, axes, undefined, over)
    const took: Promise<number>[] = []
    const lead = timedGrid(panel, axes, (offer) => {
      // Offers are met one after the other, each from a place of its own.
      const place = took.length + 1
      took.push(new Promise((resolve) => waiting.push(resolve)))
      Atomics.store(offer.helpers, place, atWork)
      second.postMessage({ axes, offer, place } satisfies Offered)
    })
    const theirs = (await Promise.all(took)).reduce((sum, ms) => sum + ms, 0)
    return { ...lead, cpu: Math.max(lead.cpu, theirs) }
  })
  putBack()
  return { ...run, totals: part.totals, longest: part.cpu }
})
