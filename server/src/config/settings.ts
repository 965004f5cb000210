import { productName } from '@convexa/contract/product'
import { usualRules } from '@convexa/engine'
import { feeds, messages } from './service-settings.ts'
import {
  addresses,
  computedText,
  dayOrOff,
  flag,
  hostMaybePort,
  integer,
  integerOrAuto,
  long,
  oneOf,
  origins,
  postgresUrl,
  secret,
  text,
  url,
} from './setting.ts'
import { storage } from './storage-settings.ts'
import { wechat, wechatPay } from './wechat-settings.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export const retentionPolicies = ['off', 'plans'] as const

const site = {
  PORT: integer({ default: 8080, min: 1, max: 65_535, en: 'Port of the site.', zh: '网站端口。' }),
  HOST: text({ default: '127.0.0.1', en: 'Address to listen on; 0.0.0.0 for all.', zh: '监听地址；`0.0.0.0` 表示全部网卡。' }),
  DATA_DIR: text({
    default: './data',
    en: 'Folder of the embedded database, market files and uploads.',
    zh: '存放内置数据库、行情文件与上传文件的目录。',
  }),
  SITE_NAME: text({ default: productName, en: 'Displayed name of the site.', zh: '显示的网站名称。' }),
  SITE_URL: url({
    default: { en: 'local address with the embedded database, else none', zh: '内置数据库时为本机地址，否则无' },
    en: 'Public address, for links in mails; once set, requests must name its host.',
    zh: '用户访问本站的地址，用于邮件中的链接；设置后，请求的主机名须与它一致。',
  }),
  ALLOWED_HOSTS: text({
    default: '',
    en: 'Other host names that requests may use where SITE_URL is set, separated by commas; *: any.',
    zh: '设置了 `SITE_URL` 时，请求还可以使用的其他主机名，以逗号分隔；`*` 表示不检查。',
  }),
  CONTACT: text({
    default: '',
    en: 'How users reach the operator, for the legal texts.',
    zh: '用户联系运营者的方式，写入协议与隐私政策。',
  }),
  COPYRIGHT: computedText({
    default: { en: 'SITE_NAME', zh: '同 `SITE_NAME`' },
    en: 'Operator named in the footer, the terms, the privacy policy and the risk statement.',
    zh: '运营者名称，显示在页脚、用户协议、隐私政策与风险揭示书中（上线前请律师审阅这三份文本）。',
  }),
  ICP: text({ default: '', en: 'ICP filing number, in the footer.', zh: 'ICP 备案号，显示在页脚。' }),
  BEIAN: text({ default: '', en: 'Public security filing number, in the footer.', zh: '公安备案号，显示在页脚。' }),
  DEMO_LOGIN: flag({
    default: { en: '1 with the embedded database, else 0', zh: '内置数据库时为 1，否则为 0' },
    en: 'Lets visitors in without registration, each as a guest for one day.',
    zh: '登录页显示“进入体验账号”，每位访客得到一个为期一天的临时账号。',
  }),
  RETENTION: oneOf(retentionPolicies, {
    default: { en: 'off with the embedded database, else plans', zh: '内置数据库时为 `off`，否则为 `plans`' },
    en: 'Whether stored runs are kept for good (off) or by the plan of their user (plans).',
    zh: '回测结果是一直保留（`off`），还是按用户的方案保留（`plans`：免费最近 100 次、90 天内，会员最近 2,000 次、2 年内）。',
  }),
  LOG_LEVEL: oneOf(logLevels, {
    default: { en: 'warn with the embedded database, else info', zh: '内置数据库时为 `warn`，否则为 `info`' },
    en: `Log level: ${logLevels.join(', ')}.`,
    zh: `日志级别：${logLevels.map((level) => `\`${level}\``).join('、')}。`,
  }),
}

const machines = {
  DATABASE_URL: postgresUrl({
    default: '',
    secret: true,
    en: 'PostgreSQL 15 or later, postgres://user:password@host/database; without it an embedded one is started.',
    zh: '自己的 PostgreSQL（≥ 15），形如 `postgres://用户:密码@主机/数据库`；不设则启动内置的数据库。',
  }),
  DATABASE_DIRECT_URL: postgresUrl({
    default: '',
    secret: true,
    en: 'Address of the same database past a pooler by transaction, where DATABASE_URL leads through one: for LISTEN, locks, the queue and migrations. Default: DATABASE_URL.',
    zh: '`DATABASE_URL` 经过事务级连接池（如 PgBouncer）时，同一数据库的直连地址，用于监听、锁、任务队列与升级；不设则同 `DATABASE_URL`。',
  }),
  MIGRATE_DATABASE_URL: postgresUrl({
    default: '',
    secret: true,
    en: 'Direct address with the role that owns the tables, for `./convexa migrate` alone. Default: DATABASE_DIRECT_URL.',
    zh: '拥有数据表的角色的直连地址，仅供 `./convexa migrate` 使用；不设则同 `DATABASE_DIRECT_URL`。',
  }),
  DATABASE_POOL: integer({
    default: { en: '10 for an api, 5 for a worker', zh: '网页服务 10，计算进程 5' },
    min: 2,
    max: 100,
    en: 'Connections of a process to the database, beside its sessions.',
    zh: '每个进程到数据库的连接数（不含直连会话）。',
  }),
  QUEUE_POOL: integer({ default: 3, min: 2, max: 20, en: 'Connections of the queue of a worker.', zh: '计算进程的任务队列使用的连接数。' }),
  SECRET_KEY: secret({
    default: '',
    rules: [long],
    en: 'Key of at least 32 characters that seals codes, tickets and contacts, the same in all processes; required with DATABASE_URL, else DATA_DIR/secret.key, made at the first need.',
    zh: '加密验证码、绑定凭证与联系方式的密钥，至少 32 个字符，所有进程相同；设置了 `DATABASE_URL` 时必填，否则使用首次需要时生成的 `DATA_DIR/secret.key`。请与数据备份分开保管。',
  }),
  SECRET_KEY_OLD: secret({
    default: '',
    rules: [long],
    en: 'The key before, while it is changed by `./convexa secret rotate`.',
    zh: '更换密钥期间的旧密钥，见 `./convexa secret rotate`。',
  }),
  START_WAIT_SECONDS: integer({
    default: 60,
    min: 0,
    max: 600,
    en: 'Seconds that a starting process waits for its database and for a migration that is under way.',
    zh: '进程启动时等待数据库可用、等待数据库升级完成的秒数。',
  }),
  WORKER_BIND: text({
    default: '127.0.0.1',
    en: 'Address that a worker listens on for the apis; 0.0.0.0 for all.',
    zh: '计算进程供网页服务访问的监听地址；`0.0.0.0` 表示全部网卡。',
  }),
  WORKER_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    en: 'Port of a worker; 0: any free one.',
    zh: '计算进程的端口；0 表示任选空闲端口。',
  }),
  WORKER_ADVERTISE: hostMaybePort({
    default: '',
    en: 'What the apis call a worker by: host or host:port. Default: WORKER_BIND and its port.',
    zh: '网页服务访问计算进程所用的地址，`主机` 或 `主机:端口`；不设则同监听地址与端口。',
  }),
  API_PROCESSES: integerOrAuto({
    default: 1,
    min: 1,
    max: 64,
    en: 'Processes of an api that share its port, Linux only; auto: one for each usable core.',
    zh: '共用一个端口的网页服务进程数，大于 1 需要 Linux；`auto` 表示可用核数。',
  }),
  DRAIN_SECONDS: integer({
    default: { en: '0 for the processes of npm start, else 5', zh: '由 `npm start` 启动时为 0，否则为 5' },
    min: 0,
    max: 60,
    en: 'Seconds for which a stopping api still takes requests, so that proxies learn of it by /readyz.',
    zh: '网页服务停止时，先答复未就绪、仍接受请求的秒数，供反向代理摘除。',
  }),
  TRUST_PROXY: addresses({
    default: [],
    en: 'Addresses or ranges of your own reverse proxies, separated by commas; only their X-Forwarded-* headers are read.',
    zh: '自己的反向代理的 IP 地址或网段，以逗号分隔；只读取它们的 `X-Forwarded-*`。',
  }),
  ALLOWED_ORIGINS: origins({
    default: [],
    en: 'Origins of pages on other hosts that may call this api, separated by commas.',
    zh: '页面与 API 在不同主机时，允许调用本 API 的页面来源，以逗号分隔。',
  }),
  API_HOST: origins({
    default: [],
    en: 'Origin of the api that the page of this server calls, where it is another host.',
    zh: '页面与 API 在不同主机时，本站页面调用的 API 来源。',
  }),
  CONNECTIONS_PER_ADDRESS: integer({
    default: 100,
    min: 10,
    max: 100_000,
    en: 'Connections that one address may hold; those of TRUST_PROXY are not counted.',
    zh: '每个地址最多同时保持的连接数；`TRUST_PROXY` 所列代理不计。',
  }),
  STREAMS: integer({
    default: 1_000,
    min: 10,
    max: 20_000,
    en: 'Streams that an api process holds.',
    zh: '每个网页服务进程同时保持的流（进度与实时推送）数。',
  }),
  PASSWORDS_AT_ONCE: integer({
    default: 2,
    min: 1,
    max: 16,
    en: 'Password hashes that an api process computes at once, 46 MB each.',
    zh: '每个网页服务进程同时计算的密码摘要数，每个占用 46 MB。',
  }),
  PASSWORDS_WAITING: integer({
    default: 64,
    min: 8,
    max: 1_000,
    en: 'Logins that may wait for a hash in an api process.',
    zh: '每个网页服务进程中可以等待计算密码摘要的登录数。',
  }),
  QUEUE_MIN: integer({
    default: 20,
    min: 1,
    max: 10_000,
    en: 'Backtests that may wait in the whole installation, at least.',
    zh: '全站至少可以排队等待的回测数。',
  }),
  QUEUE_PER_SLOT: integer({
    default: 20,
    min: 1,
    max: 1_000,
    en: 'Backtests that may wait for each one that the ready workers can compute at once.',
    zh: '就绪的计算进程每能同时计算一个回测，全站可以排队等待的回测数。',
  }),
  LIMIT_REQUESTS: flag({
    default: true,
    en: 'Rate limit of 60 requests in ten seconds a user; 0 for load tests.',
    zh: '每位用户每 10 秒最多 60 次请求；压力测试时设为 0。',
  }),
  STREAM_GRACE_SECONDS: integer({
    default: { en: '0 with the embedded database, else 20', zh: '内置数据库时为 0，否则为 20' },
    min: 0,
    max: 600,
    en: 'Seconds that a stopping api lets its streams go on.',
    zh: '网页服务停止时，等待进行中的流结束的秒数。',
  }),
  PREPARE_LISTS: flag({
    default: true,
    en: 'The api prepares the lists of factors at its start.',
    zh: '网页服务启动后预先生成因子列表。',
  }),
}

