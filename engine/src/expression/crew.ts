/**
 * Threads that evaluate together. One leads: it begins at once, alone, and invites. Whoever is idle joins in the middle of a stage,
 * takes strips of columns and days of cross-sections turn by turn, and leaves again when it is wanted elsewhere or all is done; at
 * the end of a stage all who are there wait for each other. Whoever computes a cell computes it the same way: the values do not
 * depend on who came.
 *
 * Who makes the threads and tells them is the host's affair (`hostedBy`); the engine knows none.
 */
import type { Expression } from './compile.ts'

/** What another thread needs to take part, all of it texts, numbers and shared memory. */
export interface Invitation {
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
  readonly seats: number
  readonly state: Int32Array
}

/** Whoever has threads to lend. */
export interface Host {
  /** Threads that may take part in one evaluation, the leader included. */
  readonly seats: number
  /** Values read, from which on an evaluation is worth telling another thread. */
  readonly worthwhile: number
  /** Told at the beginning of an evaluation that is worth it. Nobody need come. */
  invite(invitation: Invitation): void
}

let current: Host | null = null

/** Evaluations of the work may be shared with the host's threads. */
export function hostedBy<T>(host: Host, work: () => T): T {
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
  if (current === null || current.seats < 2) return null
  let reads = 0
  for (const { cost, historyCost } of expressions) reads += cost * days + historyCost * allDays
  return reads * securities >= current.worthwhile ? current : null
}

/** Generation, who is there, who has arrived, in one word, so that they change together. */
const word = 0
/** Two counters of turns, for even and odd generations. */
const turn = 1
/** One who is there failed, or was ended: what it had taken is not done. */
const broken = 3
/** Whoever joined is wanted elsewhere. */
const wanted = 4
/** Seats that were taken, the leader's included. */
const seat = 5
/** A thread was ended: nobody need be waited for. */
const ended = 6
/** How often somebody has joined. */
const joined = 7

const one = { arrived: 1, member: 1 << 4, generation: 1 << 8 } as const
const arrivedOf = (now: number) => now & 15
const membersOf = (now: number) => (now >> 4) & 15
const generationOf = (now: number) => now >> 8

/** The state of an evaluation in which only its leader takes part yet. */
export function crewState(): Int32Array {
  const state = new Int32Array(new SharedArrayBuffer(32))
  state[word] = one.member
  state[seat] = 1
  return state
}

/** One piece of work after the other, and the end of a stage. */
export interface Turns {
  /** The stage that is under way, counted from the first of the evaluation. */
  readonly begun: number
  /** 0, 1, 2 …: nobody else gets the same. Infinity when one must stop. */
  next(): number
  /** Waits until all are here; the turns begin anew. False for who shall go. */
  meet(): boolean
}

export function alone(): Turns {
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

/** One of the crew did not do what it had taken. */
export class Deserted extends Error {}

/** Looks so often before it sleeps: stages are short. Asleep it looks again after so many milliseconds: a thread that was ended wakes nobody. */
const looks = 2_000
const napMs = 20

/** How the leader takes turns. @throws Deserted */
export function leading(state: Int32Array): Turns {
  const stay = () => {
    if (Atomics.load(state, broken) === 1) throw new Deserted('a thread of the crew was lost')
    return true
  }
  return turnsIn(state, 0, stay)
}

/** How one who joined takes turns; null when it comes too late. */
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

/** A place of one's own in the memory; null when all are taken, or nobody is needed any more. */
export function takeSeat({ state, seats }: Invitation): number | null {
  if (isOver(state) || membersOf(Atomics.load(state, word)) === 0) return null
  const place = Atomics.add(state, seat, 1)
  return place < seats ? place : null
}

function turnsIn(state: Int32Array, begun: number, stays: () => boolean): Turns {
  let generation = begun
  return {
    begun,
    next: () => (stays() ? Atomics.add(state, turn + (generation & 1), 1) : Number.POSITIVE_INFINITY),
    meet() {
      if (!stays()) return false
      arrive(state, generation)
      for (let look = 0; look < looks; look++) if (generationOf(Atomics.load(state, word)) !== generation) break
      for (let now = Atomics.load(state, word); generationOf(now) === generation; now = Atomics.load(state, word)) {
        Atomics.wait(state, word, now, napMs)
        if (Atomics.load(state, broken) === 1 && !stays()) return false
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
    // Nobody takes turns of the next stage before the word says that it has begun.
    if (isLast) Atomics.store(state, turn + ((generation + 1) & 1), 0)
    const then = isLast ? now - arrivedOf(now) + one.generation : now + one.arrived
    if (Atomics.compareExchange(state, word, now, then) !== now) continue
    if (isLast) Atomics.notify(state, word)
    return
  }
}

/** Whoever joined goes, and writes nothing from here on. It has not arrived: it may be the one that the others waited for. */
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

/** One of us failed: what it had taken is lost. */
export function fail(state: Int32Array): void {
  Atomics.store(state, broken, 1)
}

/** The leader is done, or has failed: nobody joins any more, and nobody who did is at work when this returns. */
export function dismiss(state: Int32Array): void {
  leave(state)
  for (let now = Atomics.load(state, word); membersOf(now) > 0 && Atomics.load(state, ended) === 0; now = Atomics.load(state, word))
    Atomics.wait(state, word, now, napMs)
}

/** For the host: a thread of the crew was ended, or was never there. What it had taken is computed again. */
export function endCrew(state: Int32Array): void {
  Atomics.store(state, ended, 1)
  Atomics.store(state, broken, 1)
  Atomics.notify(state, word)
}

/** For the host: whoever joined is wanted elsewhere. The leader goes on. */
export function callAway(state: Int32Array): void {
  Atomics.store(state, wanted, 1)
}

/** For the host: whether anybody has joined. */
export const hasCompany = (state: Int32Array): boolean => Atomics.load(state, joined) > 0
