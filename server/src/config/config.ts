import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { notifyPath } from '@convexa/contract'
import type { TradingRules } from '@convexa/engine'
import { usableCores, usableMemory } from '../base/capacity.ts'
import { addressOf } from '../base/port.ts'
import { secretFileOf } from '../base/secret.ts'
import { readFeedSettings } from './feed-settings.ts'
import type { FeedSettings } from './feeds.ts'
import { type Environment, type SettingsReader, settingsReader } from './read-settings.ts'
import type { logLevels, retentionPolicies, SettingName } from './settings.ts'
import type { StoreAddress } from './store-url.ts'
import { wechatPayUrl } from './wechat-settings.ts'

export const roles = ['all', 'api', 'worker', 'migrate'] as const
/** What this process is: `all` launches and supervises the others; `migrate` brings the tables up to date and ends. */
export type Role = (typeof roles)[number]

/** The settings of one process, read once at the start and never changed. */
export interface Config {
  readonly role: Role
  readonly port: number
  readonly host: string
  /** Absolute folder that holds everything we keep: postgres/, market/, files/. */
  readonly dataDir: string
  /** null: the launcher starts PostgreSQL in `dataDir` and tells its children the address. */
  readonly databaseUrl: string | null
  /** The same database past a pooler, for sessions; null: `databaseUrl` is direct. */
  readonly databaseDirectUrl: string | null
  /** For `migrate` alone, with the role that owns the tables; null: the direct address. */
  readonly migrateDatabaseUrl: string | null
  /** Connections of this process to the database. */
  readonly databasePool: number
  /** Connections of a worker's queue. */
  readonly queuePool: number
  /** The database is the one that the launcher keeps in `dataDir`: all processes are on this machine. */
  readonly isSingleMachine: boolean
  /** Where objects lie that several machines use; null: in `dataDir`, as files. */
  readonly store: StoreSettings | null
  readonly cache: CacheSettings
  /** Days until an object that nothing needs is deleted. */
  readonly storeKeepDays: number
  /** Where backups lie; null: there are none. */
  readonly backup: StoreSettings | null
  /** Hour in Beijing of the nightly one. */
  readonly backupHour: number
  readonly siteName: string
  /** Where browsers find this installation, for links in mails; null: mails carry no link. */
  readonly siteUrl: string | null
  /** Names under which this installation is reached; null: by any, as where SITE_URL is not set. */
  readonly hosts: readonly string[] | null
  /** Origins of our page on other hosts, which may call this api from a browser. */
  readonly allowedOrigins: readonly string[]
  /** Origin of the api that the page of this server calls; null: its own. */
  readonly apiHost: string | null
  /** How users reach the operator: shown in the legal texts as it is. */
  readonly contact: string
  readonly copyright: string
  readonly icp: string
  readonly beian: string
  /** The login page lets visitors in without an account of their own, each as a guest for a day. */
  readonly demoLogin: boolean
  /** How long runs are kept: for good, or by the plan of their user. Guests keep theirs for their day, either way. */
  readonly retention: (typeof retentionPolicies)[number]
  readonly logLevel: (typeof logLevels)[number]
  /** Addresses or ranges of our own proxies, exactly; empty: X-Forwarded-* is ignored. */
  readonly trustProxy: readonly string[]
  /** Connections that one address may hold; those of our own proxies are not counted. */
  readonly connectionsPerAddress: number
  /** Requests of one user are counted (60 in ten seconds). Tests ask oftener. */
  readonly limitRequests: boolean
  /** The api has the lists of factors made before anybody asks. Tests ask themselves. */
  readonly prepareLists: boolean
  /** How many threads of the compute child compute at once. */
  readonly workerThreads: number
  /** What the compute child may hold in MB, panels included, before it is ended. */
  readonly workerMemoryMb: number
  /** What each thread that computes backtests may hold beyond the panels, in MB (reliability.md 2.3). With less than 24 it cannot even start. */
  readonly workerHeadroomMb: number
  /** A compute child without a sign of life for so long is hung, and ended. */
  readonly workerHungSeconds: number
  /** Interactive calls that a worker takes at once. */
  readonly calls: number
  /** Where this worker listens for the apis (port 0: any free one). */
  readonly workerBind: string
  readonly workerPort: number
  /** What the apis reach this worker by, `host` or `host:port`; null: where it listens. */
  readonly workerAdvertise: string | null
  /** Processes of an api that share its port. */
  readonly apiProcesses: number
  /** This is one of several processes of an api: it shares the port, and its parent serves the metrics. */
  readonly isInGroup: boolean
  /** Streams that an api process holds. */
  readonly streams: number
  /** Password hashes that an api process computes at once, and logins that may wait for one. */
  readonly passwords: { readonly atOnce: number; readonly waiting: number }
  /** Backtests that may wait in the whole installation: `least`, or `perSlot` for each that the ready workers can compute at once. */
  readonly queue: { readonly least: number; readonly perSlot: number }
  /** For how long a stopping api is not ready and still takes requests. */
  readonly drainSeconds: number
  /** How long a stopping api lets its streams go on. */
  readonly streamGraceSeconds: number
  /** What tickets, codes and messages are sealed with; null: a file in `dataDir`, made at the first need. */
  readonly secretKey: string | null
  /** While the key is changed: what was sealed before still opens. */
  readonly oldSecretKey: string | null
  /** How long a starting process waits for its database and for a `migrate` that is under way. */
  readonly startWaitSeconds: number
  /** `smtp://user:password@host:587` or `smtps://…`; null: mails go to the outbox folder. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** Alibaba Cloud's SMS; null: text messages go to the outbox folder. */
  readonly sms: SmsSettings | null
  /** A web application of the WeChat open platform; null: no login by WeChat. */
  readonly wechat: WechatSettings | null
  /** A merchant of WeChat Pay; null: nothing can be bought. */
  readonly wechatPay: WechatPaySettings | null
  /** Plans may be sold to iPhones too. */
  readonly iosVirtualPay: boolean
  /** Sources of market data. */
  readonly feeds: FeedSettings
  /** Rules of the exchanges where the operator's word counts. */
  readonly tradingRules: TradingRules
  /** Where the operator reads how the product is; null: nowhere. */
  readonly metrics: MetricsSettings | null
  /** Tests: every answer is checked against the contract's schema before it is sent. */
  readonly checkAnswers: boolean
  /** Tests: how many times its usual time a call may take, since a machine that runs tests is asked for too much. */
  readonly callPatience: number
}

