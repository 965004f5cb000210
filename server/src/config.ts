import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { notifyPath } from '@convexa/contract'
import { type TradingRules, usualRules } from '@convexa/engine'
import { type FeedSettings, readFeedSettings } from './feeds/settings.ts'
import { addressOf } from './port.ts'

export const roles = ['all', 'api', 'worker', 'migrate'] as const
/** What this process is: `all` launches and supervises the others; `migrate` brings the tables up to date and ends. */
export type Role = (typeof roles)[number]

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The settings of one process, read once at the start and never changed. */
export interface Config {
  readonly role: Role
  readonly port: number
  readonly host: string
  /** Absolute folder that holds everything we keep: postgres/, market/, files/. */
  readonly dataDir: string
  /** null: the launcher starts PostgreSQL in `dataDir` and tells its children the address. */
  readonly databaseUrl: string | null
  /** The database is the one that the launcher keeps in `dataDir`: all processes are on this machine. */
  readonly isSingleMachine: boolean
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
  /** Address at which the api reaches this worker, and its private port (0: any free one). */
  readonly workerHost: string
  readonly workerPort: number
  /** How long a stopping api lets its streams go on. */
  readonly streamGraceSeconds: number
  /** What tickets, codes and messages are sealed with; null: a file in `dataDir`, made at the first need. */
  readonly secretKey: string | null
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

/** `/metrics` and `/status`: by a token, on a port of their own, or both. */
export interface MetricsSettings {
  /** null: whoever reaches the port may read. */
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

export type ConfigReading = { ok: true; config: Config } | { ok: false; problems: string[] }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment as a frozen Config, or every mistake in it as a sentence for the operator.
 * An empty variable counts as not set.
 */
export function readConfig(env: Environment, role: Role = 'all'): ConfigReading {
  const problems: string[] = []
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const given = env[name]?.trim()
    if (!given) return fallback
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
    if (value >= min && value <= max) return value
    problems.push(`环境变量 ${name} 需为 ${min} 至 ${max} 的整数，现在是“${given}”`)
    return fallback
  }
  const oneOf = <T extends string>(name: string, fallback: T, choices: readonly T[]): T => {
    const given = env[name]?.trim()
    if (!given) return fallback
    const found = choices.find((choice) => choice === given.toLowerCase())
    if (found) return found
    problems.push(`环境变量 ${name} 需为 ${choices.join('、')} 之一，现在是“${given}”`)
    return fallback
  }
  const flag = (name: string, fallback: boolean) => {
    const choices = ['1', '0', 'true', 'false', 'on', 'off'] as const
    return ['1', 'true', 'on'].includes(oneOf(name, fallback ? '1' : '0', choices))
  }

  /** A day, or `off`: null. */
  const dayOrOff = (name: string, fallback: string | null): string | null => {
    const given = env[name]?.trim().toLowerCase()
    if (!given) return fallback
    if (given === 'off') return null
    if (/^\d{4}-\d{2}-\d{2}$/.test(given) && isDay(given)) return given
    problems.push(`环境变量 ${name} 需为 2026-07-06 形式的日期或 off，现在是“${given}”`)
    return fallback
  }

