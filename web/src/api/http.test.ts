// isolated: stubs globals and loads modules anew
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Script, type ScriptedServer, says, scriptedServer } from '../../test/scripted-server.ts'

let server: ScriptedServer
let http: typeof import('./http.ts')

beforeAll(async () => {
  server = await scriptedServer()
  vi.stubEnv('VITE_API_HOST', `${server.url}/`)
  http = await import('./http.ts')
})
afterAll(() => server.close())
afterEach(() => vi.restoreAllMocks())

const ok: Script = (_, answer) => says(answer, 200, 0)

describe('a helper on the wire', () => {
  it.each([
    ['GET with a query', () => http.get('/v1/a', { query: { offset: 0, limit: 20 } }), 'GET /v1/a?offset=0&limit=20', ''],
    ['GET with repeated keys', () => http.get('/v1/a', { query: { keys: ['cb_rating', 'b'] } }), 'GET /v1/a?keys=cb_rating&keys=b', ''],
    ['GET without what is absent', () => http.get('/v1/a', { query: { x: undefined, y: null, z: '' } }), 'GET /v1/a?z=', ''],
    [
      'GET of Chinese text',
      () => http.get('/v1/a', { query: { q: '双低 & 低溢价' } }),
      'GET /v1/a?q=%E5%8F%8C%E4%BD%8E+%26+%E4%BD%8E%E6%BA%A2%E4%BB%B7',
      '',
    ],
    [
      'POST JSON',
      () => http.post('/v1/a', { strategy_name: '双低', nothing: null }),
      'POST /v1/a',
      '{"strategy_name":"双低","nothing":null}',
    ],
    ['POST without a body', () => http.post('/v1/a', undefined), 'POST /v1/a', ''],
    ['PUT JSON', () => http.put('/v1/a', [1, 2]), 'PUT /v1/a', '[1,2]'],
    ['DELETE with a query', () => http.del('/v1/a', { query: { force: 1 } }), 'DELETE /v1/a?force=1', ''],
  ])('%s', async (_, send, line, body) => {
    server.plays(ok)
    expect((await send()).status).toBe(200)
    const [asked] = server.asked
    expect(`${asked?.method} ${asked?.url}`).toBe(line)
    expect(asked?.body).toBe(body)
    expect(asked?.headers['content-type']).toBe(body ? 'application/json' : undefined)
    expect(asked?.headers.accept).toBe('application/json')
    expect(asked?.headers['access-token']).toBeUndefined()
  })

  it('POST multipart sends the file as it is, under its field', async () => {
    server.plays(ok)
    const form = new FormData()
    form.append('file', new Blob(['字节'], { type: 'image/png' }), '头像.png')
    await http.postForm('/v1/file/7', form)
    const [asked] = server.asked
    expect(asked?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(asked?.body).toMatch(/name="file"; filename="头像.png"\r\nContent-Type: image\/png\r\n\r\n字节\r\n/)
  })

  it('fills the places of a path so that no value leaves its place', () => {
    expect(http.filled('/v1/user/{target}/x/{date}', { target: '../a?b#c', date: '2026-11-20' })).toBe(
      '/v1/user/..%2Fa%3Fb%23c/x/2026-11-20',
    )
  })

  it('waits 5,000 ms unless told otherwise, and without end where it is told 0', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    server.plays(ok)
    await http.get('/v1/a')
    await http.get('/v1/a', { timeout: 60_000 })
    await http.get('/v1/a', { timeout: 0 })
    expect(timeout.mock.calls).toEqual([[5_000], [60_000]])
  })
})

describe('no answer', () => {
  const noAnswer = { message: '网络连接失败，请检查网络', code: 0, status: 0 }

  it('in time is given up, and called the network', async () => {
    server.plays(() => {})
    await expect(http.get('/v1/a', { timeout: 80 })).rejects.toMatchObject({ kind: 'timeout', ...noAnswer })
  })

  it('in time counts the body too', async () => {
    server.plays((_, answer) => answer.writeHead(200).write('{"code":'))
    const clock = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal)
    const response = await http.get('/v1/a')
    clock.abort(new DOMException('', 'TimeoutError'))
    await expect(http.bodyOf(response)).rejects.toMatchObject({ kind: 'timeout', ...noAnswer })
  })

  it('from a host that is not there', async () => {
    const gone = await scriptedServer()
    await gone.close()
    vi.stubEnv('VITE_API_HOST', gone.url)
    vi.resetModules()
    const elsewhere = await import('./http.ts')
    await expect(elsewhere.get('/v1/a')).rejects.toMatchObject({ kind: 'network', ...noAnswer })
  })

  it('after the connection broke, before the head or in the body', async () => {
    server.plays((_, answer) => answer.destroy())
    await expect(http.get('/v1/a')).rejects.toMatchObject({ kind: 'network', ...noAnswer })
    server.plays((_, answer) => {
      answer.writeHead(200, { 'Content-Length': 100 }).write('{"code":0')
      setTimeout(() => answer.destroy(), 20)
    })
    await expect(http.get('/v1/a').then(http.bodyOf)).rejects.toMatchObject({ kind: 'network', ...noAnswer })
  })

  it('is not what a browser without a call of ours gives: the fault itself is passed on', async () => {
    vi.stubGlobal('AbortSignal', { timeout: () => new AbortController().signal })
    const asked = server.asked.length
    await expect(http.get('/v1/a')).rejects.toThrow(TypeError)
    vi.unstubAllGlobals()
    expect(server.asked.length).toBe(asked)
  })

  it('because the caller gave up is no failure: what was thrown is passed on', async () => {
    server.plays(() => {})
    const abort = new AbortController()
    const asked = http.get('/v1/a', { signal: abort.signal })
    abort.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it('a body that is no JSON is read as none', async () => {
  server.plays((_, answer) => answer.writeHead(502).end('<html>Bad Gateway</html>'))
  expect(await http.bodyOf(await http.get('/v1/a'))).toBeNull()
})

it('the host of the page that was served goes before that of the build', async () => {
  const content = 'https://api.example.test/'
  vi.stubGlobal('document', { querySelector: (what: string) => (what === 'meta[name="api-host"]' ? { content } : null) })
  vi.resetModules()
  const { addressOf } = await import('./http.ts')
  vi.stubGlobal('document', undefined)
  expect(addressOf('/v1/a', { n: 1 })).toBe('https://api.example.test/v1/a?n=1')
})
