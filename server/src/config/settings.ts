import { productName } from '@convexa/contract/product'
import { usualRules } from '@convexa/engine'
import { feedNames } from './feeds.ts'
import {
  addresses,
  computedText,
  dayOrOff,
  flag,
  hostAndPort,
  integer,
  oneOf,
  origins,
  postgresUrl,
  secret,
  someOf,
  text,
  url,
} from './setting.ts'
import { storage } from './storage-settings.ts'
import { wechat, wechatPay } from './wechat-settings.ts'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export const retentionPolicies = ['off', 'plans'] as const

/** A line end in a header would begin another header. */
const printable = [/^[\x20-\x7e]*$/, '只能有可打印的 ASCII 字符'] as const
const long = [/^.{32,}$/s, '需至少 32 个字符'] as const

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
  WORKER_HOST: text({
    default: '127.0.0.1',
    en: 'Where a worker listens for the apis; on several machines an address that they reach.',
    zh: '计算进程供网页服务访问的地址；多机部署时设为网页服务能访问的地址。',
  }),
  WORKER_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    en: 'Port of a worker; 0: any free one.',
    zh: '计算进程的端口；0 表示任选空闲端口。',
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
  WORKER_MEMORY_MB: integer({
    default: { en: 'half of the memory', zh: '内存的一半' },
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

const messages = {
  SMTP_URL: url({
    default: '',
    secret: true,
    protocols: ['smtp:', 'smtps:'],
    en: 'Mail server: smtps://user:password@host:465 or smtp://user:password@host:587.',
    zh: '邮件服务器：`smtps://用户:密码@主机:465` 或 `smtp://用户:密码@主机:587`。',
  }),
  MAIL_FROM: text({
    default: '',
    en: 'Sender of mails: Convexa <no-reply@example.com>.',
    zh: '发件人，如 `凸度量化 <no-reply@example.com>`；设置 `SMTP_URL` 时必填。',
  }),
  SMS_ACCESS_KEY_ID: secret({ default: '', en: 'Access key of Alibaba Cloud SMS.', zh: '阿里云短信的 AccessKey ID。' }),
  SMS_ACCESS_KEY_SECRET: secret({ default: '', en: 'Access key secret of Alibaba Cloud SMS.', zh: '阿里云短信的 AccessKey Secret。' }),
  SMS_SIGN_NAME: text({ default: '', en: 'Signature of text messages.', zh: '短信签名。' }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
  SMS_CODE_TEMPLATE: text({ default: '', en: 'Template of codes; one variable, ${code}.', zh: '验证码模板，只有一个变量 `${code}`。' }),
  SMS_NOTICE_TEMPLATE: text({
    default: '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
    en: 'Template of notices about the account; one variable, ${what}. Without it notices go by mail alone.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable of the vendor's template
    zh: '账号提醒模板，只有一个变量 `${what}`；不设则提醒只用邮件发送。',
  }),
  SMS_ENDPOINT: url({ default: 'https://dysmsapi.aliyuncs.com', en: 'Another address of the SMS api.', zh: '短信接口的其他地址。' }),
}

const feeds = {
  FEEDS: someOf(feedNames, {
    default: [],
    en: `Market data sources that are on, separated by commas: ${feedNames.join(', ')}.`,
    zh: `启用的行情数据源，以逗号分隔：${feedNames.map((name) => `\`${name}\``).join('、')}。`,
  }),
  TUSHARE_TOKEN: secret({ default: '', rules: [printable], en: 'Token of Tushare Pro.', zh: 'Tushare Pro 的 token。' }),
  TUSHARE_PER_MINUTE: integer({
    default: 200,
    min: 1,
    max: 10_000,
    en: 'Requests a minute that the account may send to one api.',
    zh: '账号等级允许每分钟访问一个接口的次数。',
  }),
  JISILU_COOKIE: secret({ default: '', rules: [printable], en: 'Cookie of a logged-in user.', zh: '集思录登录用户的 cookie。' }),
  XTDATA_KEY: secret({
    default: '',
    rules: [printable, long],
    en: 'Key of at least 32 characters that the bridge shows.',
    zh: '桥接程序出示的密钥，至少 32 个字符。',
  }),
  FEED_FOLDER: text({
    default: '',
    en: 'Folder with stk, cb, index and statements, of Parquet and CSV files.',
    zh: '放 Parquet、CSV 文件的目录，其下分 `stk`、`cb`、`index`、`statements`。',
  }),
  FEED_KEEP_DAYS: integer({
    default: 400,
    min: 30,
    max: 36_500,
    en: 'Days for which answers of sources are kept in DATA_DIR/raw, so that a day can be made again.',
    zh: '数据源的原始应答（`DATA_DIR/raw`）保留多少天，至少 30 天，以便重新生成某一天。',
  }),
  TUSHARE_URL: url({ default: 'http://api.tushare.pro', en: 'Another address of Tushare Pro.', zh: 'Tushare Pro 接口的其他地址。' }),
  BAOSTOCK_ADDRESS: hostAndPort({
    default: 'public-api.baostock.com:10030',
    en: 'Another address of BaoStock, host:port.',
    zh: 'BaoStock 接口的其他地址，`主机:端口`。',
  }),
  EASTMONEY_URL: url({
    default: 'https://82.push2.eastmoney.com',
    en: 'Another address of Eastmoney, lists.',
    zh: '东方财富列表接口的其他地址。',
  }),
  EASTMONEY_OTHER_URL: url({
    default: 'https://push2delay.eastmoney.com',
    en: 'Another address of Eastmoney, delayed lists.',
    zh: '东方财富延时列表接口的其他地址。',
  }),
  EASTMONEY_HISTORY_URL: url({
    default: 'https://push2his.eastmoney.com',
    en: 'Another address of Eastmoney, history.',
    zh: '东方财富历史行情接口的其他地址。',
  }),
  EASTMONEY_DATA_URL: url({
    default: 'https://datacenter-web.eastmoney.com',
    en: 'Another address of Eastmoney, tables.',
    zh: '东方财富数据表接口的其他地址。',
  }),
  TENCENT_URL: url({ default: 'https://qt.gtimg.cn', en: 'Another address of Tencent.', zh: '腾讯行情接口的其他地址。' }),
  SINA_URL: url({ default: 'https://hq.sinajs.cn', en: 'Another address of Sina.', zh: '新浪行情接口的其他地址。' }),
  JISILU_URL: url({ default: 'https://www.jisilu.cn', en: 'Another address of Jisilu.', zh: '集思录的其他地址。' }),
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
  SINGLE_MACHINE: flag({
    default: false,
    en: 'Set by the launcher for its processes: all of them are on this machine.',
    zh: '由启动程序为其进程设置：所有进程在同一台机器上。',
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
