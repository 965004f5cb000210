import type { Tier } from '../queue/jobs.ts'

/** What a plan allows (reliability.md 2.3, api.md 0.1). */
export interface Limits {
  /** Runs that may wait beyond those that are computed. */
  readonly queued: number
  readonly wallMinutes: number
  readonly gridCells: number
  /** Uses a day, Asia/Shanghai. */
  readonly daily: { readonly backtest: number }
}

export const limits: Record<Tier, Limits> = {
  free: { queued: 3, wallMinutes: 15, gridCells: 200, daily: { backtest: 20 } },
  vip: { queued: 3, wallMinutes: 30, gridCells: 2_000, daily: { backtest: 200 } },
}

export const tierOf = (level: number): Tier => (level > 0 ? 'vip' : 'free')

/** Runs that wait in the whole installation. */
export const mostQueued = 20
/** Most rows of a request (contract/strategy.ts). */
export const mostFactors = { rank: 20, filter: 30 } as const
