import { createHash } from 'node:crypto'

interface Worker {
  readonly id: string
}

export interface WorkerLoads {
  /** A call to a worker begins; returns what ends it. */
  begin(id: string): () => void
  /** A worker said how many tasks it has. */
  told(id: string, tasks: number): void
  /** Of two at random the one with fewer tasks: a figure that all apis have would send all of them to one worker. */
  lighter<W extends Worker>(workers: readonly W[]): W | undefined
}

/** What a worker said of its tasks is of use for so long: later it may have none. */
const toldForMs = 1_000

/**
 * The tasks of workers as one api knows them: its own open calls, and what the last answer said.
 * @param now milliseconds of a clock that only goes forward
 * @param random in [0, 1)
 */
export function workerLoads(now: () => number = () => performance.now(), random: () => number = Math.random): WorkerLoads {
  const open = new Map<string, number>()
  const said = new Map<string, { readonly tasks: number; readonly at: number }>()

  const loadOf = (id: string): number => {
    const last = said.get(id)
    return (open.get(id) ?? 0) + (last && now() - last.at < toldForMs ? last.tasks : 0)
  }

  return {
    begin(id) {
      open.set(id, (open.get(id) ?? 0) + 1)
      return () => {
        const left = (open.get(id) ?? 1) - 1
        if (left > 0) open.set(id, left)
        else open.delete(id)
      }
    },
    told(id, tasks) {
      if (!Number.isFinite(tasks)) return
      said.delete(id)
      said.set(id, { tasks, at: now() })
      // Workers come and go; each has a new id.
      for (const [old, { at }] of said) if (now() - at >= toldForMs) said.delete(old)
    },
    lighter(workers) {
      if (workers.length < 2) return workers[0]
      const first = Math.floor(random() * workers.length)
      const second = (first + 1 + Math.floor(random() * (workers.length - 1))) % workers.length
      const [a, b] = [workers[first]!, workers[second]!]
      return loadOf(b.id) < loadOf(a.id) ? b : a
    },
  }
}

/** The same worker for the same words in every api; when another worker comes or goes, few words move (rendezvous hashing). */
export function byRendezvous<W extends Worker>(workers: readonly W[], words: string): W | undefined {
  let best: { readonly worker: W; readonly weight: Buffer } | undefined
  for (const worker of workers) {
    const weight = createHash('sha256').update(`${worker.id} ${words}`).digest()
    if (best === undefined || weight.compare(best.weight) > 0) best = { worker, weight }
  }
  return best?.worker
}
