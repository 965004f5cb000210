import { parentPort, workerData } from 'node:worker_threads'
import { helpGrid, layToday, markets, namesOf, type Panel, type SharedGridWork, withToday } from '@convexa/engine'
import { type Host, join, withThreadHost } from '@convexa/engine/expression'
import { parseSecurities } from '../market/read-store.ts'
import { collect, collectWhenIdle } from './collect.ts'
import { KeptRuns } from './kept-runs.ts'
import type { LiveDay } from './live-days.ts'
import { panelOfView, type View } from './panel-cache.ts'
import { heldBy, muchBytes, stackOf } from './pool.ts'
import { answer, answerAlone, compute, marketOf } from './run-task.ts'
import type { FromThread, ThreadData, ToThread } from './thread-protocol.ts'

// A thread of the compute child: holds panels by key (their columns are shared memory) and computes one piece of work at a time.

const port = parentPort!
const { seats, keptBytes } = workerData as ThreadData
const known = new Map<string, Known>()
const keptRuns = new KeptRuns(keptBytes)

interface Known {
  readonly base: Omit<Panel, 'columns'>
  readonly available: ReadonlySet<string>
  /** By the first day of their view. */
  readonly views: Map<number, View>
  readonly panels: Map<number, Panel>
  /** The same with the day that is not over, as it was last asked for. */
  readonly live: Map<number, { readonly seq: number; readonly panel: Panel }>
}

/** Values read, from which on an evaluation is worth telling another thread: some ten milliseconds. */
const worthwhile = 20_000_000
/** Progress at most five times a second. */
const every = 200

const post = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', (message: ToThread) => {
  if (message.type === 'market') {
    const { key, base, available } = message
    known.set(key, {
      base: { ...base.panel, securities: parseSecurities(base.securities) },
      available,
      views: new Map(),
      panels: new Map(),
      live: new Map(),
    })
  } else if (message.type === 'view') {
    const { base, views, panels, live } = known.get(message.key)!
    const { from } = message.view
    views.set(from, message.view)
    panels.set(from, panelOfView(base, message.view))
    live.delete(from)
  } else if (message.type === 'task') {
    work(message)
  } else if (message.type === 'alone') {
    alone(message)
  } else if (message.type === 'help') {
    help(message)
    collectWhenIdle()
  } else if (message.type === 'join') {
    takePart(message)
    if (heldBy(message.invitation) > muchBytes) collect()
  } else {
    known.delete(message.key)
    keptRuns.forget(message.key)
    collect()
  }
})

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Computes a piece of work and tells what came of it; it never throws. Processor time is this thread's. */
function work({ work, kind, key, recent, whole, live, stop }: Extract<ToThread, { type: 'task' }>): void {
  const before = cpuMs()
  const spent = () => cpuMs() - before
  try {
    const here = known.get(key)!
    const { available } = here
    if (work.call === 'lay') {
      layToday(panelOfView(here.base, here.views.get(recent)!, 1), markets[kind], available, work.input.quotes)
      post({ type: 'done', outcome: { ok: true, value: new Uint8Array() }, ms: spent() })
      return
    }
    const data = { recent: panelFrom(here, recent, live), whole: panelFrom(here, whole, live) }
    const market = marketOf(kind, work)
    const days = data.whole.dates.length + whole
    let mismatched: string | undefined
    const kept = { runs: keptRuns, key }
    const host: Host = {
      ...{ maxThreads: seats, worthwhile },
      invite: (invitation) => post({ type: 'invite', invitation, from: days - invitation.panel.days }),
    }
    if (work.call !== 'backtest') {
      const taskHost = {
        kept,
        mismatch: (runId: string) => {
          mismatched = runId
        },
        stopped: () => Atomics.load(stop, 0) === 1,
        offer: (offer: SharedGridWork) => post({ type: 'offer', offer }),
        ...(live && { quotedAt: live.quotedAt }),
      }
      const outcome = withThreadHost(host, () => answer(work, data, market, available, taskHost))
      const mismatch = mismatched === undefined ? {} : { mismatch: mismatched }
      post({ type: 'done', outcome, ms: spent(), ...mismatch }, outcome.ok ? [outcome.value.buffer as ArrayBuffer] : [])
      return
    }
    const outcome = withThreadHost(host, () =>
      compute(data.whole, market, work.input, {
        tell: (items) => post({ type: 'progress', items }),
        stopped: () => Atomics.load(stop, 0) === 1,
        clock: () => performance.now(),
        every,
        kept,
      }),
    )
    post({ type: 'done', outcome, ms: spent() })
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  } finally {
    keptRuns.settle()
    if (work.call === 'backtest' || work.call === 'grid' || work.call === 'checks') collectWhenIdle()
  }
}

/** What reads no data. */
function alone({ work }: Extract<ToThread, { type: 'alone' }>): void {
  const before = cpuMs()
  try {
    const value = answerAlone(work)
    post({ type: 'done', outcome: { ok: true, value }, ms: cpuMs() - before }, [value.buffer as ArrayBuffer])
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  }
}

/** The panel that begins on a day, with the day that is not over where there is one. */
function panelFrom({ base, views, panels, live }: Known, from: number, day: LiveDay | undefined): Panel {
  if (!day) return panels.get(from)!
  const last = live.get(from)
  if (last?.seq === day.seq) return last.panel
  const panel = withToday(panelOfView(base, views.get(from)!, 1), day.date, day.nextDay)
  live.set(from, { seq: day.seq, panel })
  return panel
}

/** Does a part of what another thread computes. */
function help({ work, kind, key, whole, offer, place }: Extract<ToThread, { type: 'help' }>): void {
  const before = cpuMs()
  try {
    if (work.call !== 'grid' && work.call !== 'checks') throw new Error(`${work.call} has nothing to help with`)
    const { parameters, settings, axes } = work.input
    const oos = 'oos' in work.input ? work.input.oos : undefined
    const panel = known.get(key)!.panels.get(whole)!
    helpGrid({ panel, market: marketOf(kind, work), request: { parameters, settings }, axes, split: oos }, offer, place)
    post({ type: 'helped', ms: cpuMs() - before })
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  }
}

/** Takes part in an evaluation that another thread leads: whatever goes wrong here, that one computes alone. */
function takePart({ work, kind, key, from, live, invitation }: Extract<ToThread, { type: 'join' }>): void {
  const before = cpuMs()
  try {
    if (work.call === 'lay') throw new Error('nobody takes part in laying a row')
    const here = known.get(key)!
    const panel = here.views.has(from) ? panelFrom(here, from, live) : null
    const isThere = panel !== null && join(invitation, panel, namesOf(marketOf(kind, work), here.available))
    post({ type: 'helped', ms: isThere ? cpuMs() - before : 0 })
  } catch (error) {
    post({ type: 'crash', stack: stackOf(error) })
  }
}
