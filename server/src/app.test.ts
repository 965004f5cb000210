import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, type Socket, connect as tcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { endpoint, endpoints, notifyPath } from '@convexa/contract'
import { get } from '@convexa/contract/call-table'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../scripts/free-port.mjs'
import { type TestDatabase, testDatabase } from '../test/fixtures/database.ts'
import { publishSmallMarket } from '../test/fixtures/market/small-market.ts'
import { testWorld } from '../test/fixtures/world.ts'
import { type RunningApi, startApi } from './api.ts'
import { buildApp } from './app.ts'
import { connect } from './db/connect.ts'
import { admissionOf, setAdmission } from './http/admission.ts'
import { assertSameOrigin } from './http/same-origin-guard.ts'
import { serve, serveStream } from './http/serve-endpoint.ts'
import { routes as system } from './system/routes.ts'

let database: TestDatabase
let api: RunningApi
let app: FastifyInstance
let web: string
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-data-'))
  const { context } = testWorld(database, {
    config: { dataDir },
    compute: { workers: async () => 1 },
  })
  web = mkdtempSync(join(tmpdir(), 'convexa-web-'))
  mkdirSync(join(web, 'assets'))
  mkdirSync(join(web, '.vite'))
  writeFileSync(join(web, 'index.html'), '<html><script nonce="__CSP_NONCE__">1</script><style nonce="__CSP_NONCE__"></style></html>')
  writeFileSync(join(web, 'favicon.svg'), '<svg/>')
  writeFileSync(join(web, '.vite', 'manifest.json'), '{}')
  writeFileSync(join(web, 'assets', 'index-abc.js'), 'plain')
  writeFileSync(join(web, 'assets', 'index-abc.js.br'), 'brotli')
  app = await buildApp(context, [system], web)
  // As it runs: every endpoint of the contract, on a real port.
  api = await startApi({ ...context.config, port: await freePort(), host: '127.0.0.1' }, database.url, context.log)
})

afterAll(async () => {
  await app.close()
  await api.stop()
  await database.drop()
  for (const folder of [web, dataDir]) rmSync(folder, { recursive: true, force: true })
})

const secure = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
}

