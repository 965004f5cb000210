import type { MarketId } from '@convexa/contract'
import { marketIds, markets } from '@convexa/contract/enums/market'
import { keepBackedUp } from './backup/keep-backed-up.ts'
import { codeCache } from './base/code-cache.ts'
import { claimDataDir } from './base/data-dir.ts'
import { addressOf, checkPort } from './base/port.ts'
import { entryFile } from './base/program-files.ts'
import { StartError } from './base/start-error.ts'
import { patienceOf } from './base/stop-deadline.ts'
import { supervise } from './base/supervise.ts'
import { databaseEnvironment, threadPoolEnvironment } from './config/child-environment.ts'
import type { Config, StoreSettings } from './config/config.ts'
import { connect } from './db/connect.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { clusterOf } from './db/postgres.ts'
import { type DemoProgress, startDemoMarket } from './market/demo/demo-market.ts'
import { outboxNotice } from './message/send.ts'
import { StoreError } from './store/object-store.ts'
import { openStore } from './store/open-store.ts'
import { upgradeDatabase } from './system/upgrade.ts'
import { settleSecret } from './user/secret-check.ts'
import { seedTestPlans } from './vip/test-plans.ts'

const main = entryFile('main')

/**
 * `npm start`: 1 the data directory and the port are ours to use, 2 PostgreSQL (unless DATABASE_URL names one), 3 migrations,
 * 4 the demo market where there is no market, 5 one api and one worker, kept alive, 6 the address.
 * Returns after a stop signal, when nothing of it runs any more.
 * @throws StartError for what the operator must solve; whatever was started until then is stopped
 */
export async function launch(config: Config, say: (line: string) => void = console.log): Promise<void> {
  const signal = stopSignal()
  const started = closeInTurn(signal)
  const up = bringUp(config, say, started, signal)
  // After a stop signal during the start every further failure is a consequence of it.
  up.catch(() => {})
  try {
    await Promise.race([up, signal.stopped])
    await signal.stopped
    if (!signal.problem) say('正在停止…')
  } finally {
    signal.stop()
    await started.close()
    await up.catch(() => {})
    signal.done()
  }
  if (signal.problem) throw signal.problem
  say('已停止')
}

type Close = () => Promise<void>

interface Started {
  add(close: Close): Promise<void>
  close(): Promise<void>
}

/** What was started last stops first; what comes up while we stop is stopped at once. */
function closeInTurn(signal: StopSignal): Started {
  const closes: Close[] = []
  return {
    add: async (close) => {
      if (signal.isStopping()) await close()
      else closes.push(close)
    },
    close: async () => {
      for (const close of closes.splice(0).reverse()) await close()
    },
  }
}

async function bringUp(config: Config, say: (line: string) => void, started: Started, signal: StopSignal): Promise<void> {
  claimDataDir(config.dataDir)
  await checkPort(config)
  const connectionString = config.databaseUrl ?? (await ownPostgres(config, say, started))
  if (signal.isStopping()) return
  await prepareDatabase(config, config.databaseDirectUrl ?? connectionString, say, started)
  if (signal.isStopping()) return
  if (config.databaseUrl === null && config.backup !== null) await startBackups(config, config.backup, connectionString, started)

  const env = { ...process.env, ...childEnvironment(config, connectionString) }
  const child = (role: string, name: string) => {
    const onHopeless = () => signal.stop(new StartError(`${name}无法启动，原因见上`))
    const onEvent = (sentence: string) => console.error(sentence)
    const supervised = supervise({ name, program: main, args: [role], env, onEvent, onHopeless })
    return started.add(() => supervised.stop(patienceOf(config)))
  }
  await child('worker', '计算进程')
  await child('api', '网页服务')
  await untilReady(config, signal)
  const unsent = outboxNotice(config)
  if (unsent && !signal.isStopping()) say(unsent)
  if (!signal.isStopping()) say(`\n${config.siteName}已就绪，请在浏览器打开：${addressOf(config)}\n按 Ctrl-C 停止`)
}

async function ownPostgres(config: Config, say: (line: string) => void, started: Started): Promise<string> {
  const embedded = await openEmbedded(config.dataDir, 'server', (sentence) => console.error(sentence), {
    archive: config.backup !== null,
  })
  await started.add(() => embedded.close())
  say(`数据库${embedded.adopted ? '（上次留下的）' : ''}已启动，数据目录 ${config.dataDir}`)
  return embedded.connectionString
}

