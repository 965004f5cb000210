import { type ChildProcess, fork } from 'node:child_process'
import type { ErrorCode } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { TradingRules } from '@convexa/engine'
import { usableCores } from '../base/capacity.ts'
import { codeCache } from '../base/code-cache.ts'
import { entryFile } from '../base/program-files.ts'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import type { ClosedWeekdays } from '../market/calendar.ts'
import { backOffMs } from './back-off.ts'
import { callLoad } from './call-load.ts'
import { isHeavy } from './pool.ts'
import type { FromChild, Outcome, RunProgress, Task, TaskValue, ToChild } from './protocol.ts'
import { rejection, tooLarge } from './rejection.ts'
import { residentBytes } from './resident.ts'

export interface ComputeChildOptions {
  readonly dataDir: string
  readonly threads: number
  /** What panels may take, in MB. */
  readonly panelMb: number
  /**
   * What each thread that computes backtests may hold beyond the loaded panels, in MB: more JavaScript heap ends its run, more of all of
   * them together ends the child.
   */
  readonly headroomMb: number
  /** Without a sign of life for so long it is hung and ended. */
  readonly hungAfterMs: number
  /** The exchanges' rules as the operator has them; the usual ones when not said. */
  readonly rules?: TradingRules
  log(event: string, details: Record<string, unknown>): void
  /** A child can be given work. */
  onReady?(): void
  /** Work of a user took so much of a processor, done or stopped; what ended by our fault costs nothing. */
  spent?(userId: string, ms: number): void
}

/** The worker's side of its compute child. */
export interface ComputeChild {
  /** Resolves when the task ended, however it ended: never rejects. An aborted signal stops it with 23024. */
  run(task: Omit<Task, 'id'>, signal?: AbortSignal, onProgress?: (items: RunProgress[]) => void): Promise<Outcome<TaskValue>>
  /** Newest quotes of the day that is not over: what is asked live is of them from now on. */
  tell(quotes: LiveQuotes): void
  /** What was said of years of the calendar (`learnYears`): it has no database to read them from. */
  learn(years: ReadonlyMap<number, ClosedWeekdays>): void
  readonly pid: number | undefined
  /** Tasks given and not ended. */
  load(): number
  /** One more interactive call would not be computed soon. */
  isCrowded(): boolean
  /** How often it has ended unexpectedly. */
  ends(): number
  /** It has been ready, and has not ended again and again since without being of use. */
  isUsable(): boolean
  /** How often a run of the same engine came out otherwise than it had. */
  mismatches(): number
  close(): Promise<void>
}

interface Waiting {
  readonly task: Task
  readonly onProgress: (items: RunProgress[]) => void
  readonly done: (outcome: Outcome<TaskValue>) => void
}

const mb = 1024 * 1024
const watchEveryMs = 200
/** A child that starts says nothing until it is ready, on a busy machine for seconds. */
const startingMs = 30_000
/** Error code of tasks that end with their child; null: the refusal of a too large run. */
const causes = { crash: errorCodes.computeCrashed, hung: errorCodes.computeTimeout, memory: null } as const satisfies Record<
  string,
  ErrorCode | null
>
/** glibc: large blocks go back to the system when they are freed, whatever was freed before, and threads share two arenas. */
const givesBack = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' }
/**
 * Crashes in a row after which waiting tasks fail. The count starts anew after a child that ended under work or after a minute: what made it
 * crash has ended with it.
 */
const hopelessCrashes = 3
const usefulAfterMs = 60_000

/**
 * Forks the compute child and keeps one alive. A child that crashes, hangs or holds too much memory is ended, all its tasks end
 * with 23020 (23021 when it hung, when it held too much the sentence of a too large run), and another starts at once, later after repeated crashes. Tasks given meanwhile wait for it.
 */
