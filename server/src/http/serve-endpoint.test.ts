import { connect as tcp } from 'node:net'
import { type Envelope, endpoint } from '@convexa/contract'
import { get, post, put } from '@convexa/contract/call-table'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { connect } from '../db/connect.ts'
import { openSession } from '../user/sessions.ts'
import { ApiError, apiError, deadlineMs, jsonText, serve, serveStream, throwApiError } from './serve-endpoint.ts'

const Numbers = z.strictObject({ list: z.array(z.number()), more: z.strictObject({ deep: z.int().optional() }).optional() })
const either = z.union([z.strictObject({ a: z.strictObject({ b: z.int() }) }), z.strictObject({ c: z.string(), d: z.string().optional() })])
const calls = {
  open: endpoint(get('/v1/t/open', { auth: false }), { summary: '', data: z.object({ ok: z.boolean() }) }),
  mine: endpoint(get('/v1/t/mine/{day}'), { summary: '', params: z.object({ day: z.iso.date() }), data: z.string() }),
  sum: endpoint(post('/v1/t/sum'), { summary: '', body: Numbers, bodyLimit: 1_000, data: z.number() }),
  either: endpoint(put('/v1/t/either', { auth: false }), { summary: '', body: either, data: z.null() }),
  list: endpoint(get('/v1/t/list', { auth: false }), {
    summary: '',
    query: z.object({ limit: z.coerce.number().int().max(9).default(3), keys: z.union([z.string(), z.array(z.string())]).optional() }),
    data: z.object({ limit: z.number(), keys: z.any() }),
  }),
  wrong: endpoint(get('/v1/t/wrong/{how}', { auth: false }), {
    summary: '',
    params: z.object({ how: z.string() }),
    data: z.string(),
  }),
  slow: endpoint(get('/v1/t/slow', { auth: false }), { summary: '', data: z.null() }),
  computing: endpoint(get('/v1/t/computing', { timeout: 60 }), { summary: '', data: z.null() }),
  stored: endpoint(get('/v1/t/stored', { auth: false }), {
    summary: '',
    data: z.object({ nav: z.array(z.number().nullable()) }),
  }),
  stream: endpoint(post('/v1/t/stream', { timeout: 0, stream: true }), {
    summary: '',
    body: Numbers,
    data: z.object({ type: z.string() }),
  }),
}

let database: TestDatabase
let app: FastifyInstance
let address: string
let token: string
let logged: string[]
let slowSignal: AbortSignal | undefined
/** How long requests have waited when they reach their handlers. */
let waitedMs = 0
const endComputing: (() => void)[] = []

beforeAll(async () => {
  database = await testDatabase()
  const made = testWorld(database, { config: { callPatience: 1 } })
  logged = made.logged
  const away = connect('postgres://x@127.0.0.1:1/x')
  app = await buildApp(made.context, [
    (at, context) => {
      at.addHook('onRequest', async (request) => {
        request.arrivedAt -= waitedMs
      })
      serve(at, context, calls.open, async () => ({ ok: true }))
      serve(at, context, calls.computing, () => new Promise((resolve) => void endComputing.push(() => resolve(null))))
      serve(at, context, calls.mine, async ({ params, user }) => `${params.day} ${user?.level}`)
      serve(at, context, calls.sum, async ({ body }) => body.list.reduce((a, b) => a + b, 0))
      serve(at, context, calls.either, async () => null)
      serve(at, context, calls.list, async ({ query }) => ({ limit: query.limit, keys: query.keys ?? null }))
      serve(at, context, calls.stored, async () => jsonText('{"nav":[1,null]}'))
      serve(at, context, calls.slow, ({ signal }) => {
        slowSignal = signal
        return new Promise(() => {})
      })
      serve(at, context, calls.wrong, async ({ params: { how } }) => {
        if (how === 'refused') throwApiError(22002, 1, 7)
        if (how === 'too-often') throw new ApiError(40029, '操作过于频繁，请9秒后再试', { retryAfterSeconds: 9 })
        if (how === 'database') await away.pool.query('select 1')
        if (how === 'file') throw Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })
        if (how === 'bug') throw new TypeError('secret detail')
        if (how === 'shape') return 5 as unknown as string
        return 'fine'
      })
      serveStream(at, context, calls.stream, async ({ body: { list } }, stream) => {
        for (const n of list.filter((one) => one >= 0)) stream.send({ type: n === 0 ? 'result' : 'progress' })
        if (list.includes(-1)) throwApiError(23002)
        if (list.includes(-2)) throw new Error('secret detail')
      })
    },
  ])
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  const user = { id: '0198c0de-0000-7000-8000-000000000001', is_demo: false }
  await database.db.insertInto('app_user').values({ id: user.id, account: 'a@b.cn', nickname: '甲', password_hash: null }).execute()
  token = (await openSession(database.db, user, null)).access_token
})