describe('every answer carries the headers of safety and never allows a foreign page', () => {
  const sample = (path: string) => path.replace(/\{[^}]+\}/g, '2024')
  test.each([
    ...endpoints.map(({ method, path }) => [method, sample(path)] as const),
    ...endpoints.map(({ path }) => ['PATCH', sample(path)] as const),
    ['GET', '/openapi.json'] as const,
    ['GET', '/v1/none'] as const,
    ['GET', '/assets/none.js'] as const,
    ['GET', '/v1/%zz'] as const,
  ])('%s %s', async (method, path) => {
    const body = ['POST', 'PUT'].includes(method) ? '{' : null
    const answer = await fetch(api.address + path, {
      method,
      body,
      headers: { origin: 'https://evil.example', ...(body ? { 'content-type': 'application/json' } : {}) },
    })
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toMatchObject({ ...secure, 'cache-control': path === '/openapi.json' ? 'no-cache' : 'no-store' })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers['content-type']).toMatch(/^application\/json; charset=utf-8$/)
    const { code, msg } = (await answer.json()) as { code?: number; msg?: string }
    if (path !== '/openapi.json') {
      expect(answer.status === 200).toBe(code === 0)
      expect([401, 403].includes(answer.status)).toBe(answer.status === 401 && Math.floor(code! / 10) === 4010)
      expect(msg).toMatch(/[\u4e00-\u9fff]/)
    }
  })

  test('bytes that are no HTTP get one answer and a closed line', async () => {
    const { port, hostname } = new URL(api.address)
    const ask = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = ''
        const socket = tcp(Number(port), hostname, () => socket.write(text))
        socket.on('data', (part) => (answer += part))
        socket.on('close', () => resolve(answer))
      })
    const garbage = await ask('HELLO?\r\n\r\n')
    expect(garbage).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(garbage).toContain('"code":40001')
    expect(garbage).toContain('x-content-type-options: nosniff')
    const heavy = await ask(`GET /healthz HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(heavy).toContain('"code":40013')
  })

  test.each([
    ['nothing was said yet: closed without a word', '', ''],
    ['a head was begun: one answer', 'GET /healthz HT', 'HTTP/1.1 400 Bad Request'],
  ])('a connection whose time is over, %s', async (_, said, answered) => {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const accepted = once(app.server, 'connection') as Promise<[Socket]>
    const { port } = app.server.address() as AddressInfo
    let answer = ''
    const client = tcp(port, '127.0.0.1', () => said && client.write(said))
    client.on('data', (part) => (answer += part))
    const closed = once(client, 'close')
    const [socket] = await accepted
    await vi.waitFor(() => expect(socket.bytesRead).toBe(said.length), { timeout: 60_000 })
    // As Node says it after headersTimeout.
    app.server.emit('clientError', Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    await closed
    expect(answer.split('\r\n')[0]).toBe(answered)
  })

  test('what WeChat calls refuses other methods as all calls do', async () => {
    const answer = await fetch(api.address + notifyPath)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).toMatchObject({ code: 40005 })
  })

  test('all endpoints of the contract are served', async () => {
    for (const { method, path } of endpoints) {
      const answer = await fetch(api.address + sample(path), { method: method === 'GET' ? 'POST' : 'GET' })
      const allow = answer.headers.get('allow')
      if (answer.status === 405) expect(allow, path).toContain(method)
      else expect(answer.status, `${method} ${path}`).not.toBe(404)
    }
  })
})

describe('the web app', () => {
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const html = { accept: 'text/html,application/xhtml+xml' }

  test.each(['/', '/login', '/rotation/stock?x=1', '/index.html', '/用户'])('%s is the page, with a nonce of its own', async (path) => {
    const [one, two] = [await get(encodeURI(path), html), await get(encodeURI(path), html)]
    const nonce = /nonce="([^"]+)"/.exec(one.body)?.[1] ?? ''
    expect(one.statusCode).toBe(200)
    expect(one.body).toBe(`<html><script nonce="${nonce}">1</script><style nonce="${nonce}"></style></html>`)
    expect(one.headers).toMatchObject({ ...secure, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
    const policy = String(one.headers['content-security-policy'])
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`)
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`)
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline|unsafe-eval'[^;]*unsafe|\*/)
    expect(two.body).not.toContain(nonce)
  })

  test.each<[string, Record<string, string>]>([
    ['curl', { accept: '*/*' }],
    ['a program that says nothing', {}],
  ])('%s gets the page as well, and its head alone', async (_name, headers) => {
    expect((await get('/login', headers)).headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' })
    expect(await app.inject({ method: 'HEAD', url: '/', headers })).toMatchObject({ statusCode: 200, body: '' })
  })

  test.each([
    ['a call', '/v1/none', html],
    ['a picture that is not there', '/logo', { accept: '*/*', 'sec-fetch-dest': 'image' }],
    ['a file that is not there, asked by a program', '/robots.txt', { accept: '*/*' }],
    ['what the operator did not switch on', '/metrics', { accept: '*/*' }],
    ['a missing asset', '/assets/index-old.js', html],
    ['what is not asked as a page', '/rotation/stock', { accept: 'application/json' }],
    ['the bundler’s manifest', '/.vite/manifest.json', {}],
    ['a way out of the folder', '/assets/..%2f..%2fetc/passwd', {}],
  ])('%s is not the page', async (_name, path, headers) => {
    const answer = await get(path, headers)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 40004 })
  })

  test('hashed files are kept for a year and sent as they were compressed', async () => {
    const small = await get('/assets/index-abc.js', { 'accept-encoding': 'br' })
    expect(small.headers).toMatchObject({ ...secure, 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'br' })
    expect(small.body).toBe('brotli')
    expect((await get('/assets/index-abc.js')).body).toBe('plain')
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })
})

describe('is it alive, is it ready, what site is it', () => {
  test('alive at once; ready when tables, a market and a worker are there', async () => {
    expect((await app.inject('/healthz')).json()).toMatchObject({ code: 0, data: { ok: true } })
    expect((await app.inject('/readyz')).json()).toMatchObject({ code: 50301, msg: '尚未就绪：还没有行情数据' })
    await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2026-11-02', to: '2026-11-20', securities: 3 })
    // One market is enough: the other's pages say that it has no data.
    const { data_version: version } = await database.db.selectFrom('market_snapshot').select('data_version').executeTakeFirstOrThrow()
    const ready = await app.inject('/readyz')
    expect(ready.statusCode).toBe(200)
    expect(ready.json().data).toEqual({ ready: true, workers: 1, markets: { cb: version, stk: null } })
    // The real api knows of no worker.
    expect(await fetch(`${api.address}/readyz`).then((answer) => answer.json())).toMatchObject({
      code: 50301,
      msg: '尚未就绪：没有可用的计算进程',
      data: { ready: false, reasons: ['no_worker'] },
    })
  })

  test('a database without tables is not ready', async () => {
    const empty = await testDatabase(null)
    const other = await buildApp(testWorld(empty).context, [system], web)
    const answer = await other.inject('/readyz')
    expect([answer.statusCode, answer.json().msg]).toEqual([503, '尚未就绪：数据库还没有升级'])
    await other.close()
    await empty.drop()
  })

  test('the site tells its name, its data and the demo login', async () => {
    const { data } = (await app.inject('/v1/website')).json()
    expect(data).toMatchObject({
      name: '凸度量化',
      maintenance: null,
      data_mode: { cb: 'demo', stk: null },
      features: { demo_login: { account: 'demo@convexa.example', password: 'convexa-demo' }, wechat_pay: false },
    })
  })

  test('the API as OpenAPI 3.1', async () => {
    const document = await fetch(`${api.address}/openapi.json`).then(
      (answer) => answer.json() as Promise<{ openapi: string; paths: object }>,
    )
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(endpoints.map(({ path }) => path))].sort())
  })

  test('it is made once: compressed for who takes that, and not sent again to who has it', async () => {
    const ask = (headers: Record<string, string>) => app.inject({ url: '/openapi.json', headers })
    const [plain, packed] = [await ask({}), await ask({ 'accept-encoding': 'gzip' })]
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding', etag: plain.headers.etag })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.body.length / 5)
    const known = await ask({ 'if-none-match': `"other", ${plain.headers.etag}` })
    expect([known.statusCode, known.body]).toEqual([304, ''])
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('a process that has been stuck for ten seconds is not ready, and lives', async () => {
    const calm = admissionOf(app)
    setAdmission(app, { ...calm, isStuck: () => true })
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json().msg]).toEqual([503, '尚未就绪：请求过多'])
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    setAdmission(app, calm)
  })
})

test('with the database away every call is 503 and says when to come back, and the api lives', async () => {
  const away = connect('postgres://x@127.0.0.1:1/x')
  const other = await buildApp(testWorld(database, { db: away.db }).context, [system], web)
  const answer = await other.inject('/v1/website')
  expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 50301, '2'])
  expect((await other.inject('/healthz')).statusCode).toBe(200)
  await other.close()
  await away.close()
})

test('a stopping api ends its streams with one error line, lets calls finish, and takes no more', async () => {
  const calls = {
    slow: endpoint(get('/v1/t/slow', { auth: false }), { summary: '', data: z.string() }),
    stream: endpoint(get('/v1/t/stream', { auth: false, timeout: 0, stream: true }), { summary: '', data: z.any() }),
  }
  let cleared = false
  let begun = () => {}
  const underWay = new Promise<void>((resolve) => {
    begun = resolve
  })
  let finish = (_answer: string) => {}
  const other = await buildApp(testWorld(database).context, [
    (at, context) => {
      serve(at, context, calls.slow, () => {
        begun()
        return new Promise((resolve) => {
          finish = resolve
        })
      })
      serveStream(at, context, calls.stream, async (_call, stream) => {
        stream.send({ type: 'queued' })
        await stream.closed
        cleared = true
      })
    },
  ])
  const address = await other.listen({ port: 0, host: '127.0.0.1' })
  const stream = await fetch(`${address}/v1/t/stream`)
  const slow = fetch(`${address}/v1/t/slow`)
  await underWay
  const closed = other.close()
  expect(await stream.text()).toBe('data: success={"type":"queued"}\n\ndata: error=服务正在升级，请稍后重试[23022]\n\n')
  finish('done')
  expect(await (await slow).json()).toMatchObject({ code: 0, data: 'done' })
  await closed
  expect(cleared).toBe(true)
  await expect(fetch(`${address}/v1/t/slow`)).rejects.toThrow()
})

test('one who is refused for too many streams hears it as an error line', async () => {
  const stream = endpoint(get('/v1/t/stream', { auth: false, timeout: 0, stream: true }), { summary: '', data: z.any() })
  const other = await buildApp(testWorld(database).context, [
    (at, context) => serveStream(at, context, stream, (_call, { closed }) => closed),
  ])
  const address = await other.listen({ port: 0, host: '127.0.0.1' })
  const leave = new AbortController()
  const open = await Promise.all(Array.from({ length: 10 }, () => fetch(`${address}/v1/t/stream`, { signal: leave.signal })))
  expect(open.every(({ status }) => status === 200)).toBe(true)
  expect(await fetch(`${address}/v1/t/stream`).then((answer) => answer.text())).toBe('data: error=当前回测任务较多，请稍后重试[23003]\n\n')
  leave.abort()
  await expect
    .poll(async () => {
      const answer = await fetch(`${address}/v1/t/stream`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
      return (await answer?.text().catch(() => 'open')) ?? 'none'
    })
    .toBe('open')
  await other.close()
})

test('the api is known to the others while it lives', async () => {
  const rows = await database.db.selectFrom('process').select(['role', 'lock_key']).where('role', '=', 'api').execute()
  expect(rows).toHaveLength(1)
  const locks = await sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database and datname = current_database()
      where locktype = 'advisory' and classid = 7319 and objid = ${rows[0]!.lock_key} and granted`.execute(database.db)
  expect(locks.rows).toHaveLength(1)
})

