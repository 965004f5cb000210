import type { LedgerReader } from '../report/ledger-parts.ts'
import type { CoreAndSeries } from '../report/report.ts'

/** A run that has been simulated, and what can be told of it. Stop iterating `core` to cancel. */
export interface SimulatedRun {
  readonly dates: readonly string[]
  readonly reader: LedgerReader
  /** Core of the report, with the daily values that its curves and tables are made from. Yields between the runs of its sweeps. */
  core(): Generator<void, CoreAndSeries>
  /** Daily values, fills, positions and ranks, in a fixed order: all of its report follows from them. */
  ledger(): Generator<Uint8Array | string>
  /** Memory that it holds, in bytes. */
  readonly bytes: number
  /** Its memory may be used by others; nothing is asked of it any more. */
  release(): void
}
