import type { SimulatedRun } from '@convexa/engine'

/** A run that was simulated here, and the SHA-256 of its ledger. */
export interface KeptRun {
  readonly run: SimulatedRun
  readonly ledger: Buffer
}

interface Entry extends KeptRun {
  readonly key: string
}

const mostRuns = 64

/** Simulated runs that are kept for what is asked of them next; the longest unused are released first. */
export class KeptRuns {
  readonly #most: number
  readonly #runs = new Map<string, Entry>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get(id: string): KeptRun | undefined {
    const found = this.#runs.get(id)
    if (!found) return undefined
    this.#runs.delete(id)
    this.#runs.set(id, found)
    return found
  }

  /** `key`: of the panel that it was simulated on. */
  keep(id: string, key: string, kept: KeptRun): void {
    this.#drop(id)
    this.#runs.set(id, { ...kept, key })
    this.#bytes += kept.run.bytes
  }

  /** After a piece of work, when nothing reads them: what is too much is released. */
  settle(): void {
    for (const [oldest] of this.#runs) {
      if (this.#bytes <= this.#most && this.#runs.size <= mostRuns) break
      this.#drop(oldest)
    }
  }

  /** The panel goes: a run on it would hold its memory. */
  forget(key: string): void {
    for (const [id, entry] of this.#runs) if (entry.key === key) this.#drop(id)
  }

  #drop(id: string): void {
    const entry = this.#runs.get(id)
    if (!entry) return
    this.#runs.delete(id)
    this.#bytes -= entry.run.bytes
    entry.run.release()
  }
}
