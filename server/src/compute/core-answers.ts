import { createHash } from 'node:crypto'
import type { Outcome, TaskValue, Work } from './protocol.ts'

/** Runs whose reports are opened again and again: some hundred kilobytes each. */
const mostAnswers = 64

/** Packed answers made of stored cores alone, those last asked for: the same core gives the same bytes. */
export class CoreAnswers {
  readonly #answers = new Map<string, Uint8Array>()

  /** The answer, kept or made now. Refusals are not kept. */
  async of(work: Work, make: () => Promise<Outcome<TaskValue>>): Promise<Outcome<TaskValue>> {
    const key = keyOf(work)
    if (key === null) return make()
    const kept = this.#answers.get(key)
    const outcome = kept ? { ok: true as const, value: kept } : await make()
    if (outcome.ok) this.#keep(key, outcome.value as Uint8Array)
    return outcome
  }

  #keep(key: string, value: Uint8Array): void {
    this.#answers.delete(key)
    this.#answers.set(key, value)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > mostAnswers && oldest !== undefined) this.#answers.delete(oldest)
  }
}

/** null: it is not kept. */
function keyOf(work: Work): string | null {
  if (work.call !== 'storedParts' || !('core' in work.input.report)) return null
  const { report, parts } = work.input
  return createHash('sha256').update(`${work.packing} ${parts} ${report.core}`).digest('base64')
}
