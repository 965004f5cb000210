import { existsSync, readFileSync } from 'node:fs'
import type { FeedDeps } from '../../src/feeds/source/feed-deps.ts'
import { transport } from '../../src/feeds/source/transport.ts'

export interface TestGround extends FeedDeps {
  /** What was waited for, in ms. */
  readonly waits: number[]
  turnTo(moment: string): void
}

/** A clock that stands at a moment and moves by what is waited for. */
export function groundAt(moment = '2024-06-18T16:30:00+08:00'): TestGround {
  let ms = Date.parse(moment)
  const waits: number[] = []
  return {
    waits,
    now: () => ms,
    turnTo(to) {
      ms = Date.parse(to)
    },
    sleep: async (more, signal) => {
      signal.throwIfAborted()
      waits.push(more)
      ms += more
    },
  }
}

/** As the product asks, with less patience for size, and for silence where that is what is tested: a busy machine is slow, too. */
export const impatient = (deps: FeedDeps, timeoutMs = 20_000) => transport(deps, { timeoutMs, mostBytes: 1_000_000 })

/** An answer recorded from the provider; null where the shared folder is not there. */
export function recorded(name: string): Buffer | null {
  const file = new URL(`../../../../shared/fixtures/${name}`, import.meta.url)
  return existsSync(file) ? readFileSync(file) : null
}

export const whyNoRecords = 'the recorded answers of ../shared/fixtures are not there'

/** Numbers of a table by code, NaN as null. */
export function rowsOf(table: { codes: readonly string[]; columns: ReadonlyMap<string, Float64Array> }) {
  return Object.fromEntries(
    table.codes.map((code, i) => [
      code,
      Object.fromEntries([...table.columns].map(([key, values]) => [key, Number.isNaN(values[i]!) ? null : values[i]!])),
    ]),
  )
}
