import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { maxHelpers, type SharedGridWork } from '@convexa/engine'
import type { ParallelJob } from '@convexa/engine/expression'
import { entryFile } from '../base/program-files.ts'
import { backOffMs } from './back-off.ts'
import { collect } from './collect.ts'
import type { Outcome, TaskValue } from './protocol.ts'
import { rejection, tooLarge } from './rejection.ts'
import { gridPartOf, type Machine, memberOf, type Part, thisMachine } from './thread-helper.ts'
import type { FromThread, Invited, On, Piece, ThreadData, ToThread } from './thread-protocol.ts'

interface Thread {
  worker: Worker
  /** Fields known to the thread by market and first day of the view. */
  readonly known: Map<string, Map<number, string>>
  busy: Waiting | null
  /** Work of another thread that it helps with while it has none of its own. */
  helps: Help | null
  /** It has said something, so its code was loaded. */
  spoke: boolean
}
interface Help {
  readonly waiting: Waiting
  readonly since: number
  readonly part: Part
}
interface Waiting {
  readonly piece: Piece
  readonly stop: Int32Array
  /** When a thread took it. */
  since: number | null
  ended: boolean
  /** What others could do of it, when there are some. */
  offer: SharedGridWork | null
  /** Milliseconds of a processor that others took for it. */
  helped: number
}

export interface Pool {
  /** Takes its turn: interactive calls before backtests, guests last. Returns what stops it. */
  run(piece: Piece): () => void
  /** The threads let go of a panel; what computes on it goes on with its own. */
  forget(key: string): void
  /** How many threads help with what another computes. */
  helping(): number
  /** How many evaluations a second thread has taken part in. */
  joined(): number
  close(): Promise<void>
}

/** For the operator's log. */
export const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** What may take most of a minute waits with the backtests: a screen waits for none of it. */
const heavy: ReadonlySet<string> = new Set(['backtest', 'grid', 'binning', 'checks', 'coreOfReport'] as const)
/** Of these, what nobody's work waits for. */
const whenever: ReadonlySet<string> = new Set(['checks', 'coreOfReport'] as const)
export const isHeavy = (work: Piece['work'] | undefined): boolean => work !== undefined && heavy.has(work.call)

/** Rows of each further thread take room, and two do most of the good. */
const mostSeats = 4

/**
 * Size in bytes of a shared job from which the threads that received it collect garbage: an idle thread would otherwise keep memory for
 * hours that the lead has released.
 */
export const muchBytes = 256 * 1024 * 1024
export const heldBy = ({ answers, memory }: ParallelJob): number =>
  answers.reduce((sum, { byteLength }) => sum + byteLength, memory.buffer.byteLength)

/** Pieces whose threads are remembered. */
const mostPlaces = 1_000

const threadCode = pathToFileURL(entryFile('thread-main'))

/** A thread that does not stop by itself is ended after this many milliseconds. */
const stopGraceMs = 250

/**
 * `size` threads, of which the last is never given to a backtest, a grid or a binning: a screen does not wait for one.
 * A thread that crashes, or needs more than `heapMb` of JavaScript heap, ends its piece and is replaced.
 * A thread that nobody waits for helps with a grid, or takes part in an evaluation while the machine has a core for it, and leaves as soon as
 * somebody waits.
 */
