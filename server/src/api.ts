import { versionUnder } from '@convexa/engine'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { MemberReadiness } from './api-group.ts'
import { buildApp, metricsOf } from './app.ts'
import { answerParent } from './base/group-channel.ts'
import { openLog } from './base/log.ts'
import { listenProblem } from './base/port.ts'
import { endBy } from './base/stop-deadline.ts'
import { remoteCompute } from './compute/remote.ts'
import type { Config } from './config/config.ts'
import type { AppContext } from './context/app-context.ts'
import { connectRole } from './db/connect.ts'
import { announce } from './db/process-registry.ts'
import { admissionOf } from './http/admission.ts'
import { keepAssets } from './http/kept-assets.ts'
import { webFolder } from './http/web.ts'
import { followCalendar } from './market/calendar-years.ts'
import { damageWatch } from './market/damage.ts'
import type { MemberCounts } from './metrics/group.ts'
import { lazyQueue } from './queue/queue.ts'
import { objectsOf } from './store/data-objects.ts'
import { openSnapshotStore } from './store/open-snapshot-store.ts'
import { checkStart } from './system/start-checks.ts'
import { tellReadiness } from './system/tell-readiness.ts'
import { limitPasswords } from './user/passwords.ts'

export interface RunningApi {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  /** Lets requests and streams end, then closes all. */
  stop(): Promise<void>
}

/** Nobody asks for them before the next release; a start has more urgent things to do. */
const keepAssetsAfterMs = 10_000

/** One api: its pool, its presence, its routes. A statement may not outlive the answer that waits for it. */
export async function startApi(config: Config, connectionString: string, log: Logger): Promise<RunningApi> {
  limitPasswords(config.passwords)
  const onError = (error: Error) => log.warn({ err: error }, 'database')
  const store = connectRole(config, connectionString, {
    name: 'convexa-api',
    statementTimeoutMs: 3_800,
    answerTimeoutMs: 10_000,
    onError,
  })
  const directUrl = store.session.connectionString
  const snapshots = await openSnapshotStore(config, store.db)
  const presence = await announce(store.session, { role: 'api', engine: versionUnder(config.tradingRules) })
  const calendar = await followCalendar(store.db, (event, details) => log.warn(details, event))
  const { queue, close: closeQueue } = lazyQueue(directUrl, store.db, (error) => log.warn({ err: error }, 'queue'))
  const context: AppContext = {
    config,
    db: store.db,
    log,
    now: () => new Date(),
    processId: presence.processId,
    compute: remoteCompute(store.db, config.callPatience),
    damage: damageWatch({
      db: store.db,
      dataDir: config.dataDir,
      mayBeElsewhere: !config.isSingleMachine,
      log: (event, details) => log.warn(details, event),
    }),
    queue,
  }
  const app = await buildApp(context)
  const beat = tellReadiness(context, presence, () => admissionOf(app).isStuck())
  const keeping = setTimeout(() => {
    keepAssets(objectsOf(config.dataDir), webFolder).catch((error: unknown) => log.warn({ err: error }, 'assets not kept'))
  }, keepAssetsAfterMs).unref()
  const close = async () => {
    clearTimeout(keeping)
    await beat.close()
    await app.close()
    await closeQueue()
    await calendar.close()
    // Last: from here on we are dead to the others.
    await presence.close()
    snapshots?.close()
    await store.close()
  }
  try {
    const address = await app.listen({ port: config.port, host: config.host, ...(config.isInGroup && { reusePort: true }) })
    if (config.isInGroup) answerGroup(app, config)
    return { address, stop: close }
  } catch (error) {
    await close()
    throw listenProblem(error, config)
  }
}

/** What the parent of a group asks of one of its processes. */
function answerGroup(app: FastifyInstance, { hosts }: Config): void {
  answerParent({
    metrics: async (): Promise<MemberCounts | null> => {
      const counted = await metricsOf(app)?.counted()
      return counted ? { pid: process.pid, counted } : null
    },
    ready: async (): Promise<MemberReadiness> => {
      const { statusCode, body } = await app.inject({ url: '/readyz', headers: { host: hosts?.[0] ?? 'localhost' } })
      return { status: statusCode, body }
    },
  })
}

/** The api role: runs until a stop signal, or until its launcher is gone. */
export async function runApi(config: Config): Promise<void> {
  if (!config.databaseUrl) throw new Error('an api needs DATABASE_URL')
  if (config.apiProcesses > 1) return (await import('./api-group.ts')).runApiGroup(config)
  await checkStart(config, config.databaseUrl)
  const log = openLog(config, 'api')
  const api = await startApi(config, config.databaseUrl, log)
  log.info({ address: api.address }, 'listening')
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.once('disconnect', resolve)
  })
  endBy(config, () => log.error('the stop took too long, what was left is broken off'))
  await api.stop()
}
