/**
 * Threads that evaluate together. Each of them calls `evaluateAll` with the same expressions on the same panel (its columns in
 * shared memory) and its own place in the crew; who makes the threads, and what they are told, is the host's affair. Strips of
 * columns and days of cross-sections are taken turn by turn, and between two stages all wait for each other. Whoever computes a
 * cell computes it the same way: the values do not depend on the crew.
 */
export interface Crew {
  /** 0 … count − 1; the first one prepares what all read. */
  readonly place: number
  readonly count: number
  /** Rows are in here. */
  readonly memory: WebAssembly.Memory
  /** From `crewState`, the same for all. */
  readonly state: Int32Array
}

/** What a crew needs besides its memory; all zero before each evaluation. */
export const crewState = (): Int32Array => new Int32Array(new SharedArrayBuffer(16))

const arrived = 0
const generation = 1
const turn = 2
const broken = 3

/** One piece of work after the other, and the end of a stage. */
export interface Turns {
  /** 0, 1, 2 …: nobody else gets the same. */
  next(): number
  /** Waits until all are here; the turns begin anew. */
  meet(): void
  /** One of us failed: the others must not wait for ever. */
  fail(): void
}

export function alone(): Turns {
  let taken = 0
  return {
    next: () => taken++,
    meet: () => {
      taken = 0
    },
    fail: () => {},
  }
}

/** Looks so often before it sleeps: stages are short. */
const looks = 2_000

export function turnsOf({ state, count }: Crew): Turns {
  const check = () => {
    if (Atomics.load(state, broken) === 1) throw new Error('another thread of the crew failed')
  }
  return {
    next: () => Atomics.add(state, turn, 1),
    meet() {
      const now = Atomics.load(state, generation)
      check()
      if (Atomics.add(state, arrived, 1) === count - 1) {
        Atomics.store(state, arrived, 0)
        Atomics.store(state, turn, 0)
        Atomics.add(state, generation, 1)
        Atomics.notify(state, generation)
        return
      }
      for (let look = 0; look < looks; look++) if (Atomics.load(state, generation) !== now) break
      while (Atomics.load(state, generation) === now) Atomics.wait(state, generation, now)
      check()
    },
    fail() {
      Atomics.store(state, broken, 1)
      Atomics.add(state, generation, 1)
      Atomics.notify(state, generation)
    },
  }
}
