/**
 * Every job of the queue: its name and how PostgreSQL keeps it. A job carries ids only; the truth is in our own tables.
 * A run is never retried: a dead worker's run is interrupted and says so (api.md 0.1). That a worker is dead is seen by its lock, that it
 * is frozen by its heartbeat, both by the reaper and long before pg-boss gives the job up.
 */
export const jobs = {
  run: {
    name: 'run',
    options: {
      retryLimit: 0,
      heartbeatSeconds: 60,
      expireInSeconds: 3_600,
      deleteAfterSeconds: 600,
      retentionSeconds: 3_600,
      notify: true,
    },
  },
  // Tried again while a code is valid: after about 2, 4, 8, 16, 32 and then every 60 s. The row of the message knows when to give up.
  message: {
    name: 'message',
    options: {
      retryLimit: 9,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 60,
      // A worker that died in it is missed after ten seconds.
      heartbeatSeconds: 10,
      expireInSeconds: 60,
      deleteAfterSeconds: 60,
      retentionSeconds: 3_600,
      notify: true,
    },
  },
  // A round of ingestion is tried again every five minutes until it is complete, or until the morning. One at a time: its lock says so.
  feed: {
    name: 'feed',
    options: {
      retryLimit: 168,
      retryDelay: 300,
      heartbeatSeconds: 60,
      expireInSeconds: 3_600,
      deleteAfterSeconds: 86_400,
      retentionSeconds: 86_400,
      notify: true,
    },
  },
} as const

/**
 * `v` says in which shape a job is; its reader ignores members that it does not know. A job that programs of the release before could not do
 * right goes into a queue of a new name, from which they take nothing.
 */
interface Shaped {
  v: typeof jobShape
}
export const jobShape = 1

export interface FeedJob extends Shaped {
  round: string
}

export interface MessageJob extends Shaped {
  message_id: string
}

export interface RunJob extends Shaped {
  run_id: string
}

/** All visitors of the demo stand in the queue as one. */
export const guestGroup = 'guests'

/** How many runs of one user are computed at once (reliability.md 2.3), by the tier that travels with the job. */
export const runsAtOnce = { free: 1, vip: 2 } as const
export type Tier = keyof typeof runsAtOnce
