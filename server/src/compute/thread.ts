import { parentPort, workerData } from 'node:worker_threads'
import { type GridOffer, helpGrid, namesOf, type Panel } from '@convexa/engine'
import { type Host, hostedBy, join } from '@convexa/engine/expression'
import { parseSecurities } from '../market/store.ts'
import { collect } from './collect.ts'
import { panelOfView } from './panel-cache.ts'
import { type FromThread, heldBy, muchBytes, stackOf, type ThreadData, type ToThread } from './pool.ts'
import type { FinishedRun, Outcome } from './protocol.ts'
import { answer, compute, marketOf } from './work.ts'

// A thread of the compute child: holds panels by key (their columns are shared memory) and computes one piece of work at a time.

const port = parentPort!
const { seats } = workerData as ThreadData
const known = new Map<string, { base: Omit<Panel, 'columns'>; available: ReadonlySet<string>; panels: Map<number, Panel> }>()
/** Values read, from which on an evaluation is worth telling another thread: some ten milliseconds. */
const worthwhile = 20_000_000
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
  } else if (message.type === 'join') {
    takePart(message)
    if (heldBy(message.invitation) > muchBytes) collect()
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
    const days = data.whole.dates.length + whole
    const host: Host = {
      ...{ seats, worthwhile },
      invite: (invitation) => post({ type: 'invite', invitation, from: days - invitation.panel.days }),
    }
    if (work.call !== 'backtest') {
      const told = { stopped: () => Atomics.load(stop, 0) === 1, offer: (offer: GridOffer) => post({ type: 'offer', offer }) }
      const outcome = hostedBy(host, () => answer(work, data, market, available, told))
      post({ type: 'done', outcome, ms: spent() }, outcome.ok ? [outcome.value.buffer as ArrayBuffer] : [])
      return
    }
    const outcome = hostedBy(host, () =>
      compute(data.whole, market, work.input, {
        tell: (items) => post({ type: 'progress', items }),
        stopped: () => Atomics.load(stop, 0) === 1,
        clock: () => performance.now(),
        every,
      }),
    )
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

/** Takes part in an evaluation that another thread leads: whatever goes wrong here, that one computes alone. */
function takePart({ work, kind, key, from, invitation }: Extract<ToThread, { type: 'join' }>): void {
  const before = cpuMs()
  try {
    const { panels, available } = known.get(key)!
    const panel = panels.get(from)
    const isThere = panel !== undefined && join(invitation, panel, namesOf(marketOf(kind, work), available))
    post({ type: 'helped', ms: isThere ? cpuMs() - before : 0 })
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