const computing = {
  WORKER_THREADS: integer({
    default: { en: 'usable cores - 1, at most 16', zh: '可用核数 − 1，最多 16' },
    min: 1,
    max: 64,
    en: 'Threads that compute.',
    zh: '计算线程数。',
  }),
  CALLS: integer({
    default: 64,
    min: 4,
    max: 1_024,
    en: 'Interactive calls that a worker takes at once.',
    zh: '每个计算进程同时接受的交互计算数。',
  }),
  WORKER_MEMORY_MB: integer({
    default: { en: 'half of the usable memory', zh: '可用内存的一半（容器中为其限额的一半）' },
    min: 256,
    max: 1_000_000,
    en: 'Memory for market columns, in MB.',
    zh: '行情列占用的内存（MB）。',
  }),
  WORKER_HEADROOM_MB: integer({
    default: 768,
    min: 64,
    max: 65_536,
    en: 'Memory that each computing thread may use besides, in MB; a process that uses more is restarted.',
    zh: '每个计算线程另可占用的内存（MB），超过时重启计算子进程。',
  }),
  WORKER_HUNG_SECONDS: integer({
    default: 30,
    min: 1,
    max: 600,
    en: 'Seconds without a sign of life after which the compute process is restarted.',
    zh: '计算子进程无响应多少秒后被重启。',
  }),
  ST_LIMIT_FROM: dayOrOff({
    default: usualRules.stLimitFrom ?? 'off',
    en: 'Day from which ST shares of the main boards have a 10 % price limit; off: 5 %. The same in all processes.',
    zh: '主板 ST 股涨跌幅限制改为 ±10% 的日期（两处公开资料如此，未见交易所原文）；`off` 表示仍为 ±5%。各进程须一致；报告会写明所用规则，不同设置的结果分开保存。',
  }),
}

