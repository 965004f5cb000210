import type { BacktestBody, ErrorCode, Metrics, Parameters, Verdict } from '@convexa/contract'
import type { CallName, Calls, DataRef, Packing, RunRule, WithOwn } from '../context/compute.ts'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import type { ClosedWeekdays } from '../market/calendar.ts'

/** The same, with the folders where this machine keeps them. */
export interface DataFiles extends DataRef {
  readonly folder: string
  readonly indexFolder: string | null
  readonly stockFolder: string | null
}

/** Every rule in it. */
export const rulesOf = (rule: RunRule): readonly Parameters[] =>
  'group' in rule ? rule.group.members.map(({ parameters }) => parameters) : [rule.parameters]

/**
 * Input of a backtest; the members of `about` go into its Report unchanged. The owner and the owner's note are added when the Report is
 * read.
 */
export interface BacktestInput extends Pick<BacktestBody, 'settings'>, WithOwn {
  /** Under which its ledger is kept. */
  readonly runId: string
  readonly rule: RunRule
  /** Rules of this family tried so far, this one included. */
  readonly trials: number
  readonly about: {
    readonly params_hash: string
    readonly factor_versions: Readonly<Record<string, number>>
    readonly created_at: string
  }
}

/** A finished run as it is stored. */
export interface FinishedRun {
  readonly metrics: Metrics
  /** Both answers; null where there was nothing to hold the run against. */
  readonly verdict: Verdict | null
  readonly core: Uint8Array
  /** SHA-256 of what decides all that is computed of it again. */
  readonly ledger: Uint8Array
  /** The nav in short. */
  readonly spark: Uint8Array
}

/** What a run tells on its way; `curve` holds the days since the last one. */
export type RunProgress =
  | { type: 'stage'; stage: 'load' | 'factors' | 'simulate' | 'report' }
  | { type: 'progress'; percent: number; date: string; nav: number; bench: number | null; hold: number; trades: number }
  | { type: 'curve'; dates: string[]; nav: (number | null)[]; bench: (number | null)[] }
  | { type: 'warning'; message: string }

/** Rejection of a computation: a code with its full Chinese sentence and the places of the catalogue's text. */
export interface ComputeRejection {
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
  readonly places: readonly (string | number)[]
  /** Another worker may be able to. */
  readonly elsewhere?: true
}
export type Outcome<T> = { readonly ok: true; readonly value: T } | ComputeRejection

/** A task of the compute child: an interactive call (value: bytes of JSON, with `packing` as `packJsonNow` packs them) or a backtest. */
export type Task = {
  readonly id: number
  /** null: of work that reads no data. */
  readonly files: DataFiles | null
  readonly work: Work
  /** User whose daily compute time is charged; absent: nobody's. */
  readonly userId?: string
  /** It waits behind the work of everybody who is no guest. */
  readonly guest?: true
}
export type Work =
  | { [N in CallName]: { readonly call: N; readonly input: Calls[N]['input']; readonly packing?: Packing } }[CallName]
  | { readonly call: 'backtest'; readonly input: BacktestInput }

export type TaskValue = Uint8Array | FinishedRun

/** Worker main → compute child. */
export type ToChild =
  | { type: 'task'; task: Task }
  | { type: 'abort'; id: number }
  | { type: 'quotes'; quotes: LiveQuotes }
  | { type: 'calendar'; years: ReadonlyMap<number, ClosedWeekdays> }
/** Compute child → worker main. `memory`: bytes of panels loaded or about to be. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'alive' }
  | { type: 'memory'; bytes: number }
  | { type: 'progress'; id: number; items: RunProgress[] }
  /** `ms`: of a processor, that the work took. */
  | { type: 'done'; id: number; outcome: Outcome<TaskValue>; ms: number; stack?: string; mismatch?: string }