afterAll(async () => {
  await app.close()
  await database.drop()
})

const ask = async (request: InjectOptions & { url: string }) => {
  const answer = await app.inject(request)
  return { status: answer.statusCode, body: answer.json<Envelope<unknown>>(), headers: answer.headers }
}
const json = { 'content-type': 'application/json' }

describe('every refusal has its status, code and sentence', () => {
  const post = (payload: string, headers: Record<string, string> = json) => ({
    method: 'POST' as const,
    url: '/v1/t/sum',
    payload,
    headers,
  })
  test.each([
    ['unknown path', { url: '/v1/nothing' }, 404, 40004, '内容不存在或已被删除'],
    ['unknown path, asked as a page', { url: '/v1/nothing', headers: { accept: 'text/html' } }, 404, 40004, '内容不存在或已被删除'],
    ['path that cannot be decoded', { url: '/v1/t/mine/%zz' }, 400, 40001, '请求格式有误'],
    ['endless path', { url: `/v1/${'x'.repeat(9_000)}` }, 413, 40013, '提交内容过大'],
    ['endless place in a path', { url: `/v1/t/mine/${'x'.repeat(9_000)}` }, 413, 40013, '提交内容过大'],
    ['wrong method', { method: 'DELETE' as const, url: '/v1/t/open' }, 405, 40005, '不支持的请求方式'],
    ['preflight of a foreign page', { method: 'OPTIONS' as const, url: '/v1/t/sum' }, 405, 40005, '不支持的请求方式'],
    ['no login', { url: '/v1/t/mine/2024-01-02' }, 401, 40100, '请先登录'],
    ['made-up token', { url: '/v1/t/mine/2024-01-02', headers: { 'access-token': 'x' } }, 401, 40100, '请先登录'],
    [
      'no login comes before a bad body',
      { method: 'POST' as const, url: '/v1/t/sum', payload: '{', headers: json },
      401,
      40100,
      '请先登录',
    ],
    ['wrong parameter in the path', { url: '/v1/t/mine/2024-02-30', login: true }, 400, 40000, '请求参数有误：「day」'],
    ['not JSON', { ...post('{"list":'), login: true }, 400, 40001, '请求格式有误'],
    [
      'bytes that are no UTF-8',
      { ...post(''), payload: Buffer.from('{"list":[],"a":"\xe9"}', 'latin1'), login: true },
      400,
      40001,
      '请求格式有误',
    ],
    ['empty body', { ...post(''), login: true }, 400, 40001, '请求格式有误'],
    ['a list where an object belongs', { ...post('[]'), login: true }, 400, 40001, '请求格式有误'],
    ['poisoned keys', { ...post('{"__proto__":{"x":1},"list":[]}'), login: true }, 400, 40001, '请求格式有误'],
    ['plain text', { ...post('{"list":[]}', { 'content-type': 'text/plain' }), login: true }, 415, 40015, '不支持的内容类型'],
    ['a form', { ...post('list=1', { 'content-type': 'application/x-www-form-urlencoded' }), login: true }, 415, 40015, '不支持的内容类型'],
    ['too large', { ...post(`{"list":[${'1,'.repeat(600)}1]}`), login: true }, 413, 40013, '提交内容过大'],
    ['missing key', { ...post('{}'), login: true }, 400, 40000, '请求参数有误：缺少「list」'],
    ['wrong element', { ...post('{"list":[1,"2"]}'), login: true }, 400, 40000, '请求参数有误：「list」第 2 项'],
    ['unknown key', { ...post('{"list":[],"is_admin":true}'), login: true }, 400, 40000, '请求参数有误：不认识的字段「is_admin」'],
    ['unknown key below', { ...post('{"list":[],"more":{"x":1}}'), login: true }, 400, 40000, '请求参数有误：「more」中不认识的字段「x」'],
    ['wrong query', { url: '/v1/t/list?limit=10' }, 400, 40000, '请求参数有误：条数'],
    [
      'neither of two shapes',
      { method: 'PUT' as const, url: '/v1/t/either', payload: '{"a":{"b":"x"}}', headers: json },
      400,
      40000,
      '请求参数有误：「b」',
    ],
    [
      'nothing of either shape',
      { method: 'PUT' as const, url: '/v1/t/either', payload: '{}', headers: json },
      400,
      40000,
      '请求参数有误：缺少「a」',
    ],
    [
      'one mistake in the second shape, two in the first',
      { method: 'PUT' as const, url: '/v1/t/either', payload: '{"c":"x","d":5}', headers: json },
      400,
      40000,
      '请求参数有误：「d」',
    ],
    ['refused by the handler', { url: '/v1/t/wrong/refused' }, 400, 22002, '公式语法错误（第1行第7列）'],
    ['too often', { url: '/v1/t/wrong/too-often' }, 429, 40029, '操作过于频繁，请9秒后再试'],
    ['database away', { url: '/v1/t/wrong/database' }, 503, 50301, '服务繁忙，请稍后重试'],
    ['a missing file of ours', { url: '/v1/t/wrong/file' }, 500, 50000, '服务器开小差了，请稍后重试'],
    ['a bug', { url: '/v1/t/wrong/bug' }, 500, 50000, '服务器开小差了，请稍后重试'],
    ['an answer against its schema', { url: '/v1/t/wrong/shape' }, 500, 50000, '服务器开小差了，请稍后重试'],
  ])('%s', async (_name, { login, ...request }: InjectOptions & { url: string; login?: boolean }, status, code, msg) => {
    const answer = await ask({ ...request, headers: { ...request.headers, ...(login ? { 'access-token': token } : {}) } })
    expect(answer).toMatchObject({ status, body: { code, msg, data: null } })
    expect(answer.body.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers['x-request-id']).toBe(answer.body.request_id)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.stringify(answer.body)).not.toContain('secret detail')
  })

  test('a wrong method names the right ones, a short-lived refusal says when to come back', async () => {
    expect((await ask({ method: 'POST', url: '/v1/t/open' })).headers['allow']).toBe('GET, HEAD')
    expect((await ask({ url: '/v1/t/wrong/too-often' })).headers['retry-after']).toBe('9')
    expect((await ask({ url: '/v1/t/wrong/database' })).headers['retry-after']).toBe('2')
  })

  test('a call that does not end is answered before the client gives up, and told to stop', async () => {
    expect([5, 30, 60].map(deadlineMs)).toEqual([4_000, 27_000, 55_000])
    const answer = await ask({ url: '/v1/t/slow' })
    expect(answer).toMatchObject({ status: 503, body: { code: 50301 } })
    expect(slowSignal?.aborted).toBe(true)
  })

  test('a client that goes away stops the work', async () => {
    slowSignal = undefined
    const { port, hostname } = new URL(address)
    const socket = tcp(Number(port), hostname)
    socket.write('GET /v1/t/slow HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => slowSignal?.aborted).toBe(false)
    socket.destroy()
    await expect.poll(() => slowSignal?.aborted).toBe(true)
  })
})

