import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { engineVersion, versionUnder } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usableCores, usableMemory } from '../base/capacity.ts'
import { childEnvironment } from '../launch.ts'
import { readConfig, roles } from './config.ts'
import { envExample, withSettingTables } from './setting-documents.ts'
import { settings } from './settings.ts'

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const [privateKey, publicKey] = [pair.privateKey.trim(), pair.publicKey.trim()]
const ofAnotherKind = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey
const ownDatabase = { DATABASE_URL: 'postgres://me:secret@db/convexa', SECRET_KEY: 'a key of thirty-two characters or more' }
const pay = {
  WECHAT_PAY_MCH_ID: '1900000001',
  WECHAT_PAY_APP_ID: 'wx2',
  WECHAT_PAY_SERIAL: 'A1B2',
  WECHAT_PAY_PRIVATE_KEY: privateKey,
  WECHAT_PAY_V3_KEY: 'x'.repeat(32),
}

test('nothing set: one machine, at home only, everything below ./data', () => {
  const reading = readConfig({})
  expect(reading.ok && reading.config).toMatchObject({
    role: 'all',
    port: 8080,
    host: '127.0.0.1',
    dataDir: `${process.cwd()}/data`,
    databaseUrl: null,
    siteName: '凸度量化',
    siteUrl: 'http://127.0.0.1:8080',
    demoLogin: true,
    retention: 'off',
    logLevel: 'warn',
    trustProxy: [],
    metrics: null,
    checkAnswers: false,
    callPatience: 1,
  })
})