test('a proxy that nobody has named is noticed once, a named one never', async () => {
  const { context, logged } = testWorld(database)
  const noticed = () => logged.filter((line) => line.includes('X-Forwarded-For is not believed')).length
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  const unnamed = await buildApp(context, [system], web)
  await unnamed.inject({ url: '/healthz' })
  expect(noticed()).toBe(0)
  for (let i = 0; i < 3; i++) await unnamed.inject({ url: '/healthz', headers })
  expect(noticed()).toBe(1)
  const named = await buildApp({ ...context, config: { ...context.config, trustProxy: ['127.0.0.1'] } }, [system], web)
  await named.inject({ url: '/healthz', headers })
  expect(noticed()).toBe(1)
  // Somebody who comes past the named proxy.
  await named.inject({ url: '/healthz', headers, remoteAddress: '198.51.100.9' })
  // The log writes the same warning once a second.
  await expect.poll(noticed).toBe(2)
  await Promise.all([unnamed.close(), named.close()])
})

test('a site that knows its name is reached by it, by a name of this machine, and by address for its health alone', async () => {
  const { context } = testWorld(database, {
    config: { hosts: ['quant.example.cn', 'api.example.cn'], trustProxy: ['127.0.0.1'] },
    compute: { workers: async () => 1 },
  })
  const site = await buildApp(context, undefined, web)
  const ask = async (url: string, host: string, more: Record<string, string> = {}) => {
    const answer = await site.inject({ url, headers: { host, ...more } })
    return [answer.statusCode, answer.headers['content-type']?.toString().includes('json') ? answer.json().code : null]
  }
  const names = ['quant.example.cn', 'QUANT.example.cn:8443', 'api.example.cn', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080']
  for (const host of names) expect([host, await ask('/v1/website', host)]).toEqual([host, [200, 0]])
  for (const host of ['evil.example', 'quant.example.cn.evil.example', '203.0.113.5', 'x@y']) {
    for (const url of ['/v1/website', '/', '/openapi.json', '/v1/none'])
      expect([host, url, await ask(url, host)]).toEqual([host, url, [400, 40021]])
  }
  // The proxy of this machine tells which name it was asked by.
  expect(await ask('/v1/website', '127.0.0.1:8080', { 'x-forwarded-host': 'evil.example' })).toEqual([400, 40021])
  expect(await ask('/v1/website', 'inside', { 'x-forwarded-host': 'quant.example.cn' })).toEqual([200, 0])
  expect(await ask('/healthz', '10.0.0.7:8080')).toEqual([200, 0])
  expect((await ask('/readyz', '10.0.0.7:8080'))[1]).toBe(50301)
  // Calls with a key or a signature are let in under any host name, and refused for the key.
  expect((await ask('/v1/qmt-client/targets', '10.0.0.7:8080'))[1]).not.toBe(40021)
  expect(await site.inject({ method: 'POST', url: notifyPath, headers: { host: '10.0.0.7' } }).then(({ statusCode }) => statusCode)).toBe(
    401,
  )
  await site.close()
})

describe('a page on another host', () => {
  const page = 'https://app.example.com'
  const strangers = [
    ...[
      'null',
      '*',
      '',
      'https://app.example.com.evil.cn',
      'https://evil-app.example.com',
      'http://app.example.com',
      'https://example.com',
    ],
    ...['https://app.example.com:8443', 'https://app.example.com/', 'HTTPS://APP.EXAMPLE.COM', `${page}, ${page}`],
  ]
  const ask = (at: FastifyInstance, origin: string, preflight = false) =>
    at.inject({
      method: preflight ? 'OPTIONS' : 'GET',
      url: '/healthz',
      headers: { origin, ...(preflight && { 'access-control-request-method': 'GET', 'access-control-request-headers': 'access-token' }) },
    })
  const cors = ({ headers }: { headers: object }) => Object.keys(headers).filter((name) => name.startsWith('access-control'))

  test('is refused as long as nobody allows it, and so are all that are nearly it', async () => {
    for (const preflight of [false, true]) expect(cors(await ask(app, page, preflight))).toEqual([])
    const config = { allowedOrigins: [page], apiHost: 'https://api.example.com' }
    const open = await buildApp(testWorld(database, { config }).context, [system], web)
    for (const origin of strangers)
      for (const preflight of [false, true]) expect([origin, cors(await ask(open, origin, preflight))]).toEqual([origin, []])

    const told = await ask(open, page, true)
    expect([told.statusCode, told.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': page,
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': 'Access-Token, Content-Type, Accept, X-Fingerprint, X-Human-Check',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    ])
    expect(told.headers['access-control-allow-credentials']).toBeUndefined()
    expect((await ask(open, page)).headers).toMatchObject({ 'access-control-allow-origin': page, vary: 'Origin' })
    // A refusal can be read too.
    const missing = await open.inject({ url: '/v1/none', headers: { origin: page } })
    expect([missing.statusCode, missing.headers['access-control-allow-origin']]).toEqual([404, page])

    const served = await open.inject({ url: '/', headers: { accept: 'text/html' } })
    expect(served.headers['content-security-policy']).toContain("connect-src 'self' https://api.example.com;")
    expect(served.headers['content-security-policy']).toContain('https://thirdwx.qlogo.cn https://api.example.com;')
    await open.close()
  })

  test('may ask for a code, which no other one may', () => {
    const refused = (headers: Record<string, string>, origins: readonly string[] = [page]) => {
      try {
        assertSameOrigin(headers, origins)
        return false
      } catch {
        return true
      }
    }
    const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', host: 'api.example.com' }
    expect(refused({ ...script, origin: page })).toBe(false)
    expect(refused({ ...script, origin: page }, [])).toBe(true)
    expect(refused({ origin: page, host: 'api.example.com' })).toBe(false)
    for (const origin of strangers.filter(Boolean)) expect([origin, refused({ ...script, origin })]).toEqual([origin, true])
    expect(refused(script)).toBe(true)
    expect(refused({ ...script, origin: page, 'sec-fetch-dest': 'image' })).toBe(true)
    expect(refused({ ...script, origin: page, 'sec-fetch-mode': 'navigate' })).toBe(true)
    expect(refused({ ...script, origin: page, 'sec-purpose': 'prefetch' })).toBe(true)
  })
})
