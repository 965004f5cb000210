import type { DryRun, Holding, JournalQuestion, Targets } from '@convexa/contract'

/** What is kept of the last dry run of a config: enough to confirm it and to say so. */
export interface StoredDryRun extends Pick<DryRun, 'hash' | 'trade_date' | 'signal_date' | 'data_version'> {
  readonly diff_count: number
  readonly made_at: string
}

/** Targets of a day without what depends on the call and its time. */
export type TargetsBody = Omit<Targets, 'halt' | 'halt_reason' | 'checksum' | 'facts'>

/** A journal that a client reported and that is not the accepted one. */
export interface JournalTold {
  readonly state: JournalQuestion['state']
  readonly id: string
  readonly n: number
  readonly at: string
  readonly holdings: Holding[]
}

/** Which journal the user chose; `token` says which choice it was. */
export interface JournalWord {
  readonly use: 'client' | 'site'
  readonly id: string
  readonly token: string
}

/** Fields stored from a client's last heartbeat. */
export interface StoredClient {
  readonly version: string
  readonly dry_run: boolean
  readonly offset_ms: number
  readonly session: number
  /** Token of the client process that uses the accepted journal. */
  readonly start?: string
  /** The last day on which it had a plan. */
  readonly planned?: string
  /** The end of that plan was not told: it may have had orders that nobody told of. */
  readonly may_order?: boolean
  /** What keeps its terminal from trading; '' or absent: nothing. */
  readonly note?: string
}
