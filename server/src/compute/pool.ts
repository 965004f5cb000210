import { Worker } from 'node:worker_threads'
import type { Panel } from '@convexa/engine'
import type { Held, View } from './panel-cache.ts'
import type { Outcome, RunProgress, TaskValue, Work } from './protocol.ts'
import { refusal, tooLarge } from './refusal.ts'

/** A piece of work with the panels it reads. */
export interface Piece {
  readonly work: Work
  readonly data: Pick<Held, 'key' | 'base' | 'recent' | 'whole'>
  readonly available: ReadonlySet<string>
  onProgress(items: RunProgress[]): void
  /** `ms`: what it took of a processor; nothing when it ended by our fault. */
  onDone(outcome: Outcome<TaskValue>, ms: number, stack?: string): void
}

/** Child → thread. A market travels once, and its columns when there are others: afterwards a task names it by key, and views by their first day. */
export type ToThread =
  | { type: 'market'; key: string; base: Held['base']; available: ReadonlySet<string> }
  | { type: 'view'; key: string; view: View }
  | { type: 'forget'; key: string }
  | { type: 'task'; work: Work; kind: Panel['kind']; key: string; recent: number; whole: number; stop: Int32Array }
/** Thread → child. */
export type FromThread =
  | { type: 'progress'; items: RunProgress[] }
  | { type: 'done'; outcome: Outcome<TaskValue> | null; ms: number }
  | { type: 'crash'; stack: string }

interface Thread {
  worker: Worker
  /** Fields known to the thread by market and first day of the view. */
  readonly known: Map<string, Map<number, string>>
  busy: Waiting | null
}
interface Waiting {
  readonly piece: Piece
  readonly stop: Int32Array
  /** When a thread took it. */
  since: number | null
  ended: boolean
}

export interface Pool {
  /** Takes its turn: interactive calls before backtests. Returns what stops it. */
  run(piece: Piece): () => void
  /** The threads let go of a panel; what computes on it goes on with its own. */
  forget(key: string): void
  close(): Promise<void>
}

/** For the operator's log. */
export const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** What may take most of a minute waits with the backtests: a screen waits for none of it. */
const heavy: ReadonlySet<Work['call']> = new Set(['backtest', 'grid', 'binning'] as const)
const isHeavy = (work: Work | undefined): boolean => work !== undefined && heavy.has(work.call)

/** A thread that does not stop by itself is ended after this many milliseconds. */
const stopGraceMs = 250

/**
 * `size` threads, of which the last is never given to a backtest, a grid or a binning: a screen does not wait for one.
 * A thread that crashes, or needs more than `heapMb` of JavaScript heap, ends its piece and is replaced.
 */
export function threadPool(size: number, heapMb: number): Pool {
  const calls: Waiting[] = []
  const backtests: Waiting[] = []
  const threads = new Set<Thread>()
  let closed = false

  const start = (): Thread => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    const thread: Thread = { worker, known: new Map(), busy: null }
    worker.on('message', (message: FromThread) => receive(thread, message))
    worker.on('error', (error) => lost(thread, stackOf(error), isOutOfMemory(error)))
    worker.on('exit', (code) => lost(thread, `thread ended with ${code}`))
    threads.add(thread)
    return thread
  }

  const lost = (thread: Thread, stack: string, outOfMemory = false) => {
    if (!threads.delete(thread)) return
    const { busy } = thread
    thread.busy = null
    if (closed) return
    if (busy && !busy.ended) end(busy, outOfMemory ? tooLarge(busy.piece.work.call) : refusal(23020), outOfMemory ? taken(busy) : 0, stack)
    if (threads.size === 0) start()
    next()
  }

  /** Ends a thread that does not stop. It is out of the pool at once: a last message on its way must not earn it another piece. */
  const dismiss = (thread: Thread) => {
    threads.delete(thread)
    thread.busy = null
    void thread.worker.terminate()
    if (threads.size === 0) start()
    next()
  }

  const receive = (thread: Thread, message: FromThread) => {
    const waiting = thread.busy
    if (!waiting) return
    if (message.type === 'progress') {
      if (!waiting.ended) waiting.piece.onProgress(message.items)
      return
    }
    thread.busy = null
    if (message.type === 'done') end(waiting, message.outcome ?? refusal(23024), message.ms)
    else end(waiting, refusal(23020), 0, message.stack)
    next()
  }

  const taken = ({ since }: Waiting): number => (since === null ? 0 : performance.now() - since)

  const end = (waiting: Waiting, outcome: Outcome<TaskValue>, ms: number, stack?: string) => {
    if (waiting.ended) return
    waiting.ended = true
    waiting.piece.onDone(outcome, ms, stack)
  }

  const next = () => {
    for (;;) {
      const idle = [...threads].find((thread) => !thread.busy)
      if (!idle && threads.size >= size) return
      const running = [...threads].filter((thread) => isHeavy(thread.busy?.piece.work)).length
      const waiting = calls.shift() ?? (running < Math.max(1, size - 1) ? backtests.shift() : undefined)
      if (!waiting) return
      // A thread costs half a second of a core to start: the first stands ready, the others come with the work.
      give(idle ?? start(), waiting)
    }
  }

  const give = (thread: Thread, waiting: Waiting) => {
    const { piece, stop } = waiting
    const { data, available, work } = piece
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
    thread.busy = waiting
    waiting.since = performance.now()
    post({ type: 'task', work, kind: base.panel.kind, key, recent: recent.from, whole: whole.from, stop })
  }

  start()

  return {
    run(piece) {
      const waiting: Waiting = { piece, stop: new Int32Array(new SharedArrayBuffer(4)), since: null, ended: false }
      const queue = isHeavy(piece.work) ? backtests : calls
      queue.push(waiting)
      next()
      return () => {
        if (waiting.ended) return
        Atomics.store(waiting.stop, 0, 1)
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
        end(waiting, refusal(23024), taken(waiting))
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
    async close() {
      closed = true
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}