export interface StoreSettings {
  readonly address: StoreAddress
  /** null: what the SDK finds by itself. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string | null } | null
}

/** What one worker keeps of the object store. */
export interface CacheSettings {
  readonly folder: string
  readonly megabytes: number
}

/** `/metrics` and `/status`: by a token, on a port of their own, or both. */
export interface MetricsSettings {
  /** null: every client that reaches the port may read. */
  readonly token: string | null
  /** null: on the port of the product. */
  readonly port: number | null
  readonly host: string
}

export interface SmsSettings {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly signName: string
  /** Template of verification codes; it has one place, `${code}`. */
  readonly codeTemplate: string
  /** Template of notices about the account; it has one place, `${what}`. null: notices go by mail only. */
  readonly noticeTemplate: string | null
}

export interface WechatSettings {
  readonly appId: string
  readonly appSecret: string
  /** Where the browser scans, and where we ask. A stand-in serves both. */
  readonly openUrl: string
  readonly apiUrl: string
  /** A login must carry the state that its browser began with. */
  readonly requireState: boolean
}

export interface WechatPaySettings {
  readonly mchId: string
  readonly appId: string
  /** Serial number of the merchant's certificate, and its private key (PEM). */
  readonly serial: string
  readonly privateKey: string
  /** What notices and certificates are encrypted with: 32 bytes. */
  readonly v3Key: string
  /** WeChat's public key (PEM) by its id `PUB_KEY_ID_…`; null: platform certificates, fetched. */
  readonly publicKey: { readonly id: string; readonly pem: string } | null
  readonly url: string
  /** Where WeChat tells us of payments. */
  readonly notifyUrl: string
  /** Of the paying application, to learn the openid of who pays inside WeChat; null: only where it is the login's application. */
  readonly appSecret: string | null
  /** Another address than WeChat's: a stand-in with test money. */
  readonly testMoney: boolean
}

/** `inForce`: what each setting came to, read or by default. */
export type ConfigReading =
  | { ok: true; config: Config; warnings: readonly string[]; inForce: SettingsReader['inForce'] }
  | { ok: false; problems: readonly string[] }

/**
 * The environment as a frozen Config, or every mistake in it as a sentence for the operator: 1 each setting by the table `settings`,
 * 2 defaults that depend on other settings, 3 settings that are needed together or exclude each other.
 */
export function readConfig(env: Environment, role: Role = 'all'): ConfigReading {
  const reader = settingsReader(env)
  const { read, isSet, problem, problems, warn, warnings, inForce } = reader

  /** The settings of one outside service: all of them or none. */
  const areSet = (...names: SettingName[]): boolean => {
    const missing = names.filter((name) => !isSet(name))
    if (missing.length > 0 && missing.length < names.length)
      problem(`环境变量 ${missing.join('、')} 没有设置：${names.join('、')} 需要一起设置`)
    return missing.length === 0
  }

  const embedded = !isSet('DATABASE_URL')
  if (embedded && role !== 'all') problem(`角色 ${role} 需要环境变量 DATABASE_URL（只有 npm start 会自带数据库）`)

  const dataDir = resolve(read('DATA_DIR'))
  // Processes with keys of their own would drop each other's codes and know each other's accounts by no address.
  if (!embedded && !isSet('SECRET_KEY')) problem(missingSecret(dataDir))
  const port = read('PORT')
  const host = read('HOST')
  const siteName = read('SITE_NAME')
  const siteUrl = read('SITE_URL', embedded ? addressOf({ host, port }) : '')

  const smtpUrl = read('SMTP_URL') || null
  const mailFrom = read('MAIL_FROM')
  if (isSet('SMTP_URL') && !/@./.test(mailFrom))
    problem('环境变量 MAIL_FROM 没有设置：发送邮件需要发件人，例如 凸度量化 <no-reply@example.com>')
  const hasStoreKeys = areSet('STORE_ACCESS_KEY_ID', 'STORE_SECRET_ACCESS_KEY')
  const storeAddress = read('STORE_URL') || null
  const backupAddress = read('BACKUP_URL') || null
  const hasSms = areSet('SMS_ACCESS_KEY_ID', 'SMS_ACCESS_KEY_SECRET', 'SMS_SIGN_NAME', 'SMS_CODE_TEMPLATE')
  const hasWechat = areSet('WECHAT_APP_ID', 'WECHAT_APP_SECRET')

  const hasPublicKey = areSet('WECHAT_PAY_PUBLIC_KEY_ID', 'WECHAT_PAY_PUBLIC_KEY')
  const hasWechatPay = areSet('WECHAT_PAY_MCH_ID', 'WECHAT_PAY_APP_ID', 'WECHAT_PAY_SERIAL', 'WECHAT_PAY_PRIVATE_KEY', 'WECHAT_PAY_V3_KEY')
  const notifyUrl = read('WECHAT_PAY_NOTIFY_URL', siteUrl ? `${siteUrl}${notifyPath}` : '')
  if (hasWechatPay && !notifyUrl && !isSet('SITE_URL') && !isSet('WECHAT_PAY_NOTIFY_URL'))
    problem('环境变量 SITE_URL 或 WECHAT_PAY_NOTIFY_URL 没有设置：微信支付需要接收通知的地址')

  const metricsToken = read('METRICS_TOKEN') || null
  const metricsPort = read('METRICS_PORT') || null
  if (metricsPort === port) problem('环境变量 METRICS_PORT 不能与 PORT 相同')
  const metricsHost = read('METRICS_HOST')
  const isOurs = ['127.0.0.1', '::1', 'localhost'].includes(metricsHost)
  if (metricsPort && !metricsToken && !isOurs) problem('环境变量 METRICS_HOST 不是本机地址时需设置 METRICS_TOKEN')

  for (const name of ['DATABASE_DIRECT_URL', 'MIGRATE_DATABASE_URL'] as const)
    if (embedded && isSet(name)) problem(`环境变量 ${name} 需要与 DATABASE_URL 一起设置`)

  const oldHost = read('WORKER_HOST')
  if (oldHost) warn('环境变量 WORKER_HOST 已改名：请改用 WORKER_BIND（监听地址）与 WORKER_ADVERTISE（网页服务访问的地址），目前按两者读取')
  const workerBind = isSet('WORKER_BIND') ? read('WORKER_BIND') : oldHost || read('WORKER_BIND')
  // The address that stands for all is none that another machine could call.
  const isForAll = isEveryAddress(workerBind)
  const workerAdvertise = read('WORKER_ADVERTISE') || (isForAll || isEveryAddress(oldHost) ? '' : oldHost) || null
  if (isForAll && workerAdvertise === null && (role === 'worker' || role === 'all'))
    problem(`环境变量 WORKER_BIND 为 ${workerBind} 时请设置 WORKER_ADVERTISE（其他机器访问本机的地址）`)

  const apiProcesses = read('API_PROCESSES')
  if (apiProcesses !== 1 && metricsToken && !metricsPort)
    warn('环境变量 API_PROCESSES 大于 1 而没有设置 METRICS_PORT：/metrics 与 /status 只含恰好应答的那个进程')

  const config: Config = {
    role,
    port,
    host,
    dataDir,
    databaseUrl: read('DATABASE_URL') || null,
    databaseDirectUrl: read('DATABASE_DIRECT_URL') || null,
    migrateDatabaseUrl: read('MIGRATE_DATABASE_URL') || null,
    databasePool: read('DATABASE_POOL', role === 'worker' ? 5 : 10),
    queuePool: read('QUEUE_POOL'),
    isSingleMachine: embedded || read('SINGLE_MACHINE'),
    store: storeAddress && { address: storeAddress, keys: hasStoreKeys ? readStoreKeys(reader) : null },
    cache: { folder: resolve(read('CACHE_DIR') || join(dataDir, 'cache')), megabytes: read('CACHE_MB') },
    storeKeepDays: read('STORE_KEEP_DAYS'),
    backup: backupAddress && { address: backupAddress, keys: hasStoreKeys ? readStoreKeys(reader) : null },
    backupHour: read('BACKUP_HOUR'),
    siteName,
    siteUrl: siteUrl || null,
    hosts: hostsOf(read('ALLOWED_HOSTS'), isSet('SITE_URL') ? siteUrl : ''),
    allowedOrigins: read('ALLOWED_ORIGINS'),
    apiHost: read('API_HOST')[0] ?? null,
    contact: read('CONTACT'),
    copyright: read('COPYRIGHT', siteName),
    icp: read('ICP'),
    beian: read('BEIAN'),
    demoLogin: read('DEMO_LOGIN', embedded),
    retention: read('RETENTION', embedded ? 'off' : 'plans'),
    logLevel: read('LOG_LEVEL', embedded ? 'warn' : 'info'),
    trustProxy: read('TRUST_PROXY'),
    connectionsPerAddress: read('CONNECTIONS_PER_ADDRESS'),
    limitRequests: read('LIMIT_REQUESTS'),
    prepareLists: read('PREPARE_LISTS'),
    workerThreads: read('WORKER_THREADS', Math.max(1, Math.min(16, usableCores() - 1))),
    workerMemoryMb: read('WORKER_MEMORY_MB', Math.max(256, Math.floor(usableMemory() / 1024 / 1024 / 2))),
    workerHeadroomMb: read('WORKER_HEADROOM_MB'),
    workerHungSeconds: read('WORKER_HUNG_SECONDS'),
    calls: read('CALLS'),
    workerBind,
    workerPort: read('WORKER_PORT'),
    workerAdvertise,
    apiProcesses: apiProcesses === 'auto' ? Math.min(64, usableCores()) : apiProcesses,
    isInGroup: read('API_GROUP'),
    streams: read('STREAMS'),
    passwords: { atOnce: read('PASSWORDS_AT_ONCE'), waiting: read('PASSWORDS_WAITING') },
    queue: { least: read('QUEUE_MIN'), perSlot: read('QUEUE_PER_SLOT') },
    drainSeconds: read('DRAIN_SECONDS', role === 'all' ? 0 : 5),
    streamGraceSeconds: read('STREAM_GRACE_SECONDS', embedded ? 0 : 20),
    secretKey: read('SECRET_KEY') || null,
    oldSecretKey: read('SECRET_KEY_OLD') || null,
    startWaitSeconds: read('START_WAIT_SECONDS'),
    smtpUrl,
    mailFrom,
    sms: hasSms ? readSms(reader) : null,
    wechat: hasWechat ? readWechat(reader, embedded) : null,
    wechatPay: hasWechatPay ? readWechatPay(reader, notifyUrl, hasPublicKey) : null,
    iosVirtualPay: read('IOS_VIRTUAL_PAY'),
    feeds: readFeedSettings(reader),
    tradingRules: { stLimitFrom: read('ST_LIMIT_FROM') },
    metrics: metricsToken || metricsPort ? { token: metricsToken, port: metricsPort, host: metricsHost } : null,
    checkAnswers: read('CHECK_ANSWERS'),
    callPatience: read('CALL_PATIENCE'),
  }
  return problems.length ? { ok: false, problems } : { ok: true, config: Object.freeze(config), warnings, inForce }
}

function missingSecret(dataDir: string): string {
  const file = secretFileOf(dataDir)
  const hint = existsSync(file) ? `原有的密钥在 ${file}，可将 SECRET_KEY_FILE 设为它` : '可用 ./convexa secret generate 生成'
  return `设置了 DATABASE_URL 时必须设置 SECRET_KEY 或 SECRET_KEY_FILE（至少 32 个字符，所有进程相同）；${hint}`
}

const readStoreKeys = ({ read }: SettingsReader) => ({
  accessKeyId: read('STORE_ACCESS_KEY_ID'),
  secretAccessKey: read('STORE_SECRET_ACCESS_KEY'),
  sessionToken: read('STORE_SESSION_TOKEN') || null,
})

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

const readSms = ({ read }: SettingsReader): SmsSettings => ({
  endpoint: read('SMS_ENDPOINT'),
  accessKeyId: read('SMS_ACCESS_KEY_ID'),
  accessKeySecret: read('SMS_ACCESS_KEY_SECRET'),
  signName: read('SMS_SIGN_NAME'),
  codeTemplate: read('SMS_CODE_TEMPLATE'),
  noticeTemplate: read('SMS_NOTICE_TEMPLATE') || null,
})

const readWechat = ({ read }: SettingsReader, embedded: boolean): WechatSettings => ({
  appId: read('WECHAT_APP_ID'),
  appSecret: read('WECHAT_APP_SECRET'),
  openUrl: read('WECHAT_OPEN_URL'),
  apiUrl: read('WECHAT_API_URL'),
  requireState: read('WECHAT_REQUIRE_STATE', !embedded),
})

const readWechatPay = ({ read }: SettingsReader, notifyUrl: string, hasPublicKey: boolean): WechatPaySettings => ({
  mchId: read('WECHAT_PAY_MCH_ID'),
  appId: read('WECHAT_PAY_APP_ID'),
  serial: read('WECHAT_PAY_SERIAL'),
  privateKey: read('WECHAT_PAY_PRIVATE_KEY'),
  v3Key: read('WECHAT_PAY_V3_KEY'),
  publicKey: hasPublicKey ? { id: read('WECHAT_PAY_PUBLIC_KEY_ID'), pem: read('WECHAT_PAY_PUBLIC_KEY') } : null,
  url: read('WECHAT_PAY_URL'),
  notifyUrl,
  appSecret: read('WECHAT_PAY_APP_SECRET') || null,
  testMoney: read('WECHAT_PAY_URL') !== wechatPayUrl,
})

/** The site's own name, where it is set, and the others that requests may use; `*`: any. */
function hostsOf(others: string, siteUrl: string): readonly string[] | null {
  if (others === '*' || !URL.canParse(siteUrl)) return null
  const named = others.split(',').map((name) => name.trim().toLowerCase())
  return [new URL(siteUrl).hostname, ...named.filter(Boolean)]
}
