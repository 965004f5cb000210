import type {
  BinningBody,
  BinningResult,
  Checks,
  DayDetail,
  FactorMeta,
  FactorRef,
  FactorRunningResult,
  factorScopes,
  GridBody,
  GridResult,
  HistoryScreenResult,
  MarketFigures,
  MarketId,
  Parameters,
  QuickBacktestBody,
  QuickBacktestResult,
  RealtimeFactors,
  RealtimeScreenBody,
  ReportPart,
  ScreenResult,
  SectionFacts,
  SecurityFactors,
  Settings,
  Verdict,
} from '@convexa/contract'
import type {
  CheckAxes,
  ComputedSummary,
  CustomFactor,
  FactorPreviewRequest,
  GlanceRequest,
  GroupRequest,
  HistoryRequest,
} from '@convexa/engine'

/** As it is, or without its first brace: `joined(['{"more":1,', …])` puts members before its own. */
export type Packing = 'whole' | 'members'

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

/** Factors of the asker's own that the work names. */
export interface WithOwn {
  readonly custom?: readonly CustomFactor[]
}

/** Uses today's quotes as the newest day where there are any; the answer's `data_time` is then that of the quotes. */
export interface MayBeLive {
  readonly live?: boolean
}

/** A report as it is stored: its core, or, of runs from before there were cores, the whole as compressed JSON. Bytes in base64. */
export type StoredReport = { readonly core: string } | { readonly packed: string; readonly headless: boolean }

/** A finished run, to be computed again from the data that it was made on. */
export interface RunAgain {
  readonly id: string
  readonly rule: RunRule
  readonly settings: Settings
  /** SHA-256 over its ledger, hexadecimal. */
  readonly ledger: string
  readonly engineVersion: string
  readonly core: string
}

/** What is kept of a finished run: bytes in base64, the ledger's SHA-256 in hexadecimal. */
export interface CoreOfReport {
  readonly core: string
  readonly ledger: string
  readonly spark: string
}

/** A group as a run keeps it: its members with the rules that they had when it was asked for. */
export type RunGroup = Omit<GroupRequest, 'settings'>

/** What a run computes, as its row keeps it: one rule, or a group of them. */
export type RunRule = { readonly parameters: Parameters } | { readonly group: RunGroup }

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
  /** Returns the cells finished so far after `budgetMs`. */
  grid: { input: GridBody & { budgetMs: number } & WithOwn; output: GridResult }
  /** A finished run with the grid around its own parameters; `trials` counts the cells too. `report`: as it is stored, in base64. */
  checks: {
    input: Pick<GridBody, 'parameters' | 'settings'> & {
      runId: string
      axes: CheckAxes['axes']
      own: CheckAxes['own']
      trials: number
      report: StoredReport
      budgetMs: number
    } & WithOwn
    output: Pick<Checks, 'robustness' | 'grid' | 'elapsed_ms'> & { verdict: Verdict | null }
  }
  binning: { input: { body: BinningBody } & WithOwn; output: BinningResult }
  /** One answer for each factor; a mistake in one does not affect the others. */
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
  /** Members of a stored report; of a core those of its core, whatever is asked for. It reads no data. */
  storedParts: { input: { report: StoredReport; parts: readonly ReportPart[] }; output: object }
  /** Members of a report that are computed again, in the order of a report; all of them where `parts` is null. */
  partsAgain: { input: { run: RunAgain; parts: readonly ReportPart[] | null } & WithOwn; output: object }
  /** null: not a day of the run. */
  dayAgain: { input: { run: RunAgain; date: string } & WithOwn; output: DayDetail | null }
  /** The core of a run whose whole report is stored; null: simulated again it comes out otherwise. */
  coreOfReport: {
    input: { run: Pick<RunAgain, 'id' | 'rule' | 'settings'>; report: StoredReport } & WithOwn
    output: CoreOfReport | null
  }
  factors: { input: { scope: (typeof factorScopes)[number] }; output: { factors: FactorMeta[]; trade_date: string } }
}
export type CallName = keyof Calls
/** Data that a call reads. */
type DataOf<N extends CallName> = N extends 'storedParts' ? null : DataRef

/** Client of the workers in an api: sends interactive calls to a live worker. Aborting a call cancels the work. */
export interface Compute {
  /**
   * `asker`: the user whose daily compute time is charged; null for results that are computed once for everybody.
   * @throws ApiError the refusal of the engine; 21002 the day's compute time is used up, 50301 no worker within three seconds or all busy, 23021 not done in `deadlineMs`,
   * 23020 the compute child died, 23024 aborted
   */
  call<N extends CallName>(name: N, data: DataOf<N>, input: Calls[N]['input'], options: CallOptions): Promise<Calls[N]['output']>
  /** The same without parsing: the output as `packJsonNow` packed it in the worker, to be passed on. */
  packed<N extends CallName>(name: N, data: DataOf<N>, input: Calls[N]['input'], packing: Packing, options: CallOptions): Promise<Buffer>
  /** Number of workers that take work and have all these snapshots. */
  workers(snapshots: readonly string[]): Promise<number>
  /** Calls that wait for a worker's answer, or for the turn of their guests. */
  underWay(): number
}

export interface CallOptions {
  readonly deadlineMs: number
  readonly asker: { readonly id: string } | null
  /** Key under which a newer call aborts an older one, whichever api made it. */
  readonly alone?: string
  /** The worker that has it at hand, if it is alive; else calls with the same words meet at one worker. */
  readonly near?: { readonly workerId: string | null; readonly words: string }
  readonly signal?: AbortSignal
}
