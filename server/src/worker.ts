import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import { versionUnder } from '@convexa/engine'
import { type Logger, pino } from 'pino'
import { openLog } from './base/log.ts'
import { endBy } from './base/stop-deadline.ts'
import { type ComputeChild, computeChild } from './compute/child-handle.ts'
import { CoreAnswers } from './compute/core-answers.ts'
import { figuresOf } from './compute/figures.ts'
import { ownCompute } from './compute/own-compute.ts'
import { isHeavy } from './compute/pool.ts'
import { type AnswerCall, privateServer } from './compute/private-http.ts'
import type { DataFiles } from './compute/protocol.ts'
import { rejection } from './compute/rejection.ts'
import { supersedeOlder } from './compute/supersede-older.ts'
import type { Config } from './config/config.ts'
import type { DataRef } from './context/compute.ts'
import { connect, connectRole } from './db/connect.ts'
import { announce } from './db/process-registry.ts'
import { offersQuotes } from './feeds/chain.ts'
import { hasAnsweredSince, keepHealth } from './feeds/health.ts'
import { doRound, type Round, schedules } from './feeds/ingest/schedule.ts'
import { startQuotePoller } from './feeds/live/quote-poller.ts'
import { readQuotes } from './feeds/live/quote-reader.ts'
import { openChain } from './feeds/open.ts'
import { pushedIn } from './feeds/xtdata/pushed-store.ts'
import { fileStore } from './file/store.ts'
import { followCalendar } from './market/calendar-years.ts'
import { damageWatch } from './market/damage.ts'
import { type HeldSnapshots, heldSnapshots } from './market/held-snapshots.ts'
import { snapshotChannel } from './market/snapshot.ts'
import { keepCache, requireCache } from './market/snapshot-cache.ts'
import { messageSender, outboxNotice, type SenderConfig } from './message/send.ts'
import { paymentDeps } from './payment/payment-deps.ts'
import { startPaymentJobs } from './payment/payment-jobs.ts'
import { executor } from './quant/execute-run.ts'
import { startPacking } from './quant/pack-runs.ts'
import { startReaper } from './quant/reaper.ts'
import { stopChannel } from './quant/run-state.ts'
import { openWorkingQueue } from './queue/queue.ts'
import { putCore } from './run-core/kept-core.ts'
import { objectsOf } from './store/data-objects.ts'
import { openSnapshotStore } from './store/open-snapshot-store.ts'
import { startFollower } from './strategy/daily.ts'
import { startSweeper } from './sweeper.ts'
import { startOperatorWarnings } from './system/operator-warnings.ts'
import { checkStart } from './system/start-checks.ts'
import { type ReadinessWatch, watchReadiness, workerReadinessOf } from './system/worker-readiness.ts'
import { openLedger } from './usage/ledger.ts'

export interface RunningWorker {
  readonly processId: string
  /** Of the compute child, for tests that kill it. */
  childPid(): number | undefined
  /** Takes no more runs, lets those under way go on for the grace, interrupts the rest, ends the child. */
  stop(): Promise<void>
}

export type WorkerConfig = Pick<
  Config,
  | 'feeds'
  | 'isSingleMachine'
  | 'retention'
  | 'wechatPay'
  | 'tradingRules'
  | 'workerThreads'
  | 'workerMemoryMb'
  | 'workerHeadroomMb'
  | 'workerHungSeconds'
  | 'workerBind'
  | 'workerPort'
  | 'workerAdvertise'
  | 'calls'
  | 'databaseDirectUrl'
  | 'databasePool'
  | 'queuePool'
  | 'streamGraceSeconds'
  | 'store'
  | 'cache'
  | 'storeKeepDays'
> &
  SenderConfig

const lookEveryMs = 1_000
const lastFetchMs = 2_000
/** How long a call and a run wait for a snapshot that is being fetched. */
const [callWaitMs, runWaitMs] = [2_000, 60_000]
/** A vendor answers in a tenth of a second; one that hangs holds a place for 8. */
const messagesAtOnce = 8

/**
 * A worker: takes runs from the queue and answers the apis' calls; its compute child does the work. The order matters: first it can
 * answer, then it is announced, then it takes runs.
 * @throws when PostgreSQL cannot be reached
 */