describe('answers', () => {
  test('an envelope with code 0', async () => {
    const { status, body } = await ask({ url: '/v1/t/open' })
    expect({ status, ...body, request_id: '' }).toEqual({ status: 200, code: 0, msg: '成功', data: { ok: true }, request_id: '' })
  })

  test('no-login calls ignore a stale token; the others know who asks', async () => {
    expect(await ask({ url: '/v1/t/open', headers: { 'access-token': 'stale' } })).toMatchObject({ status: 200 })
    expect((await ask({ url: '/v1/t/mine/2024-01-02', headers: { 'access-token': token } })).body.data).toBe('2024-01-02 0')
  })

  test('query texts become numbers, repeated keys a list', async () => {
    expect((await ask({ url: '/v1/t/list?limit=7&keys=a&keys=b' })).body.data).toEqual({ limit: 7, keys: ['a', 'b'] })
    expect((await ask({ url: '/v1/t/list' })).body.data).toEqual({ limit: 3, keys: null })
  })

  test('stored JSON is sent as it is', async () => {
    expect((await ask({ url: '/v1/t/stored' })).body.data).toEqual({ nav: [1, null] })
  })
})

describe('what cannot be served in its time', () => {
  test('a call that has waited for its whole time is refused before its handler begins', async () => {
    waitedMs = 4_001
    try {
      slowSignal = undefined
      expect(await ask({ url: '/v1/t/slow' })).toMatchObject({ status: 503, body: { code: 50301 }, headers: { 'retry-after': '2' } })
      expect(slowSignal).toBeUndefined()
      // The time of a screen is longer.
      const computing = ask({ url: '/v1/t/computing', headers: { 'access-token': token } })
      await expect.poll(() => endComputing.length).toBe(1)
      endComputing.splice(0)[0]!()
      expect(await computing).toMatchObject({ status: 200 })
    } finally {
      waitedMs = 0
    }
  })

  test('an answer that comes later than its time is refused, though no timer has said so', async () => {
    const computing = ask({ url: '/v1/t/computing', headers: { 'access-token': token } })
    await expect.poll(() => endComputing.length).toBe(1)
    const { now } = performance
    // A loop that was held up for a minute comes to the answer before it comes to its timers.
    performance.now = () => now.call(performance) + 60_000
    try {
      endComputing.splice(0)[0]!()
      expect(await computing).toMatchObject({ status: 503, body: { code: 23021 } })
    } finally {
      performance.now = now
    }
  })

  test('beyond the places of computing calls the next hears 503 at once; what is short, or tells that we live, is answered', async () => {
    const under = Array.from({ length: 60 }, () => ask({ url: '/v1/t/computing', headers: { 'access-token': token } }))
    const refused = await Promise.race(under)
    expect(refused).toMatchObject({ status: 503, body: { code: 50301, data: null }, headers: { 'retry-after': '2' } })
    expect(await ask({ url: '/v1/t/open' })).toMatchObject({ status: 200 })
    let refusals = 0
    for (const one of under) void one.then(({ status }) => status === 503 && refusals++)
    await expect.poll(() => endComputing.length + refusals).toBe(60)
    // Fewer where the loop of a busy machine comes late.
    const places = endComputing.length
    expect(places).toBeGreaterThanOrEqual(24)
    expect(places).toBeLessThanOrEqual(48)
    for (const end of endComputing.splice(0)) end()
    expect((await Promise.all(under)).filter(({ status }) => status === 200)).toHaveLength(places)
    const next = ask({ url: '/v1/t/computing', headers: { 'access-token': token } })
    await expect.poll(() => endComputing.length).toBe(1)
    endComputing.splice(0)[0]!()
    expect(await next).toMatchObject({ status: 200 })
  })
})

