import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { Tier } from '../queue/jobs.ts'
import { vipNow } from '../user/vip.ts'

/** What a plan allows (reliability.md 2.3, api.md 0.1). */
export interface Limits {
  /** Runs that may wait beyond those that are computed. */
  readonly queued: number
  readonly wallMinutes: number
  readonly gridCells: number
  /** Values that one factor of a run may read on its signal days (engine: cells × cost). */
  readonly factorValues: number
  /** Uses a day, Asia/Shanghai. */
  readonly daily: {
    readonly backtest: number
    readonly grid: number
    readonly history_screen: number
    readonly factor_running: number
    /** Configs with the client as an archive; a basket is made anew with every change of its form and is not counted. */
    readonly export: number
  }
  /** Seconds of a processor that all work of a day may take. */
  readonly computeSeconds: number
  /** Own factors kept, both markets together. */
  readonly customFactors: number
  /** Strategies and groups kept, each of one market. */
  readonly strategies: number
  readonly groups: number
  /** Runs kept whatever their age. */
  readonly favourites: number
}

export const limits: Record<Tier, Limits> = {
  free: {
    queued: 3,
    wallMinutes: 15,
    gridCells: 200,
    factorValues: 5e8,
    daily: { backtest: 20, grid: 5, history_screen: 100, factor_running: 50, export: 20 },
    computeSeconds: 600,
    customFactors: 30,
    strategies: 30,
    groups: 10,
    favourites: 20,
  },
  vip: {
    queued: 3,
    wallMinutes: 30,
    gridCells: 2_000,
    factorValues: 2e9,
    daily: { backtest: 200, grid: 50, history_screen: 1_000, factor_running: 500, export: 200 },
    computeSeconds: 6_000,
    customFactors: 100,
    strategies: 200,
    groups: 50,
    favourites: 200,
  },
}

/** How long runs of a plan are kept where RETENTION is `plans`: the newest whole, then their question and figures alone. */
export interface Retention {
  readonly newest: number
  readonly days: number
  readonly questionDays: number
}

export const retentions: Record<Tier, Retention> = {
  free: { newest: 100, days: 90, questionDays: 365 },
  vip: { newest: 2_000, days: 730, questionDays: 1_095 },
}

/** Days after its end for which a membership keeps its runs, and days before their end on which a notice is sent. */
export const lapsed = { days: 90, noticeDays: [30, 7] } as const
/** Runs of before retention was switched on are left alone for so many days. */
export const retentionGraceDays = 30

/** The plan of an account. A visitor of the demo sees what a member has; what all of them may take is bounded apart (quota.ts). */
export const tierOf = (user: { vip_level: number; is_demo: boolean }): Tier => (user.vip_level > 0 || user.is_demo ? 'vip' : 'free')

export async function planOf(db: Kysely<Database>, userId: string): Promise<Tier> {
  return tierOf(
    await db
      .selectFrom('app_user')
      .select([vipNow('app_user').as('vip_level'), 'is_demo'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(),
  )
}

/** What the guests of one address, and all guests of an installation, may use a day together: so many times what a member may. */
export const guestShares = { ofAddress: 1, inAll: 5 } as const
/** Runs of guests that wait, of all that may (quant/queue-capacity.ts). */
export const mostQueuedOfGuests = 6
/** Most rows of a request (contract/strategy.ts). */
export const mostFactors = { rank: 20, filter: 30 } as const
