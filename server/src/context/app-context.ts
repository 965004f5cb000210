import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import type { Queue } from '../queue/queue.ts'
import type { Compute } from './compute.ts'
import type { DamageWatch } from './damage-watch.ts'

/** All that a handler may touch outside the process. Tests make one of their own. */
export interface AppContext {
  readonly config: Config
  readonly db: Kysely<Database>
  readonly log: Logger
  now(): Date
  /** Row of this process in the table `process`: the owner of the streams that it holds. */
  readonly processId: string
  readonly compute: Compute
  /** Collects market files that cannot be read. */
  readonly damage: DamageWatch
  /** The sending side of the queue, opened at its first use. */
  queue(): Promise<Queue>
}
