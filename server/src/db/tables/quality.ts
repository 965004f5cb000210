import type { Adjustment } from '@convexa/contract/enums/adjust'

/** What an import found: stored with the snapshot, shown by `convexa market` and on the page. Texts are Chinese sentences. */
export interface Quality {
  readonly rows: number
  /** Rows inside listing windows, the base of the 0.5 % rule. */
  readonly listedRows: number
  readonly securities: number
  readonly firstDate: string
  readonly lastDate: string
  readonly adjust: Adjustment
  readonly preset: string
  readonly source: readonly string[]
  readonly quarantined: number
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** What single days have in `quarantined` and `findings`, so that a day which is said anew counts once: by `partOf`, the newest of them. */
  readonly ofDays?: Readonly<Record<string, DayFound>>
}

/** What the checks found in a day, without rows of the data. */
interface DayFound {
  readonly quarantined: number
  readonly findings: readonly Pick<Finding, 'check' | 'level' | 'count'>[]
}

export interface Finding {
  readonly check: string
  /** fault: refuses the batch; quarantine: the rows were left out; warning: kept and told. */
  readonly level: 'fault' | 'quarantine' | 'warning'
  readonly count: number
  readonly text: string
  readonly examples: readonly string[]
}

/** A finding as it stands beside a day's step: without rows of the data. */
export type StoredFinding = Pick<Finding, 'check' | 'level' | 'count' | 'text'>