describe('streams', () => {
  const stream = async (list: number[]) => {
    const headers = { ...json, 'access-token': token }
    const answer = await fetch(`${address}/v1/t/stream`, { method: 'POST', body: JSON.stringify({ list }), headers })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const line = (type: string) => `data: success={"type":"${type}"}\n\n`

  test('events end with the result, and nothing follows it', async () => {
    const type = 'text/event-stream; charset=utf-8'
    expect(await stream([1, 0, 1])).toEqual({ status: 200, type, text: line('progress') + line('result') })
  })

  test('nothing on the way keeps, gathers or packs them; their end is told by the connection', async () => {
    const headers = { ...json, 'access-token': token, 'accept-encoding': 'gzip, br' }
    const answer = await fetch(`${address}/v1/t/stream`, { method: 'POST', body: '{"list":[1,0]}', headers })
    const told = ['cache-control', 'x-accel-buffering', 'transfer-encoding', 'content-encoding', 'content-length']
    expect(told.map((name) => answer.headers.get(name))).toEqual(['no-store', 'no', 'chunked', null, null])
    expect(await answer.text()).toBe(line('progress') + line('result'))
  })

  test.each([
    ['a refusal', [1, -1], `${line('progress')}data: error=等待中的回测已满，请等待完成[23002]\n\n`],
    ['a bug', [-2], `data: error=服务器开小差了，请稍后重试[50000]\n\n`],
    ['a handler that just ends', [1], `${line('progress')}data: error=服务器开小差了，请稍后重试[50000]\n\n`],
  ])('%s is one error line', async (_name, list, text) => {
    expect(await stream(list)).toMatchObject({ status: 200, text })
  })

  test('a database that does not answer while requests are counted is one error line, and the stream is over', async () => {
    const { db, close } = connect(database.url, { statementTimeoutMs: 1_000 })
    const { context } = testWorld({ ...database, db }, { config: { limitRequests: true } })
    const other = await buildApp(context, [(at) => serveStream(at, context, calls.stream, async (_call, { closed }) => closed)])
    const at = await other.listen({ port: 0, host: '127.0.0.1' })
    const text = await database.db.transaction().execute(async (tx) => {
      await sql`lock table rate_use`.execute(tx)
      const headers = { ...json, 'access-token': token }
      const answer = await fetch(`${at}/v1/t/stream`, { method: 'POST', body: '{"list":[]}', headers, signal: AbortSignal.timeout(60_000) })
      return answer.text()
    })
    expect(text).toBe(`data: error=${apiError(50301).message}[50301]\n\n`)
    await other.close()
    await close()
  })

  test('no login is 401, a wrong body 400, both as JSON', async () => {
    const at = { method: 'POST' as const, url: '/v1/t/stream', payload: '{"list":1}' }
    expect(await ask({ ...at, headers: json })).toMatchObject({ status: 401, body: { code: 40100 } })
    const headers = { ...json, 'access-token': token }
    expect(await ask({ ...at, headers })).toMatchObject({ status: 400, body: { code: 40000, msg: '请求参数有误：「list」' } })
  })
})

test('logs hold the template of the path and nothing that a user sent', async () => {
  logged.length = 0
  await ask({ url: '/v1/t/mine/2024-01-02?word=canary-query', headers: { 'access-token': token, cookie: 'canary-cookie' } })
  await ask({ method: 'POST', url: '/v1/t/sum', payload: '{"list":["canary-body"]}', headers: { ...json, 'access-token': token } })
  expect(logged.map((one) => JSON.parse(one))).toMatchObject([
    { method: 'GET', route: '/v1/t/mine/:day', status: 200, msg: 'answered' },
    { method: 'POST', route: '/v1/t/sum', status: 400, msg: 'answered' },
  ])
  expect(logged.join()).not.toMatch(/canary|2024-01-02/)
  expect(logged.join()).not.toContain(token)
})
