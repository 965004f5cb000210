import type { DryRun, Targets } from '@convexa/contract'

/** What is kept of the last dry run of a config: enough to confirm it and to say so. */
export interface StoredDryRun extends Pick<DryRun, 'hash' | 'trade_date' | 'signal_date' | 'data_version'> {
  readonly diff_count: number
  readonly made_at: string
}

/** What the targets of a day say, whoever asks and when. */
export type TargetsBody = Omit<Targets, 'halt' | 'halt_reason' | 'checksum'>