const monitoring = {
  METRICS_TOKEN: secret({
    default: '',
    rules: [[/^[\x21-\x7e]{32,}$/, '需至少 32 个可打印的 ASCII 字符']],
    en: 'Token of at least 32 characters for /metrics and /status: bearer, or the password that a browser asks for.',
    zh: '读取 `/metrics` 与 `/status` 的令牌，至少 32 个字符：Bearer，或浏览器询问的密码。',
  }),
  METRICS_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    en: 'Port of their own for /metrics and /status; 0: none. Without token and port they are not served.',
    zh: '`/metrics` 与 `/status` 的单独端口；0 表示不用。令牌与端口都不设时不提供这两页。',
  }),
  METRICS_HOST: text({
    default: '127.0.0.1',
    en: 'Address that this port listens on; another than the local one needs METRICS_TOKEN.',
    zh: '该端口的监听地址；不是本机地址时需设置 `METRICS_TOKEN`。',
  }),
}

const internal = {
  ENV_FILE: text({
    default: '.env',
    en: 'File whose settings hold where the environment has none; off: none.',
    zh: '设置文件，环境中没有的变量取自它；`off` 表示不读取。',
  }),
  SINGLE_MACHINE: flag({
    default: false,
    en: 'Set by the launcher for its processes: all of them are on this machine.',
    zh: '由启动程序为其进程设置：所有进程在同一台机器上。',
  }),
  API_GROUP: flag({
    default: false,
    en: 'Set by an api for the processes that share its port.',
    zh: '由网页服务为共用其端口的进程设置。',
  }),
  WORKER_HOST: text({
    default: '',
    en: 'Earlier name of WORKER_BIND and WORKER_ADVERTISE, read as both.',
    zh: '`WORKER_BIND` 与 `WORKER_ADVERTISE` 的旧名，按两者读取。',
  }),
  CHECK_ANSWERS: flag({ default: false, en: 'Tests: checks every answer against the contract.', zh: '测试：按接口约定核对每个应答。' }),
  CALL_PATIENCE: integer({
    default: 1,
    min: 1,
    max: 100,
    en: 'Tests: multiplies the time that a call may take.',
    zh: '测试：放宽每个调用的时限（倍数）。',
  }),
}

/** Every environment variable that the server reads, with its default, bounds and description. */
export const settings = {
  ...site,
  ...machines,
  ...storage,
  ...computing,
  ...messages,
  ...wechat,
  ...wechatPay,
  ...feeds,
  ...monitoring,
  ...internal,
}
export type Settings = typeof settings
export type SettingName = keyof Settings

/** The order and the headings of `.env.example` and docs/configuration.md. */
export const settingGroups = [
  { en: 'Site', zh: '网站', settings: site },
  { en: 'Database, processes and network', zh: '数据库、进程与网络', settings: machines },
  { en: 'Object store and cache', zh: '对象存储与缓存', settings: storage },
  { en: 'Computing', zh: '计算', settings: computing },
  { en: 'Mail and text messages', zh: '邮件与短信', settings: messages },
  { en: 'Login by WeChat', zh: '微信登录', settings: wechat },
  { en: 'WeChat Pay', zh: '微信支付', settings: wechatPay },
  { en: 'Market data sources', zh: '行情数据源', settings: feeds },
  { en: 'Monitoring', zh: '监控', settings: monitoring },
  { en: 'Internal and tests', zh: '内部与测试', settings: internal },
] as const
