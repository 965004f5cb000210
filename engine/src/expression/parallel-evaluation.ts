/**
 * Parallel evaluation of expressions. The leader begins at once by itself and offers a job. Idle threads join in the middle of a stage, take
 * strips of columns and days of cross-sections in turn, and leave when they are recalled or the job is done; at the end of a stage all members
 * wait for each other (a barrier). Every thread computes a cell the same way: the values do not depend on which threads joined.
 *
 * The host (`withThreadHost`) makes the threads and passes jobs to them; the engine knows no threads.
 */
import type { Expression } from './compile.ts'

/** All that another thread needs to help with an evaluation: texts, numbers and shared memory. */
export interface ParallelJob {
  /** To be compiled there; it takes part only if its calculations have the same signatures. */
  readonly texts: readonly string[]
  readonly signatures: readonly string[]
  /** The panel that it is about: its first day, how many days and securities. */
  readonly panel: { readonly first: string; readonly days: number; readonly securities: number }
  /** Days asked for. */
  readonly rows: Int32Array
  readonly budget: number
  /** Columns that are read, derived ones too. */
  readonly columns: ReadonlyMap<string, Float64Array>
  readonly answers: readonly Float64Array[]
  /** Rows are in here. */
  readonly memory: WebAssembly.Memory
  /** Threads at most. */
  readonly maxThreads: number
  readonly state: Int32Array
}

/** Provides threads for evaluations. */
export interface Host {
  /** Threads that may take part in one evaluation, the leader included. */
  readonly maxThreads: number
  /** Values read, from which on an evaluation is worth telling another thread. */
  readonly worthwhile: number
  /** Called at the beginning of an evaluation that is worth it. No thread need join. */
  invite(job: ParallelJob): void
}

let current: Host | null = null

/** Runs `work`, whose evaluations may use the threads of the host: those before it returns, not those after an `await` (decisions/0200). */
export function withThreadHost<T>(host: Host, work: () => T): T {
  const before = current
  current = host
  try {
    return work()
  } finally {
    current = before
  }
}

/** The host, where there is one and the work is enough for two. */
export function hostFor(expressions: readonly Expression[], securities: number, days: number, allDays: number): Host | null {
  if (current === null || current.maxThreads < 2) return null
  let reads = 0
  for (const { cost, historyCost } of expressions) reads += cost * days + historyCost * allDays
  return reads * securities >= current.worthwhile ? current : null
}

/** Generation, number of members and of those at the barrier, in one word, so that they change together. */
const word = 0
/** Two counters of turns, for even and odd generations. */
const turn = 1
/** A member failed, or was ended: what it had taken is not done. */
const broken = 3
/** Signal: helpers leave this job. */
const wanted = 4
/** Threads that have joined, the leader included. */
const seat = 5
/** A thread was ended: the leader waits for none. */
const ended = 6
/** How often a helper has joined. */
const joined = 7

const one = { arrived: 1, member: 1 << 4, generation: 1 << 8 } as const
const arrivedOf = (now: number) => now & 15
const membersOf = (now: number) => (now >> 4) & 15
const generationOf = (now: number) => now >> 8

/** The state of a job that only its leader has joined yet. */
export function parallelState(): Int32Array {
  const state = new Int32Array(new SharedArrayBuffer(32))
  state[word] = one.member
  state[seat] = 1
  return state
}

/** One piece of work after the other, and the end of a stage. */
export interface Turns {
  /** The stage that is under way, counted from the first of the evaluation. */
  readonly begun: number
  /** 0, 1, 2 …: no other member gets the same. Infinity when it must stop. */
  next(): number
  /** Barrier: waits for all members, then the turns begin anew. False when this thread must leave. */
  meet(): boolean
}

export function singleThreadTurns(): Turns {
  let taken = 0
  return {
    begun: 0,
    next: () => taken++,
    meet: () => {
      taken = 0
      return true
    },
  }
}

/** A helper was lost with the work that it had taken. */
export class HelperLostError extends Error {}

/** Looks so often before it sleeps: stages are short. Asleep it looks again after so many milliseconds: a thread that was ended wakes nobody. */
const looks = 2_000
const napMs = 20

