import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { fromKysely, PgBoss, type WorkOptions } from 'pg-boss'
import { dropUselessClient, requirePrimary } from '../db/dropped-client.ts'
import { locks } from '../db/locks.ts'
import { connectTimeoutMs, keptAlive, withSession } from '../db/session.ts'
import type { Database } from '../db/tables.ts'
import { type FeedJob, jobShape, jobs, type MessageJob, type RunJob, runsAtOnce, type Tier } from './jobs.ts'

/**
 * A statement of the queue that has no answer for so long fails, and its connection with it (`answerTimeoutMs` in db/connect.ts): sooner than
 * a run is taken for abandoned because its heartbeat did not come through.
 */
const answerTimeoutMs = 15_000

/**
 * NOTIFY tells of every new job, and a broken LISTEN is missed within half a minute; where there is none, pg-boss asks every second. What is
 * due later, and the jobs of a dead worker, are found by asking.
 */
const runsEverySeconds = 5
const messagesEverySeconds = 10
/** A message that could not be sent is due again after a minute at the latest (jobs.ts): so long after a failure the queue is asked every second. */
const retriesForMs = 65_000

/** Where pg-boss's statements run. */
type Statements = ReturnType<typeof fromKysely>

interface QueuedRun {
  readonly id: string
  readonly group: string
  readonly tier: Tier
  readonly priority: number
  /** It is taken so many seconds later at the earliest. */
  readonly afterSeconds?: number
}

/** pg-boss behind the few words that we use of it. */
export interface Queue {
  /**
   * Puts a run into the queue, in the caller's transaction: the row and its job appear together. Higher `priority` goes first; of a `group` (a
   * user, or all guests) as many are computed at once as the tier says.
   */
  addRun(transaction: Transaction<Database>, run: QueuedRun): Promise<void>
  /** Takes a run out of the queue, in whatever state its job is; its user's place is free at once. */
  dropRun(db: Kysely<Database>, runId: string): Promise<void>
  /** Puts a message into the queue, in the transaction that made it: if that is undone, nothing is sent. */
  addMessage(transaction: Transaction<Database>, messageId: string): Promise<void>
  close(): Promise<void>
}

export interface WorkingQueue extends Queue {
  /** Takes runs, `slots` at once, each user's by their tier. The handler must not throw: a run ends in its row. */
  takeRuns(slots: number, handler: (runId: string) => Promise<void>): Promise<void>
  /** Asks for runs at once: one of them may have become free to be taken without a word from the queue. */
  lookForRuns(): void
  /** Takes no more runs until `takeRuns`; what is being computed goes on. */
  stopTakingRuns(): Promise<void>
  /** Takes messages, `atOnce` at once. A handler that throws is called again later, by the job's back-off. */
  takeMessages(atOnce: number, handler: (messageId: string) => Promise<void>): Promise<void>
  /** Takes what the clock of Shanghai puts into the queue, one at a time. A handler that throws is called again by the job's back-off. */
  takeFeeds(schedules: readonly Scheduled[], handler: (round: string, signal: AbortSignal) => Promise<void>): Promise<void>
  /** Takes no more; what is being handled goes on. `idle`: nothing is handled, and nothing that was just being fetched will be. */
  stopTaking(): Promise<{ readonly idle: Promise<void> }>
}

/** A line of a timetable: which round, and when (cron, in Shanghai). */
interface Scheduled {
  readonly round: string
  readonly key: string
  readonly cron: string
}

/** The asking side: on the caller's own connections, no polling, no supervision. */
export async function openQueue(connectionString: string, db: Kysely<Database>, onError: (error: Error) => void): Promise<Queue> {
  let open: PgBoss | null = null
  await prepareQueue(connectionString, async (client) => {
    // Opened on the connection that prepares: the first caller may be inside a transaction, with all of the pool behind it.
    let executor: Statements = client
    const boss = new PgBoss({
      db: { executeSql: (text, values) => executor.executeSql(text, values) },
      migrate: false,
      supervise: false,
      schedule: false,
    })
    boss.on('error', onError)
    await boss.start()
    executor = fromKysely(db)
    open = boss
  })
  if (!open) throw new Error('the queue was not opened')
  return queueOf(open)
}

/** Opens at the first call and keeps what it opened; after a failure the next call tries again. */
export function lazyQueue(connectionString: string, db: Kysely<Database>, onError: (error: Error) => void) {
  let opening: Promise<Queue> | null = null
  return {
    queue: (): Promise<Queue> => {
      opening ??= openQueue(connectionString, db, onError).catch((error) => {
        opening = null
        throw error
      })
      return opening
    },
    close: async (): Promise<void> => {
      const queue = await opening?.catch(() => null)
      await queue?.close()
    },
  }
}