async function prepareDatabase(config: Config, connectionString: string, say: (line: string) => void, started: Started): Promise<void> {
  if (config.databaseUrl !== null) {
    const { warning } = await upgradeDatabase(config, config.databaseUrl)
    if (warning) console.error(warning)
  }
  const { db, close } = connect(connectionString, { name: 'convexa-launcher', max: 2, statementTimeoutMs: 600_000 })
  let missing: MarketId[]
  try {
    if (config.databaseUrl === null) {
      await migrate(db)
      await settleSecret({ db, config })
    }
    if (config.wechatPay?.testMoney) await seedTestPlans(db)
    const loaded = await db.selectFrom('market_snapshot').select('kind').distinct().execute()
    missing = marketIds.filter((kind) => !loaded.some((one) => one.kind === kind))
  } finally {
    await close()
  }
  if (missing.length === 0) return
  say(`还没有${missing.map((kind) => markets[kind].label).join('和')}行情，正在生成演示行情…`)
  const since = performance.now()
  const making = startDemoMarket(config.dataDir, connectionString, missing, progressLine())
  await started.add(making.stop)
  await making.made
  say(`演示行情已生成（${((performance.now() - since) / 1_000).toFixed(1)} 秒）`)
}

async function startBackups(config: Config, backup: StoreSettings, connectionString: string, started: Started): Promise<void> {
  const objects = await openStore(backup).catch((error: unknown) => {
    throw error instanceof StoreError ? new StartError(`BACKUP_URL 无法使用：${error.message}`, { cause: error }) : error
  })
  const { db, close } = connect(connectionString, { name: 'convexa-backups', max: 4, statementTimeoutMs: 600_000 })
  const keeping = keepBackedUp({
    ...{ objects, secrets: config, config, db, connectionString },
    folder: clusterOf(config.dataDir).folder,
    hour: config.backupHour,
    log: (sentence) => console.error(sentence),
  })
  await started.add(async () => {
    await keeping.close()
    await close()
    objects.close()
  })
}

/** What the children must have of our settings: they are given a DATABASE_URL, so every default of an embedded run is said to them. */
export function childEnvironment(config: Config, connectionString: string): Record<string, string> {
  return {
    ...databaseEnvironment(config, connectionString),
    DATA_DIR: config.dataDir,
    SINGLE_MACHINE: config.isSingleMachine ? '1' : '0',
    SITE_URL: config.siteUrl ?? '',
    ALLOWED_HOSTS: config.hosts ? config.hosts.join() : '*',
    DEMO_LOGIN: config.demoLogin ? '1' : '0',
    RETENTION: config.retention,
    WECHAT_REQUIRE_STATE: config.wechat?.requireState ? '1' : '0',
    LOG_LEVEL: config.logLevel,
    STREAM_GRACE_SECONDS: String(config.streamGraceSeconds),
    DRAIN_SECONDS: String(config.drainSeconds),
    ...codeCache(config.dataDir),
    ...threadPoolEnvironment(config),
  }
}

/** One line that is written over, on a terminal only. */
function progressLine(): (progress: DemoProgress) => void {
  if (!process.stdout.isTTY) return () => {}
  return ({ percent, text }) => {
    process.stdout.write(`\r\x1b[K  ${String(Math.floor(percent)).padStart(3)}% ${text}`)
    if (percent >= 100) process.stdout.write('\r\x1b[K')
  }
}

/** Asks /readyz until it says yes. */
async function untilReady(config: Config, signal: StopSignal): Promise<void> {
  const url = `${addressOf(config).replace('localhost', '127.0.0.1')}/readyz`
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    if (answer?.status === 200 || signal.isStopping()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface StopSignal {
  readonly stopped: Promise<void>
  readonly problem: Error | null
  isStopping(): boolean
  stop(problem?: Error): void
  done(): void
}

/** Ctrl-C, a supervisor's SIGTERM or the closed terminal; the second one changes nothing: npm passes Ctrl-C on once more. */
function stopSignal(): StopSignal {
  let stopping = false
  let problem: Error | null = null
  let resolve: () => void
  const stopped = new Promise<void>((done) => {
    resolve = done
  })
  const stop = (why?: Error) => {
    problem ??= why ?? null
    stopping = true
    resolve()
  }
  const onSignal = () => stop()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  // A killed npm takes its script along: started by it, we end with it.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env['npm_lifecycle_event'] && process.ppid !== parent) stop()
  }, 1_000).unref()
  return {
    stopped,
    get problem() {
      return problem
    },
    isStopping: () => stopping,
    stop,
    done: () => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
