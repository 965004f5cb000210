import { calls } from '@convexa/contract/calls'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'
import type { Failure } from './failures.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const { useAuth } = await import('../state/auth.ts')
const { call } = await import('./client.ts')
const { addressOf, filled } = await import('./http.ts')
const { CallError } = await import('./messages.ts')
const { isMaintenance, onFailure } = await import('./failures.ts')

const tokens = (name: string) => ({
  access_token: `${name}-access`,
  refresh_token: `${name}-refresh`,
  expires_in: 1_800,
  token_type: 'bearer' as const,
})
const answer = (status: number, code: number, data: unknown = null, msg = '') =>
  new Response(JSON.stringify({ code, msg, data, request_id: 'r1' }), { status })

/** A server that knows one good access token and answers each call by its path. */
interface Seen {
  path: string
  method: string
  token: string | null
  body: unknown
}
let seen: Seen[] = []
let server: (request: Seen) => Response | Promise<Response>
vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
  const headers = new Headers(init.headers)
  const request = {
    path: url,
    method: init.method ?? 'GET',
    token: headers.get('Access-Token'),
    body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
  }
  seen.push(request)
  return server(request)
})

beforeEach(() => {
  seen = []
  useAuth.getState().clear()
  useAuth.getState().setToken(tokens('old'), true)
})

describe('a call', () => {
  it('fills in places, repeats the keys of lists and leaves out what is not given', () => {
    expect(filled('/v1/quant/stock/backtest/{id}/detail/{date}', { id: 'a/b', date: '2026-11-20' })).toBe(
      '/v1/quant/stock/backtest/a%2Fb/detail/2026-11-20',
    )
    expect(addressOf('/v1/x', { keys: ['a', 'b'], none: undefined, n: 0 })).toBe('/v1/x?keys=a&keys=b&n=0')
  })

  it('carries the token and gives the data', async () => {
    server = () => answer(200, 0, ['2026-01-01'])
    expect(await call(calls.reference.closedDates, { params: { year: 2026 } })).toEqual(['2026-01-01'])
    expect(seen).toEqual([{ path: '/v1/quant/trade-calender/2026/closed-dates', method: 'GET', token: 'old-access', body: undefined }])
  })

  it.each([
    ['the server’s sentence', answer(400, 23001, null, '回测参数有误'), { kind: 'response', message: '回测参数有误', code: 23001 }],
    ['a body without a sentence', new Response('<html>', { status: 502 }), { kind: 'response', message: '请求出错', code: 0 }],
    ['status 200 with a code', answer(200, 21008, null, '行情数据更新中，请稍后重试'), { kind: 'response', code: 21008 }],
  ])('fails with %s', async (_, response, expected) => {
    server = () => response
    await expect(call(calls.user.info, undefined)).rejects.toMatchObject(expected)
  })

  it('fails with one sentence when there is no answer', async () => {
    server = () => Promise.reject(new TypeError('fetch failed'))
    await expect(call(calls.user.info, undefined)).rejects.toMatchObject({ kind: 'network', message: '网络连接失败，请检查网络' })
  })

  it('tells whoever listens of a failure: maintenance is known from anywhere', async () => {
    const heard: Failure[] = []
    const stop = onFailure((failure) => heard.push(failure))
    server = () => answer(503, 50303, null, '系统维护中')
    await expect(call(calls.user.info, undefined)).rejects.toMatchObject({ status: 503, code: 50303 })
    stop()
    await call(calls.user.info, undefined).catch(() => {})
    expect(heard).toHaveLength(1)
    expect(heard[0]?.path).toBe('/v1/user/info')
    expect(heard[0] && isMaintenance(heard[0].error)).toBe(true)
  })

  it('passes on the caller’s abort', async () => {
    const abort = new AbortController()
    server = () => {
      abort.abort()
      return Promise.reject(new DOMException('aborted', 'AbortError'))
    }
    await expect(call(calls.user.info, undefined, { signal: abort.signal })).rejects.not.toBeInstanceOf(CallError)
  })
})

describe('a login that has ended', () => {
  const renewing = (status: number) => (request: Seen) => {
    if (request.path.endsWith('/access-token'))
      return status === 200 ? answer(200, 0, tokens('new')) : answer(401, 40101, null, '登录已过期')
    return request.token === 'new-access' ? answer(200, 0, { ok: true }) : answer(401, 40101, null, '登录已过期')
  }

  it('is renewed once for five calls at once, and each is sent again', async () => {
    server = renewing(200)
    const results = await Promise.all(Array.from({ length: 5 }, () => call(calls.user.info, undefined)))
    expect(results).toEqual(Array(5).fill({ ok: true }))
    expect(seen.filter(({ method }) => method === 'PUT')).toEqual([
      {
        path: '/v1/authorize/access-token',
        method: 'PUT',
        token: null,
        body: { refresh_token: 'old-refresh', access_token: 'old-access' },
      },
    ])
    expect(useAuth.getState()).toMatchObject({ tokenData: { access_token: 'new-access' }, refused: false })
    expect(JSON.parse(localStorage.getItem('tokenData') ?? '')).toMatchObject({ access_token: 'new-access' })
  })

  it('that cannot be renewed raises the one warning; its close forgets everything', async () => {
    server = renewing(401)
    await expect(call(calls.user.info, undefined)).rejects.toMatchObject({ kind: 'login', message: '请先登录' })
    expect(useAuth.getState().refused).toBe(true)
    useAuth.getState().clear()
    expect(localStorage.getItem('tokenData')).toBeNull()
  })

  it('takes the tokens that another tab has renewed, without a renewal of its own', async () => {
    server = renewing(200)
    localStorage.setItem('tokenData', JSON.stringify(tokens('new')))
    expect(await call(calls.user.info, undefined)).toEqual({ ok: true })
    expect(seen.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('a wrong password is not an ended login', async () => {
    server = () => answer(401, 11001, null, '账号或密码错误')
    const wrong = call(calls.authorize.byPassword, { body: { account: 'a', password: 'b' } })
    await expect(wrong).rejects.toMatchObject({ kind: 'response', message: '账号或密码错误' })
    expect(useAuth.getState().refused).toBe(false)
  })

  it('403 counts as 401', async () => {
    server = () => new Response('', { status: 403 })
    await expect(call(calls.user.info, undefined)).rejects.toMatchObject({ kind: 'login' })
    expect(useAuth.getState().refused).toBe(true)
  })
})