/** The working side: connections of its own, woken by NOTIFY, heartbeats and supervision. */
export async function openWorkingQueue(
  connectionString: string,
  onError: (error: Error) => void,
  { patienceMs = answerTimeoutMs, connections = 3 } = {},
): Promise<WorkingQueue> {
  await prepareQueue(connectionString)
  // Handed on to node-postgres, which pg-boss does not say.
  const patience = { query_timeout: patienceMs, connectionTimeoutMillis: connectTimeoutMs, ...keptAlive }
  const onConnect = async (client: pg.ClientBase) => {
    dropUselessClient(client)
    await requirePrimary(client)
  }
  const boss = new PgBoss({
    ...{ ...patience, onConnect },
    connectionString: withSession(connectionString),
    migrate: false,
    application_name: 'convexa-queue',
    max: connections,
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', onError)
  await boss.start()
  /** One job at a time, the next one at once after it. @returns what makes it ask now */
  const take = async <Data extends object>(name: string, options: WorkOptions, handler: (data: Data) => Promise<void>) => {
    const look = () => boss.notifyWorker(id)
    const id: string = await boss.work<Data>(name, { pollingIntervalSeconds: 1, heartbeatRefreshSeconds: 3, ...options }, async ([job]) => {
      // pg-boss would rest after a job as after none.
      if (job) await handler(job.data).finally(look)
    })
    return look
  }
  const looks: (() => void)[] = []
  let retriesUntil = 0
  let retrying: NodeJS.Timeout | undefined
  return {
    ...queueOf(boss),
    async takeRuns(slots, handler) {
      const { free, vip } = runsAtOnce
      const options = { groupConcurrency: { default: free, tiers: { free, vip } }, notifyPollingIntervalSeconds: runsEverySeconds }
      for (let slot = 0; slot < slots; slot++) {
        looks.push(await take<RunJob>(jobs.run.name, options, ({ run_id }) => handler(run_id)))
      }
    },
    lookForRuns() {
      for (const look of looks) look()
    },
    async stopTakingRuns() {
      looks.length = 0
      await boss.offWork(jobs.run.name, { wait: false })
    },
    async takeMessages(atOnce, handler) {
      const takers: (() => void)[] = []
      const again = () => {
        if (performance.now() > retriesUntil) return (retrying = void clearInterval(retrying))
        takers[0]?.()
      }
      const send = ({ message_id }: MessageJob) =>
        handler(message_id).catch((error: unknown) => {
          retriesUntil = performance.now() + retriesForMs
          retrying ??= setInterval(again, 1_000).unref()
          throw error
        })
      const options = { notifyPollingIntervalSeconds: messagesEverySeconds }
      for (let taker = 0; taker < atOnce; taker++) takers.push(await take<MessageJob>(jobs.message.name, options, send))
    },
    async takeFeeds(schedules, handler) {
      // What is no longer on the timetable goes; of several workers each writes the same.
      const known = new Set(schedules.map(({ key }) => key))
      for (const { name, key } of await boss.getSchedules(jobs.feed.name)) if (!known.has(key)) await boss.unschedule(name, key)
      for (const { round, key, cron } of schedules) {
        // What came due while nobody ran is done once.
        await boss.schedule(jobs.feed.name, cron, { v: jobShape, round } satisfies FeedJob, { tz: 'Asia/Shanghai', key, missed: 'once' })
      }
      await boss.work<FeedJob>(jobs.feed.name, { heartbeatRefreshSeconds: 15, pollingIntervalSeconds: 10 }, async ([job]) => {
        if (job) await handler(job.data.round, job.signal)
      })
    },
    async stopTaking() {
      const idle = Promise.allSettled(Object.values(jobs).map(({ name }) => boss.offWork(name, { wait: true }))).then(() => {})
      return { idle }
    },
  }
}

/**
 * Makes the queue's tables and queues, one process at a time. On a connection of its own: pg-boss sends whole transactions as one text,
 * and one that fails would leave a pool's connection in it.
 */
export async function prepareQueue(connectionString: string, then: (db: Statements) => Promise<void> = async () => {}): Promise<void> {
  const client = new pg.Client({
    connectionString: withSession(connectionString),
    application_name: 'convexa-queue-prepare',
    connectionTimeoutMillis: connectTimeoutMs,
    // The lock may be another's for as long as it takes to make the tables.
    query_timeout: 60_000,
    ...keptAlive,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1, 0)', [locks.queuePrepare])
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    const boss = new PgBoss({ db, supervise: false, schedule: false })
    boss.on('error', () => {})
    await boss.start()
    for (const { name, options } of Object.values(jobs)) await boss.createQueue(name, options)
    await boss.stop({ graceful: false })
    await then(db)
  } finally {
    // The lock goes with its session.
    await client.end().catch(() => {})
  }
}

const queueOf = (boss: PgBoss): Queue => ({
  async addRun(transaction, { id, group, tier, priority, afterSeconds }) {
    const data: RunJob = { v: jobShape, run_id: id }
    const when = { priority, ...(afterSeconds !== undefined && { startAfter: afterSeconds }) }
    await boss.send(jobs.run.name, data, { id, ...when, group: { id: group, tier }, db: fromKysely(transaction) })
  },
  async dropRun(db, runId) {
    await boss.deleteJob(jobs.run.name, runId, { db: fromKysely(db) })
  },
  async addMessage(transaction, messageId) {
    const data: MessageJob = { v: jobShape, message_id: messageId }
    await boss.send(jobs.message.name, data, { id: messageId, db: fromKysely(transaction) })
  },
  close: () => boss.stop({ graceful: false, close: true }),
})