export async function startWorker(config: WorkerConfig, connectionString: string, logger?: Logger): Promise<RunningWorker> {
  const log = logger ?? pino({ level: 'warn' })
  const warn = (event: string, details: Record<string, unknown>) => log.warn(details, event)
  const tell = (event: string, details: Record<string, unknown>) => log.info(details, event)
  const onError = (error: Error) => log.warn({ err: error }, 'queue')
  const onDatabaseError = (error: Error) => log.warn({ err: error }, 'database')
  const store = connectRole(config, connectionString, { name: 'convexa-worker', answerTimeoutMs: 40_000, onError: onDatabaseError })
  const { db } = store
  const directUrl = store.session.connectionString
  // The work whose statements may take minutes (`deleteUser`): one connection for each of its two locks.
  const sweeping = connect(directUrl, { name: 'convexa-sweeper', max: 2, answerTimeoutMs: 610_000, onError: onDatabaseError })
  const snapshots = await openSnapshotStore(config, db)
  if (snapshots) await requireCache(db, config.cache)
  const slots = Math.max(2, config.workerThreads)
  let readiness: ReadinessWatch | null = null
  let wasReady = false
  let cacheBytes = (): number | null => null
  const ledger = openLedger(db, warn)
  const child = computeChild({
    dataDir: config.dataDir,
    threads: slots + 1,
    panelMb: Math.max(64, config.workerMemoryMb - slots * config.workerHeadroomMb),
    headroomMb: config.workerHeadroomMb,
    hungAfterMs: config.workerHungSeconds * 1_000,
    rules: config.tradingRules,
    log: warn,
    onReady: () => readiness?.look(),
    spent: ledger.add,
  })
  const damage = damageWatch({ db, dataDir: config.dataDir, mayBeElsewhere: !config.isSingleMachine, log: warn })

  // Before anything is asked of the child: what it has loaded keeps the next day that it knew then.
  const calendar = await followCalendar(db, warn, child.learn)
  const newest = supersedeOlder()
  const secret = randomBytes(32).toString('base64url')
  const elsewhere = (code: ErrorCode) => ({ ...rejection(code), elsewhere: true as const })
  const cores = new CoreAnswers()
  const answer: AnswerCall = async (data, work, { userId, guest, alone }, signal) => {
    if (!readiness?.state().ready || child.load() >= config.calls || (!isHeavy(work) && child.isCrowded()))
      return elsewhere(errorCodes.busy)
    const files = data && (await within(callWaitMs, filesOf(data)))
    if (data && !files) return elsewhere(errorCodes.noMarketData)
    const computed = (stop: AbortSignal) => run({ files, work, ...(userId !== undefined && { userId }), ...(guest && { guest }) }, stop)
    const outcome = await cores.of(work, () => (alone === undefined ? computed(signal) : newest(alone, signal, computed)))
    if (!outcome.ok) return outcome.code === errorCodes.noMarketData ? { ...outcome, elsewhere: true } : outcome
    // The call is known: its value is the JSON of a thread.
    return { ok: true, value: outcome.value as Uint8Array }
  }
  const server = await privateServer({
    ...{ host: config.workerBind, port: config.workerPort, advertise: config.workerAdvertise, secret, answer },
    figures: () => figuresOf(child, cacheBytes()),
    load: child.load,
    readiness: () => readiness?.state() ?? { ready: false, reason: null },
    log: warn,
  })
  const presence = await announce(store.session, {
    ...{ role: 'worker', address: server.address, secret, slots },
    engine: versionUnder(config.tradingRules),
  } as const)
  const held = heldSnapshots({ db, dataDir: config.dataDir, processId: presence.processId, damage })
  const filesOf = filesIn(held)
  const run: ComputeChild['run'] = async (task, stop, tell) => {
    const outcome = await child.run(task, stop, tell)
    // The child could not read the files.
    if (!outcome.ok && outcome.code === errorCodes.noMarketData && task.files) {
      const { snapshotId, indexSnapshotId, stockSnapshotId } = task.files
      await held.doubt([snapshotId, indexSnapshotId, stockSnapshotId])
      readiness?.look()
    }
    return outcome
  }
  const cache = snapshots && (await keepCache({ ...config, db, store: snapshots, processId: presence.processId, log: warn }))
  if (cache) cacheBytes = cache.bytes
  const queue = await openWorkingQueue(directUrl, onError, { connections: config.queuePool })
  const runs = executor({
    db,
    workerId: presence.processId,
    child: { run },
    putCore: (core) => putCore(config.dataDir, core),
    queue,
    filesOf: (ref) => within(runWaitMs, filesOf(ref)),
    log: warn,
    rules: config.tradingRules,
  })
  const onStop = (runId: string) => {
    runs.stop(runId)
    // A place of its user's is free, and the worker that had it may be dead.
    queue.lookForRuns()
  }
  const stops = await store.session.listen(stopChannel, onStop, lookAfterRuns)
  const published = await store.session.listen(
    snapshotChannel,
    () => readiness?.look(),
    () => readiness?.look(),
  )
  const quotes = await readQuotes(db, child.tell, warn)
  const now = () => new Date()
  // One for all: what may be asked of a source is counted once.
  const feeding = {
    db,
    dataDir: config.dataDir,
    chain: openChain({ feeds: config.feeds, pushed: pushedIn(db) }, now, keepHealth(db, warn), (source, since) =>
      hasAnsweredSince(db, source, since),
    ),
    now,
  }
  const ticker = offersQuotes(config.feeds) ? startQuotePoller(feeding, warn) : null
  const warnings = startOperatorWarnings({ db, config, log: warn })
  const reaper = startReaper(db, queue, warn)
  const follower = startFollower({ db, config, now, compute: ownCompute({ run }, filesOf) }, warn)
  const packing = startPacking(
    { db, config, compute: ownCompute({ run }, filesOf) },
    () => child.load() === 0 && runs.active().length === 0,
    tell,
  )
  const sweeper = startSweeper({
    db: sweeping.db,
    config,
    queue: async () => queue,
    store: fileStore(config.dataDir),
    keepDays: config.feeds.keepDays,
    objects: objectsOf(config.dataDir),
    log: warn,
  })
  const cashier = startPaymentJobs(db, paymentDeps(db, { config, log, now }), warn)
  // NOTIFY may be lost: a worker polls whether its runs are still wanted.
  const looking = setInterval(lookAfterRuns, lookEveryMs)
  const takeRun = (runId: string) => {
    reaper.wake()
    return runs.execute(runId)
  }
  readiness = await watchReadiness(
    workerReadinessOf({ db, dataDir: config.dataDir, held, child, now }),
    async (state) => {
      presence.tell(state)
      if (state.ready) await queue.takeRuns(slots, takeRun)
      else if (wasReady) await queue.stopTakingRuns()
      wasReady = state.ready
    },
    warn,
  )
  const ending = new AbortController()
  if (config.feeds.on.length > 0) {
    await queue.takeFeeds(schedules, (round, signal) =>
      doRound({ ...feeding, log: tell, signal: AbortSignal.any([signal, ending.signal]) }, round as Round),
    )
  }
  await queue.takeMessages(messagesAtOnce, messageSender({ db, config, log: warn }))

  async function lookAfterRuns() {
    const ids = runs.active()
    if (ids.length === 0) return
    const wanted = await db
      .selectFrom('backtest_run')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', runStatus.running)
      .execute()
      .catch(() => null)
    if (!wanted) return
    const still = new Set(wanted.map(({ id }) => id))
    for (const id of ids) if (!still.has(id)) runs.stop(id)
  }

  return {
    processId: presence.processId,
    childPid: () => child.pid,
    async stop() {
      clearInterval(looking)
      // Ingestion may be left at any point.
      ending.abort()
      readiness?.stop()
      await readiness?.close()
      const { idle } = await queue.stopTaking()
      await runs.end(config.streamGraceSeconds * 1_000)
      // What was just being fetched comes to the executor too, and goes back; a database that is away gives nothing more.
      await within(lastFetchMs, idle)
      await server.close()
      await Promise.allSettled([
        child.close(),
        warnings.close(),
        reaper.close(),
        packing.close(),
        sweeper.close(),
        cashier.close(),
        follower.close(),
        stops.close(),
        published.close(),
        quotes.close(),
        calendar.close(),
        ticker?.close(),
        cache?.close(),
        queue.close(),
      ])
      await ledger.close()
      // Last: from here on we are dead to the others.
      await presence.close()
      snapshots?.close()
      await Promise.all([store.close(), sweeping.close()])
    },
  }
}