export function computeChild(options: ComputeChildOptions): ComputeChild {
  const waiting = new Map<number, Waiting>()
  /** Owner of each task until the child reports the compute time it used; after an abort that report comes later than the answer. */
  const owners = new Map<number, string>()
  const calls = callLoad(Math.min(options.threads, usableCores()))
  let nextId = 1
  let crashes = 0
  let ends = 0
  let mismatches = 0
  let closed = false
  let child: ChildProcess | null = null
  let ready = false
  let hasBeenReady = false
  let startedAt = 0
  let aliveAt = 0
  let allowance = 0
  let killed: 'memory' | 'hung' | null = null
  let quotes: LiveQuotes | null = null
  let years: ReadonlyMap<number, ClosedWeekdays> | null = null

  const start = () => {
    if (closed) return
    const env = { ...process.env, ...codeCache(options.dataDir), ...givesBack }
    const rules = options.rules ? [options.rules.stLimitFrom ?? 'off'] : []
    const next = fork(entryFile('child-main'), [options.threads, options.panelMb, options.headroomMb, ...rules].map(String), {
      serialization: 'advanced',
      execArgv: [],
      env,
    })
    child = next
    ready = false
    killed = null
    allowance = 0
    startedAt = aliveAt = performance.now()
    next.on('message', (message: FromChild) => {
      if (next === child) receive(message)
    })
    next.on('error', (error) => {
      if (next.pid !== undefined) return
      // It has never been: no exit follows.
      options.log('compute child cannot start', { error: error.message })
      gone(next, null, null)
    })
    next.once('exit', (code, signal) => gone(next, code, signal))
  }

  const receive = (message: FromChild) => {
    aliveAt = performance.now()
    if (message.type === 'ready') {
      ready = hasBeenReady = true
      if (years) post({ type: 'calendar', years })
      if (quotes) post({ type: 'quotes', quotes })
      for (const { task } of waiting.values()) post({ type: 'task', task })
      options.onReady?.()
    } else if (message.type === 'memory') allowance = message.bytes
    else if (message.type === 'progress') waiting.get(message.id)?.onProgress(message.items)
    else if (message.type === 'done') {
      if (message.stack) options.log('task failed', { call: waiting.get(message.id)?.task.work.call, stack: message.stack })
      if (message.mismatch !== undefined) {
        mismatches++
        options.log('run computed again comes out otherwise', { run: message.mismatch })
      }
      const task = waiting.get(message.id)?.task
      if (task && message.outcome.ok && !isHeavy(task.work)) calls.measured(message.ms)
      const owner = owners.get(message.id)
      owners.delete(message.id)
      if (owner !== undefined) options.spent?.(owner, message.ms)
      end(message.id, message.outcome)
    }
  }

  const gone = (which: ChildProcess, code: number | null, signal: NodeJS.Signals | null) => {
    if (which !== child) return
    child = null
    if (ready) owners.clear()
    if (closed) return
    ends++
    const lived = performance.now() - startedAt
    crashes = (ready && waiting.size > 0) || lived > usefulAfterMs ? 1 : crashes + 1
    options.log('compute child ended', { code, signal, pid: which.pid, lived: Math.round(lived), killed })
    // Before it was ready nothing had been given to it: what waits goes on waiting for the next one, but not for ever.
    if (ready || crashes >= hopelessCrashes) endAll(causes[killed ?? 'crash'])
    setTimeout(start, backOffMs(crashes))
  }

  const endAll = (code: ErrorCode | null) => {
    // Beside a backtest an interactive call is hardly what took the memory.
    const blamed = [...waiting.values()].some(({ task }) => task.work.call === 'backtest') ? 'backtest' : null
    for (const [id, { task }] of [...waiting]) {
      const { call } = task.work
      end(id, code !== null ? rejection(code) : blamed && call !== blamed ? rejection(errorCodes.computeCrashed) : tooLarge(call))
    }
  }

  const end = (id: number, outcome: Outcome<TaskValue>) => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (found && !isHeavy(found.task.work)) calls.end()
    found?.done(outcome)
  }

  const post = (message: ToChild) => {
    // A failed send means that the child is gone: its end follows and ends the task.
    if (child?.connected && ready) child.send(message, () => {})
  }

  const kill = (cause: 'memory' | 'hung', why: string, details: Record<string, unknown>) => {
    if (!child || killed) return
    killed = cause
    options.log(why, { pid: child.pid, ...details })
    child.kill('SIGKILL')
  }

  let lookedAt = performance.now()
  const watch = setInterval(() => {
    const now = performance.now()
    // Counts silence only while this process runs: after a pause of the whole machine both processes wake at once.
    aliveAt = Math.min(now, aliveAt + Math.max(0, now - lookedAt - 2 * watchEveryMs))
    lookedAt = now
    if (!child?.pid) return
    const patience = ready ? options.hungAfterMs : Math.max(options.hungAfterMs, startingMs)
    if (now - aliveAt > patience) return kill('hung', 'compute child hangs', {})
    const limit = allowance + options.headroomMb * Math.max(1, options.threads - 1) * mb
    const resident = residentBytes(child.pid)
    if (resident !== null && resident > limit) {
      kill('memory', 'compute child holds too much memory', { resident: Math.round(resident / mb), limit: Math.round(limit / mb) })
    }
  }, watchEveryMs)
  start()

  return {
    get pid() {
      return child?.pid
    },
    load: () => waiting.size,
    isCrowded: calls.isCrowded,
    ends: () => ends,
    // One that has lived for a minute has left behind what made those before it crash.
    isUsable: () => hasBeenReady && (crashes < hopelessCrashes || (ready && performance.now() - startedAt > usefulAfterMs)),
    mismatches: () => mismatches,
    tell(newest) {
      quotes = newest
      post({ type: 'quotes', quotes })
    },
    learn(said) {
      years = said
      post({ type: 'calendar', years })
    },
    run(task, signal, onProgress = () => {}) {
      if (closed) return Promise.resolve(rejection(errorCodes.stopping))
      if (signal?.aborted) return Promise.resolve(rejection(errorCodes.cancelled))
      const id = nextId++
      return new Promise((resolve) => {
        const abort = () => {
          post({ type: 'abort', id })
          if (!ready) owners.delete(id)
          end(id, rejection(errorCodes.cancelled))
        }
        const done = (outcome: Outcome<TaskValue>) => {
          signal?.removeEventListener('abort', abort)
          resolve(outcome)
        }
        signal?.addEventListener('abort', abort, { once: true })
        waiting.set(id, { task: { ...task, id }, onProgress, done })
        if (!isHeavy(task.work)) calls.begin()
        if (task.userId !== undefined) owners.set(id, task.userId)
        post({ type: 'task', task: { ...task, id } })
      })
    },
    async close() {
      closed = true
      clearInterval(watch)
      const last = child
      for (const id of [...waiting.keys()]) end(id, rejection(errorCodes.stopping))
      if (!last || last.exitCode !== null || last.signalCode !== null) return
      const exit = new Promise((resolve) => last.once('exit', resolve))
      last.kill('SIGTERM')
      const force = setTimeout(() => last.kill('SIGKILL'), 1_000)
      await exit
      clearTimeout(force)
    },
  }
}