/** How the leader takes turns. @throws Deserted */
export function leading(state: Int32Array): Turns {
  const stay = () => {
    if (Atomics.load(state, broken) === 1) throw new HelperLostError('a helper thread was lost')
    return true
  }
  return turnsIn(state, 0, stay)
}

/** How a helper takes turns; null when it comes too late. */
export function joining(state: Int32Array): Turns | null {
  for (;;) {
    if (isOver(state)) return null
    const now = Atomics.load(state, word)
    if (membersOf(now) === 0) return null
    if (Atomics.compareExchange(state, word, now, now + one.member) !== now) continue
    Atomics.add(state, joined, 1)
    Atomics.notify(state, word)
    return turnsIn(state, generationOf(now), () => !isOver(state))
  }
}

/** Joins a job: its place in the memory; null when all places are taken, or the job is over. */
export function joinJob({ state, maxThreads }: ParallelJob): number | null {
  if (isOver(state) || membersOf(Atomics.load(state, word)) === 0) return null
  const place = Atomics.add(state, seat, 1)
  return place < maxThreads ? place : null
}

function turnsIn(state: Int32Array, begun: number, keepsHelping: () => boolean): Turns {
  let generation = begun
  return {
    begun,
    next: () => (keepsHelping() ? Atomics.add(state, turn + (generation & 1), 1) : Number.POSITIVE_INFINITY),
    meet() {
      if (!keepsHelping()) return false
      arrive(state, generation)
      for (let look = 0; look < looks; look++) if (generationOf(Atomics.load(state, word)) !== generation) break
      for (let now = Atomics.load(state, word); generationOf(now) === generation; now = Atomics.load(state, word)) {
        Atomics.wait(state, word, now, napMs)
        if (Atomics.load(state, broken) === 1 && !keepsHelping()) return false
      }
      generation++
      return true
    },
  }
}

function arrive(state: Int32Array, generation: number): void {
  for (;;) {
    const now = Atomics.load(state, word)
    const isLast = arrivedOf(now) + 1 === membersOf(now)
    // No member takes turns of the next stage before the word says that it has begun.
    if (isLast) Atomics.store(state, turn + ((generation + 1) & 1), 0)
    const then = isLast ? now - arrivedOf(now) + one.generation : now + one.arrived
    if (Atomics.compareExchange(state, word, now, then) !== now) continue
    if (isLast) Atomics.notify(state, word)
    return
  }
}

/** A member leaves, and writes nothing from here on. It was not at the barrier: it may be the one that the others waited for. */
export function leave(state: Int32Array): void {
  for (;;) {
    const now = Atomics.load(state, word)
    const others = membersOf(now) - 1
    const isLast = others > 0 && arrivedOf(now) === others
    if (isLast) Atomics.store(state, turn + ((generationOf(now) + 1) & 1), 0)
    const then = now - one.member + (isLast ? one.generation - arrivedOf(now) : 0)
    if (Atomics.compareExchange(state, word, now, then) !== now) continue
    Atomics.notify(state, word)
    return
  }
}

const isOver = (state: Int32Array) => Atomics.load(state, broken) === 1 || Atomics.load(state, wanted) === 1

/** This member failed: what it had taken is lost. */
export function fail(state: Int32Array): void {
  Atomics.store(state, broken, 1)
}

/** The leader is done, or has failed: no helper joins any more, and none is at work when this returns. */
export function dismiss(state: Int32Array): void {
  leave(state)
  for (let now = Atomics.load(state, word); membersOf(now) > 0 && Atomics.load(state, ended) === 0; now = Atomics.load(state, word))
    Atomics.wait(state, word, now, napMs)
}

/** For the host: a helper thread was ended, or was never there. What it had taken is computed again. */
export function endParallelJob(state: Int32Array): void {
  Atomics.store(state, ended, 1)
  Atomics.store(state, broken, 1)
  Atomics.notify(state, word)
}

/** For the host: helpers are needed elsewhere and leave. The leader goes on. */
export function recallHelpers(state: Int32Array): void {
  Atomics.store(state, wanted, 1)
}
