import { parentPort } from 'node:worker_threads'
import { helpGrid, type Panel } from '@convexa/engine'
import { parseSecurities } from '../market/store.ts'
import { collect } from './collect.ts'
import { panelOfView } from './panel-cache.ts'
import { type FromThread, stackOf, type ToThread } from './pool.ts'
import type { FinishedRun, Outcome } from './protocol.ts'
import { answer, compute, marketOf } from './work.ts'

// A thread of the compute child: holds panels by key (their columns are shared memory) and computes one piece of work at a time.

const port = parentPort!
const known = new Map<string, { base: Omit<Panel, 'columns'>; available: ReadonlySet<string>; panels: Map<number, Panel> }>()
/** Progress at most five times a second. */
const every = 200

const post = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', (message: ToThread) => {
  if (message.type === 'market') {
    const { key, base, available } = message
    known.set(key, { base: { ...base.panel, securities: parseSecurities(base.securities) }, available, panels: new Map() })
  } else if (message.type === 'view') {
    const { base, panels } = known.get(message.key)!
    panels.set(message.view.from, panelOfView(base, message.view))
  } else if (message.type === 'task') {
    work(message)
    // What a run leaves is given back now: nothing in an idle thread allocates, so nothing would ask for it.
    if (message.work.call === 'backtest' || message.work.call === 'grid') collect()
  } else if (message.type === 'help') {
    help(message)
    collect()
  } else {
    known.delete(message.key)
    collect()
  }
})

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function work({ work, kind, key, recent, whole, stop }: Extract<ToThread, { type: 'task' }>): void {
  const before = cpuMs()
  const spent = () => cpuMs() - before
  try {
    const { panels, available } = known.get(key)!
    const data = { recent: panels.get(recent)!, whole: panels.get(whole)! }
    const market = marketOf(kind, work)
    if (work.call !== 'backtest') {
      const outcome = answer(work, data, market, available, {
        stopped: () => Atomics.load(stop, 0) === 1,
        offer: (offer) => post({ type: 'offer', offer }),
      })
      post({ type: 'done', outcome, ms: spent() }, outcome.ok ? [outcome.value.buffer as ArrayBuffer] : [])
      return
    }
    const outcome = compute(data.whole, market, work.input, {
      tell: (items) => post({ type: 'progress', items }),
      stopped: () => Atomics.load(stop, 0) === 1,
      clock: () => performance.now(),
      every,
    })
    post({ type: 'done', outcome: outcome && owned(outcome), ms: spent() })
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  }
}

/** Does a part of what another thread computes. */
function help({ work, kind, key, whole, offer, place }: Extract<ToThread, { type: 'help' }>): void {
  const before = cpuMs()
  try {
    if (work.call !== 'grid') throw new Error(`${work.call} has nothing to help with`)
    const { parameters, settings, axes, oos } = work.input
    const panel = known.get(key)!.panels.get(whole)!
    helpGrid({ panel, market: marketOf(kind, work), request: { parameters, settings }, axes, split: oos }, offer, place)
    post({ type: 'helped', ms: cpuMs() - before })
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  }
}

/** zlib answers with Buffers; what is posted are plain bytes. */
function owned(outcome: Outcome<FinishedRun>): Outcome<FinishedRun> {
  if (!outcome.ok) return outcome
  const { metrics, report, days } = outcome.value
  const plain = (bytes: Uint8Array) => new Uint8Array(bytes)
  return {
    ok: true,
    value: { metrics, report: plain(report), days: days.map(({ first, last, bytes }) => ({ first, last, bytes: plain(bytes) })) },
  }
}