/** The worker role: runs until a stop signal. */
export async function runWorker(config: Config): Promise<void> {
  if (!config.databaseUrl) throw new Error('a worker needs DATABASE_URL')
  // Registered before anything starts: a stop signal during the start must not leave the child behind.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // Forked by a launcher: its death is ours.
    process.once('disconnect', resolve)
  })
  const checked = checkStart(config, config.databaseUrl).then(() => true)
  if (!(await Promise.race([checked, stopped]))) return
  const log = openLog(config, 'worker')
  const worker = await startWorker(config, config.databaseUrl, log)
  log.info({ process: worker.processId }, 'worker ready')
  // A launcher has said it.
  const unsent = process.send ? null : outboxNotice(config)
  if (unsent) log.warn(unsent)
  await stopped
  endBy(config, () => log.error('the stop took too long, what was left is broken off'))
  await worker.stop()
}

/** What is not here in time is asked for elsewhere, or later; fetching goes on. */
const within = <T>(ms: number, work: Promise<T>): Promise<T | null> => Promise.race([work, sleep(ms, null, { ref: false })])

/** Folders of the snapshots of a calculation on this machine; null: one of them is not here, or not whole. */
function filesIn(held: HeldSnapshots) {
  return async (ref: DataRef): Promise<DataFiles | null> => {
    const folders = await Promise.all(
      [ref.snapshotId, ref.indexSnapshotId, ref.stockSnapshotId].map((id) => (id === null ? undefined : held.ensureLocal(id))),
    )
    const [folder, indexFolder, stockFolder] = folders
    if (!folder || folders.includes(null)) return null
    return { ...ref, folder, indexFolder: indexFolder ?? null, stockFolder: stockFolder ?? null }
  }
}