  /** Whole origins as a browser writes them: exactly these are compared. */
  const origins = (name: string) => {
    const parts = text(name, '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
    const wrong = parts.find((part) => !/^https?:/.test(part) || !URL.canParse(part) || new URL(part).origin !== part)
    if (wrong) problems.push(`环境变量 ${name} 需为 https://app.example.com 形式的来源，不含路径与通配符，现在是“${wrong}”`)
    return parts
  }
  const addresses = (name: string) => {
    const parts = text(name, '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
    const wrong = parts.find((part) => !isIP(part.replace(/\/\d{1,3}$/, '')))
    if (wrong) problems.push(`环境变量 ${name} 需为 IP 地址或网段，以逗号分隔，现在是“${wrong}”`)
    return parts
  }

  const databaseUrl = env['DATABASE_URL']?.trim() || null
  // The value is not repeated: it holds a password.
  if (databaseUrl && !isPostgresUrl(databaseUrl)) problems.push('环境变量 DATABASE_URL 需为 postgres://用户:密码@主机/数据库 形式的地址')
  if (!databaseUrl && role !== 'all') problems.push(`角色 ${role} 需要环境变量 DATABASE_URL（只有 npm start 会自带数据库）`)
  const embedded = databaseUrl === null

  /** The settings of one outside service: all of them or none. */
  const together = <T>(names: readonly string[], make: (values: string[]) => T): T | null => {
    const values = names.map((name) => text(name, ''))
    if (values.every((value) => value === '')) return null
    const missing = names.filter((_, i) => !values[i])
    if (missing.length === 0) return make(values)
    problems.push(`环境变量 ${missing.join('、')} 没有设置：${names.join('、')} 需要一起设置`)
    return null
  }
  const url = (name: string, fallback: string, protocols: readonly string[]) => {
    const given = text(name, fallback)
    const parsed = URL.canParse(given) ? new URL(given) : null
    // The value is not repeated: it may hold a password.
    if (given && !(parsed?.hostname && protocols.includes(parsed.protocol)))
      problems.push(`环境变量 ${name} 需为 ${protocols.map((protocol) => `${protocol}//`).join(' 或 ')} 开头的地址`)
    return given.replace(/\/$/, '')
  }
  const http = ['https:', 'http:'] as const

  const secretKey = text('SECRET_KEY', '') || null
  if (secretKey && secretKey.length < 32) problems.push('环境变量 SECRET_KEY 需至少 32 个字符')
  const smtpUrl = url('SMTP_URL', '', ['smtp:', 'smtps:']) || null
  const mailFrom = text('MAIL_FROM', '')
  if (smtpUrl && !/@./.test(mailFrom))
    problems.push('环境变量 MAIL_FROM 没有设置：发送邮件需要发件人，例如 凸度量化 <no-reply@example.com>')
  const smsEndpoint = url('SMS_ENDPOINT', 'https://dysmsapi.aliyuncs.com', http)
  const smsNames = ['SMS_ACCESS_KEY_ID', 'SMS_ACCESS_KEY_SECRET', 'SMS_SIGN_NAME', 'SMS_CODE_TEMPLATE'] as const
  const openUrl = url('WECHAT_OPEN_URL', 'https://open.weixin.qq.com', http)
  const apiUrl = url('WECHAT_API_URL', 'https://api.weixin.qq.com', http)

  const pem = (name: string, read: (pem: string) => KeyObject): string => {
    const given = text(name, '')
    if (!given) return ''
    try {
      const found = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8')
      // APIv3 knows RSA only; another kind would sign, and no signature would be right.
      if (read(found).asymmetricKeyType !== 'rsa') throw new Error('not RSA')
      return found
    } catch {
      // The value is not repeated: it may be the key.
      problems.push(`环境变量 ${name} 需为 PEM 格式的 RSA 密钥，或存放它的文件`)
      return given
    }
  }

  const port = integer('PORT', 8080, 1, 65_535)
  const host = text('HOST', '127.0.0.1')
  const siteUrl = url('SITE_URL', embedded ? addressOf({ host, port }) : '', http)

  const payUrl = url('WECHAT_PAY_URL', wechatPayUrl, http)
  const payPrivateKey = pem('WECHAT_PAY_PRIVATE_KEY', createPrivateKey)
  const payPublicKey = pem('WECHAT_PAY_PUBLIC_KEY', createPublicKey)
  const notifyUrl = url('WECHAT_PAY_NOTIFY_URL', siteUrl ? `${siteUrl.replace(/\/$/, '')}${notifyPath}` : '', http)
  const publicKey = together(['WECHAT_PAY_PUBLIC_KEY_ID', 'WECHAT_PAY_PUBLIC_KEY'], ([id = '']) => ({ id, pem: payPublicKey }))
  const wechatPay = together(
    ['WECHAT_PAY_MCH_ID', 'WECHAT_PAY_APP_ID', 'WECHAT_PAY_SERIAL', 'WECHAT_PAY_PRIVATE_KEY', 'WECHAT_PAY_V3_KEY'],
    ([mchId = '', appId = '', serial = '', _key, v3Key = '']): WechatPaySettings => {
      if (Buffer.byteLength(v3Key) !== 32) problems.push('环境变量 WECHAT_PAY_V3_KEY 需为 32 个字符')
      if (!notifyUrl) problems.push('环境变量 SITE_URL 或 WECHAT_PAY_NOTIFY_URL 没有设置：微信支付需要接收通知的地址')
      const testMoney = payUrl !== wechatPayUrl
      const appSecret = text('WECHAT_PAY_APP_SECRET', '') || null
      return { mchId, appId, serial, privateKey: payPrivateKey, v3Key, publicKey, url: payUrl, notifyUrl, appSecret, testMoney }
    },
  )

  const metricsToken = text('METRICS_TOKEN', '') || null
  if (metricsToken && !/^[\x21-\x7e]{32,}$/.test(metricsToken)) problems.push('环境变量 METRICS_TOKEN 需至少 32 个可打印的 ASCII 字符')
  const metricsPort = integer('METRICS_PORT', 0, 0, 65_535) || null
  if (metricsPort === port) problems.push('环境变量 METRICS_PORT 不能与 PORT 相同')
  const metricsHost = text('METRICS_HOST', '127.0.0.1')
  const isOurs = ['127.0.0.1', '::1', 'localhost'].includes(metricsHost)
  if (metricsPort && !metricsToken && !isOurs) problems.push('环境变量 METRICS_HOST 不是本机地址时需设置 METRICS_TOKEN')

  const config: Config = {
    role,
    port,
    host,
    dataDir: resolve(text('DATA_DIR', './data')),
    databaseUrl,
    isSingleMachine: embedded || flag('SINGLE_MACHINE', false),
    siteName: text('SITE_NAME', '凸度量化'),
    siteUrl: siteUrl || null,
    hosts: hostsOf(text('ALLOWED_HOSTS', ''), env['SITE_URL']?.trim() ? siteUrl : ''),
    allowedOrigins: origins('ALLOWED_ORIGINS'),
    apiHost: origins('API_HOST')[0] ?? null,
    contact: text('CONTACT', ''),
    copyright: text('COPYRIGHT', text('SITE_NAME', '凸度量化')),
    icp: text('ICP', ''),
    beian: text('BEIAN', ''),
    demoLogin: flag('DEMO_LOGIN', embedded),
    logLevel: oneOf('LOG_LEVEL', embedded ? 'warn' : 'info', logLevels),
    trustProxy: addresses('TRUST_PROXY'),
    connectionsPerAddress: integer('CONNECTIONS_PER_ADDRESS', 100, 10, 100_000),
    limitRequests: flag('LIMIT_REQUESTS', true),
    prepareLists: flag('PREPARE_LISTS', true),
    workerThreads: integer('WORKER_THREADS', Math.max(1, Math.min(16, availableParallelism() - 1)), 1, 64),
    workerMemoryMb: integer('WORKER_MEMORY_MB', Math.max(1024, Math.floor((totalmem() / 1024 / 1024) * 0.5)), 256, 1_000_000),
    workerHeadroomMb: integer('WORKER_HEADROOM_MB', 768, 64, 65_536),
    workerHungSeconds: integer('WORKER_HUNG_SECONDS', 30, 1, 600),
    workerHost: text('WORKER_HOST', '127.0.0.1'),
    workerPort: integer('WORKER_PORT', 0, 0, 65_535),
    streamGraceSeconds: integer('STREAM_GRACE_SECONDS', embedded ? 0 : 20, 0, 600),
    secretKey,
    smtpUrl,
    mailFrom,
    sms: together(smsNames, ([accessKeyId = '', accessKeySecret = '', signName = '', codeTemplate = '']) => ({
      endpoint: smsEndpoint,
      accessKeyId,
      accessKeySecret,
      signName,
      codeTemplate,
      noticeTemplate: text('SMS_NOTICE_TEMPLATE', '') || null,
    })),
    wechat: together(['WECHAT_APP_ID', 'WECHAT_APP_SECRET'], ([appId = '', appSecret = '']) => ({
      appId,
      appSecret,
      openUrl,
      apiUrl,
      requireState: flag('WECHAT_REQUIRE_STATE', !embedded),
    })),
    wechatPay,
    feeds: readFeedSettings({
      text,
      integer,
      url: (name, fallback) => url(name, fallback, http),
      problem: (sentence) => problems.push(sentence),
    }),
    iosVirtualPay: flag('IOS_VIRTUAL_PAY', false),
    tradingRules: { stLimitFrom: dayOrOff('ST_LIMIT_FROM', usualRules.stLimitFrom) },
    metrics: metricsToken || metricsPort ? { token: metricsToken, port: metricsPort, host: metricsHost } : null,
    checkAnswers: flag('CHECK_ANSWERS', false),
    callPatience: integer('CALL_PATIENCE', 1, 1, 100),
  }
  return problems.length ? { ok: false, problems } : { ok: true, config: Object.freeze(config) }
}

/** `YYYY-MM-DD` of a day that there is. */
function isDay(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
}

/** The site's own name, where it is told, and the others that are; `*`: any. */
function hostsOf(others: string, siteUrl: string): readonly string[] | null {
  if (others === '*' || !URL.canParse(siteUrl)) return null
  const named = others.split(',').map((name) => name.trim().toLowerCase())
  return [new URL(siteUrl).hostname, ...named.filter(Boolean)]
}

const wechatPayUrl = 'https://api.mch.weixin.qq.com'

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@localhost/'))
}