test('with a database of its own it is a server: no demo account, a log, time for streams to end', () => {
  const reading = readConfig({ ...ownDatabase, PORT: '', TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' }, 'api')
  expect(reading.ok && reading.config).toMatchObject({
    port: 8080,
    siteUrl: null,
    demoLogin: false,
    retention: 'plans',
    logLevel: 'info',
    streamGraceSeconds: 20,
    trustProxy: ['10.0.0.1', '10.1.0.0/16'],
  })
})

test('a site that is told its address is reached under that name and those it is told besides', () => {
  const hosts = (env: Record<string, string>) => {
    const reading = readConfig({ SECRET_KEY: ownDatabase.SECRET_KEY, ...env })
    return (
      reading.ok && [
        reading.config.hosts,
        readConfig({ SECRET_KEY: ownDatabase.SECRET_KEY, ...childEnvironment(reading.config, 'postgres://me@db/convexa') }, 'api'),
      ]
    )
  }
  const ofChild = (env: Record<string, string>) => {
    const found = hosts(env)
    const [own, child] = found || []
    return [own, child && 'config' in child && child.config.hosts]
  }
  // The embedded run's own address is a default, by which nobody is held.
  expect(ofChild({})).toEqual([null, null])
  const named = ['quant.example.cn']
  expect(ofChild({ SITE_URL: 'https://Quant.example.cn:8443/' })[0]).toEqual(named)
  expect(ofChild({ SITE_URL: 'https://quant.example.cn', ALLOWED_HOSTS: 'api.example.cn, www.example.cn' })[0]).toEqual([
    ...named,
    'api.example.cn',
    'www.example.cn',
  ])
  expect(ofChild({ SITE_URL: 'https://quant.example.cn', ALLOWED_HOSTS: '*' })).toEqual([null, null])
  expect(ofChild({ SITE_URL: 'https://quant.example.cn' })[1]).toContain('quant.example.cn')
})

test('outside services: none by default, each with all that it needs', () => {
  const none = readConfig({})
  expect(none.ok && none.config).toMatchObject({ smtpUrl: null, sms: null, wechat: null, secretKey: null })
  const all = readConfig({
    SMTP_URL: 'smtps://me:secret@mail.example.cn',
    MAIL_FROM: '凸度量化 <no-reply@example.cn>',
    SMS_ACCESS_KEY_ID: 'id',
    SMS_ACCESS_KEY_SECRET: 'secret',
    SMS_SIGN_NAME: '凸度量化',
    SMS_CODE_TEMPLATE: 'SMS_1',
    WECHAT_APP_ID: 'wx1',
    WECHAT_APP_SECRET: 'secret',
    WECHAT_API_URL: 'http://127.0.0.1:8090/',
  })
  expect(all.ok && all.config).toMatchObject({
    smtpUrl: 'smtps://me:secret@mail.example.cn',
    sms: { endpoint: 'https://dysmsapi.aliyuncs.com', codeTemplate: 'SMS_1', noticeTemplate: null },
    wechat: { openUrl: 'https://open.weixin.qq.com', apiUrl: 'http://127.0.0.1:8090', requireState: false },
  })
  const server = readConfig({ ...ownDatabase, WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 's' }, 'api')
  expect(server.ok && server.config.wechat?.requireState).toBe(true)
})

test('payment: a key is given as a text, with its line ends written out, or as a file; who is asked elsewhere pays test money', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'))
  const file = join(folder, 'key.pem')
  writeFileSync(file, privateKey)
  for (const key of [privateKey, privateKey.replaceAll('\n', '\\n'), file]) {
    const reading = readConfig({ ...pay, WECHAT_PAY_PRIVATE_KEY: key })
    expect(reading.ok && reading.config.wechatPay).toEqual({
      ...{ mchId: '1900000001', appId: 'wx2', serial: 'A1B2', privateKey, v3Key: 'x'.repeat(32), publicKey: null, appSecret: null },
      ...{ url: 'https://api.mch.weixin.qq.com', notifyUrl: 'http://127.0.0.1:8080/v1/payment/wechat/notify', testMoney: false },
    })
  }
  // As older tools write it, with the line ends of Windows.
  const older = createPrivateKey(privateKey).export({ type: 'pkcs1', format: 'pem' }).toString().replaceAll('\n', '\r\n')
  expect(readConfig({ ...pay, WECHAT_PAY_PRIVATE_KEY: older }).ok).toBe(true)
  rmSync(folder, { recursive: true })
  const more = { WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_01', WECHAT_PAY_PUBLIC_KEY: publicKey, WECHAT_PAY_URL: 'http://127.0.0.1:9/' }
  const reading = readConfig({ ...pay, ...more, SITE_URL: 'https://a.cn/' })
  expect(reading.ok && reading.config.wechatPay).toMatchObject({
    ...{ publicKey: { id: 'PUB_KEY_ID_01', pem: publicKey }, url: 'http://127.0.0.1:9', testMoney: true },
    notifyUrl: 'https://a.cn/v1/payment/wechat/notify',
  })
})

test.each([
  [
    { WECHAT_PAY_V3_KEY: '' },
    '环境变量 WECHAT_PAY_V3_KEY 没有设置：WECHAT_PAY_MCH_ID、WECHAT_PAY_APP_ID、WECHAT_PAY_SERIAL、WECHAT_PAY_PRIVATE_KEY、WECHAT_PAY_V3_KEY 需要一起设置',
  ],
  [{ WECHAT_PAY_V3_KEY: 'canary' }, '环境变量 WECHAT_PAY_V3_KEY 需为 32 个字符'],
  [{ WECHAT_PAY_V3_KEY: '密'.repeat(32) }, '环境变量 WECHAT_PAY_V3_KEY 需为 32 个字符'],
  [{ WECHAT_PAY_PRIVATE_KEY: 'canary' }, '环境变量 WECHAT_PAY_PRIVATE_KEY 需为 PEM 格式的 RSA 密钥，或存放它的文件'],
  [{ WECHAT_PAY_PRIVATE_KEY: ofAnotherKind }, '环境变量 WECHAT_PAY_PRIVATE_KEY 需为 PEM 格式的 RSA 密钥，或存放它的文件'],
  [{ WECHAT_PAY_PRIVATE_KEY: publicKey }, '环境变量 WECHAT_PAY_PRIVATE_KEY 需为 PEM 格式的 RSA 密钥，或存放它的文件'],
  [
    { WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_01', WECHAT_PAY_PUBLIC_KEY: 'canary' },
    '环境变量 WECHAT_PAY_PUBLIC_KEY 需为 PEM 格式的 RSA 密钥，或存放它的文件',
  ],
  [
    { WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_01' },
    '环境变量 WECHAT_PAY_PUBLIC_KEY 没有设置：WECHAT_PAY_PUBLIC_KEY_ID、WECHAT_PAY_PUBLIC_KEY 需要一起设置',
  ],
  [{ WECHAT_PAY_URL: 'ftp://x' }, '环境变量 WECHAT_PAY_URL 需为 https:// 或 http:// 开头的地址'],
  [{ WECHAT_PAY_NOTIFY_URL: 'a.cn' }, '环境变量 WECHAT_PAY_NOTIFY_URL 需为 https:// 或 http:// 开头的地址'],
  [{ ...ownDatabase }, '环境变量 SITE_URL 或 WECHAT_PAY_NOTIFY_URL 没有设置：微信支付需要接收通知的地址'],
])('payment with %j is refused in a sentence that repeats no key', (env, sentence) => {
  expect(readConfig({ ...pay, ...env })).toEqual({ ok: false, problems: [sentence] })
})

test('settings cannot be changed later', () => {
  const reading = readConfig({})
  expect(reading.ok && Object.isFrozen(reading.config)).toBe(true)
})

test.each([
  [{ PORT: 'abc' }, '环境变量 PORT 需为 1 至 65535 的整数，现在是“abc”'],
  [{ PORT: '0' }, '环境变量 PORT 需为 1 至 65535 的整数，现在是“0”'],
  [{ PORT: '70000' }, '环境变量 PORT 需为 1 至 65535 的整数，现在是“70000”'],
  [{ PORT: '80.5' }, '环境变量 PORT 需为 1 至 65535 的整数，现在是“80.5”'],
  [{ LOG_LEVEL: 'loud' }, '环境变量 LOG_LEVEL 需为 fatal、error、warn、info、debug、trace、silent 之一，现在是“loud”'],
  [{ DEMO_LOGIN: 'maybe' }, '环境变量 DEMO_LOGIN 需为 1、0、true、false、on、off 之一，现在是“maybe”'],
  [{ METRICS_TOKEN: 'too short' }, '环境变量 METRICS_TOKEN 需至少 32 个可打印的 ASCII 字符'],
  [{ METRICS_PORT: '8080' }, '环境变量 METRICS_PORT 不能与 PORT 相同'],
  [{ METRICS_PORT: '9100', METRICS_HOST: '0.0.0.0' }, '环境变量 METRICS_HOST 不是本机地址时需设置 METRICS_TOKEN'],
  [
    { DATABASE_URL: 'mysql://root:secret@db/x', SECRET_KEY: ownDatabase.SECRET_KEY },
    '环境变量 DATABASE_URL 需为 postgres://用户:密码@主机/数据库 形式的地址',
  ],
  [{ WORKER_THREADS: '0' }, '环境变量 WORKER_THREADS 需为 1 至 64 的整数，现在是“0”'],
  [{ SECRET_KEY: 'short' }, '环境变量 SECRET_KEY 需至少 32 个字符'],
  [{ SMTP_URL: 'http://me:secret@mail', MAIL_FROM: 'a@b.cn' }, '环境变量 SMTP_URL 需为 smtp:// 或 smtps:// 开头的地址'],
  [{ SMTP_URL: 'smtp://me:secret@mail' }, '环境变量 MAIL_FROM 没有设置：发送邮件需要发件人，例如 凸度量化 <no-reply@example.com>'],
  [
    { SMS_ACCESS_KEY_ID: 'id', SMS_SIGN_NAME: '凸度量化' },
    '环境变量 SMS_ACCESS_KEY_SECRET、SMS_CODE_TEMPLATE 没有设置：SMS_ACCESS_KEY_ID、SMS_ACCESS_KEY_SECRET、SMS_SIGN_NAME、SMS_CODE_TEMPLATE 需要一起设置',
  ],
  [{ WECHAT_APP_ID: 'wx1' }, '环境变量 WECHAT_APP_SECRET 没有设置：WECHAT_APP_ID、WECHAT_APP_SECRET 需要一起设置'],
  [{ WECHAT_API_URL: 'ftp://x' }, '环境变量 WECHAT_API_URL 需为 https:// 或 http:// 开头的地址'],
  ...['https://a.cn/', 'https://A.cn', 'https://a.cn:443', 'a.cn', '*', 'null', 'https://*.a.cn/'].map(
    (wrong): [Record<string, string>, string] => [
      { ALLOWED_ORIGINS: `https://b.cn,${wrong}` },
      `环境变量 ALLOWED_ORIGINS 需为 https://app.example.com 形式的来源，不含路径与通配符，现在是“${wrong}”`,
    ],
  ),
  [{ API_HOST: 'api.a.cn' }, '环境变量 API_HOST 需为 https://app.example.com 形式的来源，不含路径与通配符，现在是“api.a.cn”'],
  [{ API_PROCESSES: '0' }, '环境变量 API_PROCESSES 需为 1 至 64 的整数或 auto，现在是“0”'],
  [{ WORKER_ADVERTISE: 'http://a' }, '环境变量 WORKER_ADVERTISE 需为 主机 或 主机:端口，现在是“http://a”'],
  [{ WORKER_BIND: '0.0.0.0' }, '环境变量 WORKER_BIND 为 0.0.0.0 时请设置 WORKER_ADVERTISE（其他机器访问本机的地址）'],
  [{ WORKER_HOST: '::' }, '环境变量 WORKER_BIND 为 :: 时请设置 WORKER_ADVERTISE（其他机器访问本机的地址）'],
  [{ DATABASE_DIRECT_URL: 'postgres://me@db/convexa' }, '环境变量 DATABASE_DIRECT_URL 需要与 DATABASE_URL 一起设置'],
  [{ TRUST_PROXY: 'yes' }, '环境变量 TRUST_PROXY 需为 IP 地址或网段，以逗号分隔，现在是“yes”'],
])('%j is refused in a sentence', (env, sentence) => {
  expect(readConfig(env)).toEqual({ ok: false, problems: [sentence] })
})

test('every mistake is told at once', () => {
  const reading = readConfig({ PORT: 'x', LOG_LEVEL: 'y' })
  expect(reading.ok ? 0 : reading.problems.length).toBe(2)
})

test('a single role does not start a database', () => {
  expect(readConfig({}, 'worker')).toEqual({
    ok: false,
    problems: ['角色 worker 需要环境变量 DATABASE_URL（只有 npm start 会自带数据库）'],
  })
})

test('the processes of an embedded run read what their launcher read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'convexa-'))
  const env = { DATA_DIR: folder, PORT: '8081', WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 's' }
  const launcher = readConfig(env)
  if (!launcher.ok) throw new Error(launcher.problems.join())
  const databaseUrl = 'postgres://convexa@localhost/convexa'
  const child = readConfig({ ...env, ...childEnvironment(launcher.config, databaseUrl) }, 'api')
  const secretKey = readFileSync(join(folder, 'secret.key'), 'utf8').trim()
  // What the processes seal with is theirs alone.
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(child).toEqual({
    ok: true,
    config: { ...launcher.config, role: 'api', databaseUrl, secretKey },
    warnings: [],
    inForce: expect.any(Map),
  })
  rmSync(folder, { recursive: true })
})

test('a worker listens where it is told and is called by what others reach it by', () => {
  const addresses = (env: Record<string, string>) => {
    const reading = readConfig({ ...ownDatabase, ...env }, 'worker')
    return reading.ok ? [reading.config.workerBind, reading.config.workerAdvertise, reading.warnings.length] : reading.problems
  }
  expect(addresses({})).toEqual(['127.0.0.1', null, 0])
  expect(addresses({ WORKER_BIND: '0.0.0.0', WORKER_ADVERTISE: '10.0.0.7' })).toEqual(['0.0.0.0', '10.0.0.7', 0])
  expect(addresses({ WORKER_BIND: '::', WORKER_ADVERTISE: 'fd00::7' })).toEqual(['::', '[fd00::7]', 0])
  expect(addresses({ WORKER_ADVERTISE: 'worker-1.lan:8090' })).toEqual(['127.0.0.1', 'worker-1.lan:8090', 0])
  // Its earlier name stands for both.
  expect(addresses({ WORKER_HOST: '10.0.0.7' })).toEqual(['10.0.0.7', '10.0.0.7', 1])
  expect(addresses({ WORKER_HOST: '0.0.0.0', WORKER_ADVERTISE: '10.0.0.7' })).toEqual(['0.0.0.0', '10.0.0.7', 1])
  // An api has no use of them.
  expect(readConfig({ ...ownDatabase, WORKER_BIND: '0.0.0.0' }, 'api').ok).toBe(true)
})

test('limits follow the machine and the role, or what is set', () => {
  const limits = (env: Record<string, string>, role: 'api' | 'worker' | 'all') => {
    const reading = readConfig({ ...(role === 'all' ? {} : ownDatabase), ...env }, role)
    return reading.ok ? reading.config : null
  }
  expect(limits({}, 'api')).toMatchObject({ databasePool: 10, streams: 1_000, passwords: { atOnce: 2, waiting: 64 }, drainSeconds: 5 })
  expect(limits({}, 'worker')).toMatchObject({
    databasePool: 5,
    queuePool: 3,
    calls: 64,
    workerMemoryMb: Math.floor(usableMemory() / 2 ** 21),
  })
  expect(limits({}, 'all')).toMatchObject({ queue: { least: 20, perSlot: 20 }, apiProcesses: 1, drainSeconds: 0 })
  expect(limits({ API_PROCESSES: 'auto', DATABASE_POOL: '30' }, 'api')).toMatchObject({ apiProcesses: usableCores(), databasePool: 30 })
})

test.each([
  ['WORKER_THREDS', 'WORKER_THREADS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['SECRET_KEYFILE', 'SECRET_KEY_FILE'],
  ['PROT', null],
  ['HOSTS', 'HOST'],
])('a variable %s is probably %s', (given, meant) => {
  const reading = readConfig({ [given]: 'x' })
  expect(reading.ok && reading.warnings).toEqual(meant === null ? [] : [`环境变量 ${given} 不存在，是否指 ${meant}？`])
})

test('what shells, npm and build servers set is no misspelled setting', () => {
  const others = [
    'HOME',
    'CI',
    'PATH',
    'PWD',
    'OLDPWD',
    'SHELL',
    'USER',
    'LOGNAME',
    'LANG',
    'TERM',
    'TZ',
    'HOSTNAME',
    'HOSTTYPE',
    'PS1',
    'MAIL',
  ]
  const more = [
    'NODE_ENV',
    'NODE_OPTIONS',
    'HTTP_PROXY',
    'NO_PROXY',
    'PGHOST',
    'PGPORT',
    'DISPLAY',
    'POSTGRES_URL',
    'npm_config_loglevel',
    'S',
  ]
  const reading = readConfig(Object.fromEntries([...others, ...more].map((name) => [name, 'x'])))
  expect(reading.ok && reading.warnings).toEqual([])
})

test('the day from which ST shares of the main boards have the limits of the others is moved, or switched off', () => {
  const rules = (value?: string) => {
    const reading = readConfig(value === undefined ? {} : { ST_LIMIT_FROM: value })
    return reading.ok ? reading.config.tradingRules : reading.problems
  }
  expect(rules()).toEqual({ stLimitFrom: '2026-07-06' })
  expect(rules('2027-01-04')).toEqual({ stLimitFrom: '2027-01-04' })
  expect(rules('off')).toEqual({ stLimitFrom: null })
  for (const wrong of ['2027-02-30', '20270104', 'on'])
    expect(rules(wrong)).toEqual([`环境变量 ST_LIMIT_FROM 需为 2026-07-06 形式的日期或 off，现在是“${wrong}”`])
  // Results under other rules are other results.
  expect([undefined, { stLimitFrom: '2027-01-04' }, { stLimitFrom: null }].map((rules) => versionUnder(rules))).toEqual([
    engineVersion,
    `${engineVersion}+st.2027-01-04`,
    `${engineVersion}+st.off`,
  ])
})

test('.env.example and the tables of docs/configuration.md are those of the settings', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  expect(read('.env.example')).toBe(envExample())
  const page = read('docs/configuration.md')
  expect(page).toBe(withSettingTables(page))
  // Every example can be read: with all marks of comments removed it is an environment without a mistake, at the table's defaults.
  const uncommented = parseEnv(envExample().replaceAll(/^#([A-Z\d_]+=)/gm, '$1'))
  expect(Object.keys(uncommented).toSorted()).toEqual(Object.keys(settings).toSorted())
  expect(readConfig(uncommented as Record<string, string>)).toEqual(readConfig({}))
})

test('a secret that is refused is not repeated', () => {
  const secrets = Object.entries(settings).filter(([, { secret }]) => secret)
  expect(secrets.length).toBeGreaterThan(10)
  const reading = readConfig(Object.fromEntries(secrets.map(([name]) => [name, 'canary\n密'])))
  expect(reading.ok).toBe(false)
  expect(JSON.stringify(reading)).not.toContain('canary')
})

describe('secrets', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'convexa-secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string, content: string, mode = 0o600) => {
    writeFileSync(join(folder, name), content, { mode })
    return join(folder, name)
  }

  test('each may stand in a file; the end of its line does not belong to it', () => {
    const key = 'from a file, thirty-two characters and more'
    const reading = readConfig(
      { DATABASE_URL_FILE: file('url', `${ownDatabase.DATABASE_URL}\n`), SECRET_KEY_FILE: file('key', `${key}\r\n`) },
      'api',
    )
    expect(reading).toMatchObject({ ok: true, warnings: [], config: { secretKey: key, databaseUrl: ownDatabase.DATABASE_URL } })
  })

  test('a file that others may read is warned of', () => {
    const open = file('open', ownDatabase.SECRET_KEY, 0o644)
    const reading = readConfig({ DATABASE_URL: ownDatabase.DATABASE_URL, SECRET_KEY_FILE: open }, 'api')
    expect(reading.ok && reading.warnings).toEqual([`环境变量 SECRET_KEY_FILE 所指的文件可被其他用户读取，建议改为只有本用户可读：${open}`])
  })

  test('both forms at once, or a file that is empty or not there, are mistakes', () => {
    const empty = file('empty', '\n')
    expect(readConfig({ DATABASE_URL_FILE: empty })).toEqual({
      ok: false,
      problems: [`环境变量 DATABASE_URL_FILE 所指的文件是空的：${empty}`],
    })
    const both = { ...ownDatabase, SECRET_KEY_FILE: file('key', ownDatabase.SECRET_KEY) }
    expect(readConfig(both, 'api')).toEqual({ ok: false, problems: ['环境变量 SECRET_KEY 与 SECRET_KEY_FILE 只能设置其中一个'] })
    const missing = readConfig({ ...ownDatabase, METRICS_TOKEN_FILE: join(folder, 'none') }, 'api')
    expect(missing).toEqual({ ok: false, problems: [`环境变量 METRICS_TOKEN_FILE 所指的文件无法读取：${join(folder, 'none')}`] })
  })

  test('a named database needs the key, and the sentence tells where an old one lies', () => {
    const needed = '设置了 DATABASE_URL 时必须设置 SECRET_KEY 或 SECRET_KEY_FILE（至少 32 个字符，所有进程相同）'
    const { SECRET_KEY: _, ...keyless } = { ...ownDatabase, DATA_DIR: folder }
    for (const role of roles)
      expect(readConfig(keyless, role)).toEqual({ ok: false, problems: [`${needed}；可用 ./convexa secret generate 生成`] })
    const old = file('secret.key', ownDatabase.SECRET_KEY)
    expect(readConfig(keyless, 'api')).toEqual({ ok: false, problems: [`${needed}；原有的密钥在 ${old}，可将 SECRET_KEY_FILE 设为它`] })
  })
})

describe('STORE_URL', () => {
  const storeOf = (env: Record<string, string>) => {
    const reading = readConfig(env)
    return reading.ok ? reading.config.store : reading.problems
  }

  test('not set: files lie in DATA_DIR', () => {
    expect(storeOf({})).toBeNull()
  })

  test('a folder', () => {
    expect(storeOf({ STORE_URL: 'file:///srv/convexa store/' })).toEqual({
      address: { kind: 'folder', folder: '/srv/convexa store' },
      keys: null,
    })
  })

  test('a bucket, its prefix, its server and keys', () => {
    const keys = { STORE_ACCESS_KEY_ID: 'id', STORE_SECRET_ACCESS_KEY: 'secret', STORE_SESSION_TOKEN: 'token' }
    expect(storeOf({ STORE_URL: 's3://site/a/b?endpoint=https://oss.example.com/&region=cn-1&path_style=1', ...keys })).toEqual({
      address: { kind: 's3', bucket: 'site', prefix: 'a/b/', endpoint: 'https://oss.example.com', region: 'cn-1', pathStyle: true },
      keys: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
    })
    expect(storeOf({ STORE_URL: 's3://site' })).toEqual({
      address: { kind: 's3', bucket: 'site', prefix: '', endpoint: null, region: null, pathStyle: false },
      keys: null,
    })
  })

  test.each([
    ['https://oss.example.com/bucket', '需为 file:///目录'],
    ['file://host/folder', '需为 file:///目录'],
    ['file:///', '需为 file:///目录'],
    ['srv/store', '需为 file:///目录'],
    ['s3://AB', '需为 file:///目录'],
    ['s3://key:secret@bucket', '不能包含密钥'],
    ['s3://bucket?endpont=https://x', '有未知的参数 endpont'],
    ['s3://bucket?endpoint=oss.example.com', 'endpoint 需为 https://'],
    ['s3://bucket?endpoint=https://key:secret@oss.example.com', 'endpoint 需为 https://'],
    ['s3://bucket/a%20b', '的路径只能用'],
    ['s3://bucket/a%2f..%2fb', '的路径只能用'],
  ])('%s: %s', (url, sentence) => {
    const problems = storeOf({ STORE_URL: url }) as readonly string[]
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(sentence)
    expect(problems[0]).not.toContain('secret@')
  })

  test('one key alone is a mistake', () => {
    expect(storeOf({ STORE_URL: 's3://site', STORE_ACCESS_KEY_ID: 'id' })).toEqual([
      '环境变量 STORE_SECRET_ACCESS_KEY 没有设置：STORE_ACCESS_KEY_ID、STORE_SECRET_ACCESS_KEY 需要一起设置',
    ])
  })
})
