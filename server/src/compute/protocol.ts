import type {
  BacktestBody,
  BinningBody,
  BinningResult,
  Checks,
  ErrorCode,
  FactorMeta,
  FactorRef,
  FactorRunningResult,
  factorScopes,
  GridBody,
  GridResult,
  HistoryScreenResult,
  MarketFigures,
  MarketId,
  Metrics,
  QuickBacktestBody,
  QuickBacktestResult,
  RealtimeFactors,
  RealtimeScreenBody,
  ScreenResult,
  SectionFacts,
  SecurityFactors,
  Verdict,
} from '@convexa/contract'
import type { CheckAxes, ComputedSummary, CustomFactor, FactorPreviewRequest, GlanceRequest, HistoryRequest, Quotes } from '@convexa/engine'
import type { Packing } from '../http/packed-json.ts'
import type { ClosedWeekdays } from '../market/calendar.ts'
import type { RunRule } from '../quant/run-rule.ts'

/**
 * Which published data a calculation reads. Ids are of `market_snapshot`; the index snapshot holds its benchmarks, the stock snapshot the
 * history of bonds' shares.
 */
export interface DataRef {
  readonly kind: MarketId
  readonly snapshotId: string
  readonly indexSnapshotId: string | null
  readonly stockSnapshotId: string | null
}

/** The same, with the folders where this machine keeps them. */
export interface DataFiles extends DataRef {
  readonly folder: string
  readonly indexFolder: string | null
  readonly stockFolder: string | null
}

/** Factors of the asker's own that the work names. */
interface WithOwn {
  readonly custom?: readonly CustomFactor[]
}

/** Of the newest day: that which is not over, where there are quotes of it. The answer's `data_time` is then theirs. */
export interface MayBeLive {
  readonly live?: boolean
}

/** The calls that an api makes of a worker: what goes in, and the data that comes back as JSON. `date` null or absent = the last day. */
export interface Calls {
  screen: {
    /** `note`: what the answer says of data that have not come. */
    input: Pick<RealtimeScreenBody, 'parameters' | 'previous' | 'need'> & { date?: string | null; note?: string } & WithOwn & MayBeLive
    output: ScreenResult
  }
  historyScreen: {
    /** `notes`: by date. */
    input: HistoryRequest & { notes?: Readonly<Record<string, string>> } & WithOwn
    output: HistoryScreenResult
  }
  quick: { input: QuickBacktestBody & WithOwn; output: QuickBacktestResult }
  /** After `budgetMs` it answers with what is done. */
  grid: { input: GridBody & { budgetMs: number } & WithOwn; output: GridResult }
  /** A finished run with the grid around its own parameters; `trials` counts the cells too. `report`: as it is stored, in base64. */
  checks: {
    input: Pick<GridBody, 'parameters' | 'settings'> & {
      axes: CheckAxes['axes']
      own: CheckAxes['own']
      trials: number
      report: { packed: string; headless: boolean }
      budgetMs: number
    } & WithOwn
    output: Pick<Checks, 'robustness' | 'grid' | 'elapsed_ms'> & { verdict: Verdict | null }
  }
  binning: { input: { body: BinningBody } & WithOwn; output: BinningResult }
  /** One answer for each, a mistake among them. */
  running: { input: { factors: readonly FactorPreviewRequest[] } & WithOwn; output: FactorRunningResult['results'] }
  crossSection: {
    /** `facts`: also what exclusions look at; `remarks`: what is to be said of prices that the factors read. */
    input: { refs: readonly FactorRef[]; date?: string | null; facts?: boolean; remarks?: boolean } & WithOwn & MayBeLive
    output: {
      trade_date: string
      columns: string[]
      codes: string[]
      values: (number | null)[][]
      price_remarks?: RealtimeFactors['price_remarks']
      facts?: SectionFacts
      data_time: string
    }
  }
  /** `history`: trading days; `refs` of it, the market's own columns when none are named. */
  securityFactors: {
    input: { code: string; history: number; refs: readonly FactorRef[] } & WithOwn & MayBeLive
    output: SecurityFactors | null
  }
  /** Share of the listed securities with a value on the last day. */
  coverage: { input: { refs: readonly FactorRef[] } & WithOwn; output: (number | null)[] }
  /** `series`: market series to tell, with their names; `history`: trading days of each. */
  figures: {
    input: { series: readonly { readonly code: string; readonly name: string }[]; history: number } & MayBeLive
    output: MarketFigures
  }
  /** Runs a saved rule over a short range, lists its last day, follows it from the day it was saved. */
  glance: { input: GlanceRequest & WithOwn; output: ComputedSummary }
  factors: { input: { scope: (typeof factorScopes)[number] }; output: { factors: FactorMeta[]; trade_date: string } }
}
export type CallName = keyof Calls

/**
 * Input of a backtest; the members of `about` go into its Report unchanged. The owner and the owner's note are added when the Report is
 * read.
 */
export interface BacktestInput extends Pick<BacktestBody, 'settings'>, WithOwn {
  readonly rule: RunRule
  /** Rules of this family tried so far, this one included. */
  readonly trials: number
  readonly about: {
    readonly params_hash: string
    readonly factor_versions: Readonly<Record<string, number>>
    readonly created_at: string
  }
}

/** A finished run as it is stored: compressed JSON, made off the main thread. */
export interface FinishedRun {
  readonly metrics: Metrics
  /** Both answers; null where there was nothing to hold the run against. */
  readonly verdict: Verdict | null
  readonly report: Uint8Array
  readonly days: readonly { readonly first: string; readonly last: string; readonly bytes: Uint8Array }[]
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
}
export type Outcome<T> = { readonly ok: true; readonly value: T } | ComputeRejection

/** A task of the compute child: an interactive call (value: bytes of JSON, with `packing` as `packJsonNow` packs them) or a backtest. */
export type Task = {
  readonly id: number
  readonly files: DataFiles
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

/** Quotes of the day that is not over, of both markets, as they travel. */
export interface LiveQuotes extends Quotes {
  /** Ascending. */
  readonly seq: number
  /** When the newest of them was made, ISO 8601. */
  readonly quotedAt: string
}

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
  | { type: 'done'; id: number; outcome: Outcome<TaskValue>; ms: number; stack?: string }