export function threadPool(size: number, heapMb: number, machine: Machine = thisMachine, code = threadCode, keptBytes = 0): Pool {
  const { cores, isCrowded } = machine
  const seats = Math.min(cores, mostSeats)
  const calls: Waiting[] = []
  const backtests: Waiting[] = []
  const guests: Waiting[] = []
  /** Asked for by a page that is read meanwhile: these wait for all others. */
  const whenIdle: Waiting[] = []
  const threads = new Set<Thread>()
  /** Threads by the words of what they computed, the newest last. */
  const places = new Map<string, Thread>()
  let closed = false
  let joined = 0
  /** Threads that ended one after the other without a word, as where the code was replaced under us and does not load. */
  let silent = 0
  let standingBy: NodeJS.Timeout | undefined

  const start = (): Thread => {
    const worker = new Worker(code, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      workerData: { seats, keptBytes: Math.floor(keptBytes / size) } satisfies ThreadData,
    })
    const thread: Thread = { worker, known: new Map(), busy: null, helps: null, spoke: false }
    worker.on('message', (message: FromThread) => {
      thread.spoke = true
      silent = 0
      receive(thread, message)
    })
    worker.on('error', (error) => lost(thread, stackOf(error), isOutOfMemory(error)))
    worker.on('exit', (code) => lost(thread, `thread ended with ${code}`))
    threads.add(thread)
    return thread
  }

  const lost = (thread: Thread, stack: string, outOfMemory = false) => {
    if (!threads.delete(thread)) return
    const { busy } = thread
    thread.busy = null
    stopsHelping(thread, 0, true)
    if (closed) return
    if (busy) for (const { part } of helpersOf(busy)) part.leadLost()
    if (busy && !busy.ended)
      end(busy, outOfMemory ? tooLarge(busy.piece.work.call) : rejection(errorCodes.computeCrashed), outOfMemory ? taken(busy) : 0, stack)
    if (!thread.spoke) silent++
    next()
    standBy()
  }

  /** Ends a thread that does not stop. It is out of the pool at once: a last message on its way must not earn it another piece. */
  const dismiss = (thread: Thread) => {
    threads.delete(thread)
    if (thread.busy) for (const { part } of helpersOf(thread.busy)) part.leadLost()
    thread.busy = null
    void thread.worker.terminate()
    next()
    standBy()
  }

  /** The first thread stands ready. What is asked for meanwhile starts one at once. */
  const standBy = () => {
    clearTimeout(standingBy)
    if (closed || threads.size > 0) return
    standingBy = setTimeout(() => threads.size === 0 && start(), backOffMs(silent))
  }

  const receive = (thread: Thread, message: FromThread) => {
    if (thread.helps) {
      // What it was offered is done, or it was asked to leave. Where it crashed the lead does it again, and says so.
      if (message.type === 'helped') stopsHelping(thread, message.ms)
      else if (message.type === 'crash') stopsHelping(thread, 0)
      return next()
    }
    const waiting = thread.busy
    if (!waiting) return
    if (message.type === 'progress') {
      if (!waiting.ended) waiting.piece.onProgress(message.items)
      return
    }
    if (message.type === 'offer') {
      if (!waiting.ended) waiting.offer = message.offer
      return next()
    }
    if (message.type === 'invite') return invited(waiting, message)
    if (message.type === 'helped') return
    thread.busy = null
    if (message.type === 'done') {
      end(waiting, message.outcome ?? rejection(errorCodes.cancelled), message.ms + helpFor(waiting), undefined, message.mismatch)
    } else end(waiting, rejection(errorCodes.computeCrashed), 0, message.stack)
    next()
  }

  const taken = (waiting: Waiting): number => (waiting.since === null ? 0 : performance.now() - waiting.since + helpFor(waiting))

  /** Milliseconds of help, including helpers that still work. */
  const helpFor = (waiting: Waiting): number => helpersOf(waiting).reduce((ms, { since }) => ms + performance.now() - since, waiting.helped)

  const helpersOf = (waiting: Waiting): Help[] => [...threads].flatMap(({ helps }) => (helps?.waiting === waiting ? [helps] : []))

  const stopsHelping = (thread: Thread, ms: number, isLost = false) => {
    const { helps } = thread
    if (!helps) return
    thread.helps = null
    const { waiting, part } = helps
    waiting.helped += ms
    if (part.offer === null && ms > 0) joined++
    if (part.left(isLost) && waiting.offer === part.offer) waiting.offer = null
  }

  const end = (waiting: Waiting, outcome: Outcome<TaskValue>, ms: number, stack?: string, mismatch?: string) => {
    if (waiting.ended) return
    waiting.ended = true
    // Nothing more is wanted.
    if (waiting.offer) Atomics.store(waiting.offer.helpers, 0, 1)
    waiting.offer = null
    waiting.piece.onDone(outcome, ms, stack, mismatch)
  }

  const next = () => {
    for (;;) {
      const thread = idle()
      const waiting = thread && (nextCall() ?? (hasRoom() ? (backtests.shift() ?? whenIdle.shift()) : undefined) ?? guestsTurn())
      if (!waiting) break
      give(placeOf(waiting.piece) ?? threadFor(waiting.piece, thread), waiting)
    }
    if (calls.length + backtests.length + whenIdle.length + guests.length > 0) for (const { helps } of threads) helps?.part.ask()
    else for (const { busy } of threads) if (busy?.offer) helpWith(busy, busy.offer)
    // Each stage of an evaluation waits for all its participants, so each of them needs a core of its own.
    if (working() > cores) for (const { helps } of threads) if (helps?.part.offer === null) helps.part.ask()
  }

  /** Its run is kept on a thread that will be free in a moment: on another one all of it would be computed again. */
  const isHeld = ({ piece: { near } }: Waiting): boolean => {
    const thread = near === undefined ? undefined : places.get(near)
    return thread !== undefined && threads.has(thread) && (thread.helps !== null || thread.busy?.piece.near === near)
  }

  const nextCall = (): Waiting | undefined => {
    const at = calls.findIndex((waiting) => !isHeld(waiting))
    return at < 0 ? undefined : calls.splice(at, 1)[0]
  }

  /**
   * What a guest may have computed now. While anybody else's work waits or runs they have one thread together; otherwise all but the last, so
   * that the next one who is no guest finds it free. Of what is heavy they never have more than one.
   */
  const guestsTurn = (): Waiting | undefined => {
    const busy = [...threads].flatMap(({ busy }) => busy ?? [])
    const ofGuests = busy.filter(({ piece }) => piece.guest)
    const alone = busy.length === ofGuests.length && calls.length + backtests.length === 0
    if (ofGuests.length >= (alone ? Math.max(1, size - 1) : 1)) return undefined
    const mayBeHeavy = hasRoom() && !ofGuests.some(({ piece }) => isHeavy(piece.work))
    const at = guests.findIndex((waiting) => !isHeld(waiting) && (mayBeHeavy || !isHeavy(waiting.piece.work)))
    return at < 0 ? undefined : guests.splice(at, 1)[0]
  }

  const working = (): number => [...threads].filter(({ busy, helps }) => busy !== null || helps !== null).length

  /** An idle thread takes part, if the machine has room for one more that computes. One that must be started comes in time for the next. */
  const invited = (waiting: Waiting, { invitation, from }: Invited) => {
    const free = idle()
    if (waiting.ended || free === null || !hasRoom() || working() >= cores || isCrowded()) return
    const thread = free === 'new' ? start() : free
    thread.helps = { waiting, since: performance.now(), part: memberOf(invitation) }
    thread.worker.postMessage({ type: 'join', invitation, from, ...tellOf(thread, waiting.piece) } satisfies ToThread)
    if (heldBy(invitation) > muchBytes) setImmediate(collect)
  }

  /** A thread costs half a second of a core to start: the first stands ready, the others come with the work. */
  const idle = (): Thread | 'new' | null => [...threads].find(({ busy, helps }) => !busy && !helps) ?? (threads.size < size ? 'new' : null)

  /** Whether another thread may take what is heavy. */
  const hasRoom = (): boolean =>
    [...threads].filter(({ busy, helps }) => helps !== null || isHeavy(busy?.piece.work)).length < Math.max(1, size - 1)

  /** Gives a piece as many hands as there are free threads. */
  const helpWith = (waiting: Waiting, offer: SharedGridWork) => {
    for (let free = idle(); free !== null && hasRoom(); free = idle()) {
      const places = new Set(helpersOf(waiting).map(({ part }) => part.place))
      const place = Array.from({ length: maxHelpers }, (_, k) => k + 1).find((each) => !places.has(each))
      // Too short to wait for a thread that must be started.
      if (place === undefined || (free === 'new' && offer.give === 'splits')) return
      const thread = free === 'new' ? start() : free
      thread.helps = { waiting, since: performance.now(), part: gridPartOf(offer, place) }
      thread.worker.postMessage({ type: 'help', offer, place, ...tellOf(thread, waiting.piece) } satisfies ToThread)
    }
  }

  /** The thread that a piece is best computed on, if it is free. */
  const placeOf = ({ near }: Piece): Thread | undefined => {
    const thread = near === undefined ? undefined : places.get(near)
    return thread && threads.has(thread) && !thread.busy && !thread.helps ? thread : undefined
  }

  /** The free one that was found, or one that need not be kept free. */
  const threadFor = ({ away }: Piece, found: Thread | 'new'): Thread => {
    if (found === 'new') return start()
    if (away === undefined || places.get(away) !== found) return found
    return [...threads].find((one) => one !== found && !one.busy && !one.helps) ?? (threads.size < size ? start() : found)
  }

  const give = (thread: Thread, waiting: Waiting) => {
    const { near, work } = waiting.piece
    thread.busy = waiting
    waiting.since = performance.now()
    if (near !== undefined) {
      places.delete(near)
      places.set(near, thread)
      const [oldest] = places.keys()
      if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
    }
    if (work.call === 'storedParts') return thread.worker.postMessage({ type: 'alone', work } satisfies ToThread)
    const on = tellOf(thread, waiting.piece)
    thread.worker.postMessage({ type: 'task', stop: waiting.stop, ...on } satisfies ToThread)
  }

  /** Tells a thread of the panels that a piece reads, as far as it does not know them. */
  const tellOf = (thread: Thread, { data, available, work, live }: Piece): On => {
    if (data === null || work.call === 'storedParts') throw new Error(`${work.call} has no data`)
    const { key, base, recent, whole } = data
    const post = (message: ToThread) => thread.worker.postMessage(message)
    // All of it is shared memory; a thread reads the list of securities, megabytes of texts, once.
    const known = thread.known.get(key) ?? new Map<number, string>()
    if (!thread.known.has(key)) post({ type: 'market', key, base: { panel: base.panel, securities: base.securities }, available })
    thread.known.set(key, known)
    for (const view of new Set([recent, whole])) {
      const fields = [...view.columns.keys(), ...(view.reports?.items.keys() ?? [])].join()
      if (known.get(view.from) !== fields) post({ type: 'view', key, view })
      known.set(view.from, fields)
    }
    return { work, kind: base.panel.kind, key, recent: recent.from, whole: whole.from, ...(live && { live }) }
  }

  start()

  return {
    run(piece) {
      const waiting: Waiting = { piece, stop: new Int32Array(new SharedArrayBuffer(4)), since: null, ended: false, offer: null, helped: 0 }
      const queue = piece.guest ? guests : whenever.has(piece.work.call) ? whenIdle : isHeavy(piece.work) ? backtests : calls
      queue.push(waiting)
      next()
      return () => {
        if (waiting.ended) return
        Atomics.store(waiting.stop, 0, 1)
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
        end(waiting, rejection(errorCodes.cancelled), taken(waiting))
        const thread = [...threads].find((one) => one.busy === waiting)
        if (!thread) return
        // Between two steps it sees the flag; inside a long one it is ended.
        setTimeout(() => {
          if (thread.busy === waiting) dismiss(thread)
        }, stopGraceMs)
      }
    },
    forget(key) {
      for (const thread of threads) {
        if (thread.known.delete(key)) thread.worker.postMessage({ type: 'forget', key } satisfies ToThread)
      }
    },
    helping: () => [...threads].filter(({ helps }) => helps !== null).length,
    joined: () => joined,
    async close() {
      closed = true
      clearTimeout(standingBy)
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}
