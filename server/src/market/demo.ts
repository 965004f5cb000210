import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { Snapshot } from './snapshot.ts'

export interface DemoRequest {
  readonly dataDir: string
  readonly db: Kysely<Database>
  /** Last day of the demo market, YYYY-MM-DD: the last closed trading day on or before it. */
  readonly through: string
  readonly seed?: number
  /** `small` for tests: a tenth of the securities, three years. */
  readonly size?: 'full' | 'small'
  readonly onProgress?: (progress: { readonly percent: number; readonly text: string }) => void
}

/** Makes both demo markets and the demo indices from a seed, deterministic to the byte, and publishes them. */
export async function makeDemo(_request: DemoRequest): Promise<{ cb: Snapshot; stk: Snapshot; index: Snapshot }> {
  throw new Error('not built yet')
}
