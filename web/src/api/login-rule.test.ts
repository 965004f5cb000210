// isolated: stubs globals
import { calls } from '@convexa/contract/calls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Script, type ScriptedServer, says, scriptedServer } from '../../test/scripted-server.ts'
import { browserOf, openTab, type Tab, tokens } from '../../test/tab.ts'

let server: ScriptedServer
let storage: Storage
let tab: Tab

beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  storage = browserOf(server.url)
  storage.setItem('tokenData', JSON.stringify(tokens('old')))
  tab = await openTab()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const refreshes = () => server.asked.filter(({ method }) => method === 'PUT')
const info = (of: Tab = tab) => of.call(calls.user.info, undefined)
const stored = () => JSON.parse(storage.getItem('tokenData') ?? 'null') as { access_token: string } | null

/** Knows the access token `new` only; the refresh takes a moment and ends as told. */
const renewing =
  (status: number, code: number, msg = ''): Script =>
  async (asked, answer) => {
    if (asked.method === 'PUT') {
      await pause(30)
      return says(answer, status, code, code === 0 ? tokens('new') : null, msg)
    }
    if (asked.headers['access-token'] === 'new-access') return says(answer, 200, 0, { ok: true })
    return says(answer, 401, 40101, null, '登录已过期，请重新登录')
  }

describe('the access token', () => {
  it('goes with every call that needs a login, and with no other', async () => {
    server.plays((_, answer) => says(answer, 200, 0, {}))
    await info()
    await tab.call(calls.system.website, undefined)
    await tab.call(calls.authorize.byPassword, { body: { account: 'a', password: 'b' } })
    expect(server.asked.map(({ headers }) => headers['access-token'])).toEqual(['old-access', undefined, undefined])
  })

  it('of nobody is not sent', async () => {
    tab.useAuth.getState().clear()
    server.plays((_, answer) => says(answer, 401, 40100))
    await expect(info()).rejects.toMatchObject({ kind: 'login' })
    expect(server.asked[0]?.headers['access-token']).toBeUndefined()
  })

  it('is renewed ahead of its end, without a refused call', async () => {
    server.plays(renewing(200, 0))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_750_000)
    await info()
    vi.restoreAllMocks()
    expect(server.asked.map(({ method }) => method)).toEqual(['PUT', 'GET'])
  })
})

describe('another person who logs in meanwhile, in another tab,', () => {
  const user = (user_id: string) =>
    ({
      ...{ user_id, nickname: user_id, avatar_url: null, mobile_masked: null, email_masked: null },
      vip: { plan_name: null, expire_at: null, level: 0 },
    }) as NonNullable<ReturnType<Tab['useAuth']['getState']>['userData']>

  it('is not who a call is sent again as', async () => {
    tab.useAuth.getState().setUser(user('one'))
    server.plays((_, answer) => {
      storage.setItem('tokenData', JSON.stringify(tokens('theirs')))
      storage.setItem('userData', JSON.stringify(user('two')))
      says(answer, 401, 40101)
    })
    await expect(info()).rejects.toMatchObject({ message: '已换成另一个账号登录，刚才的操作没有执行' })
    expect(server.asked.map(({ headers }) => headers['access-token'])).toEqual(['old-access'])
    expect(tab.useAuth.getState().userData?.user_id).toBe('two')
  })

  it('is not who a call is sent as that waited for a renewal', async () => {
    server.plays((_, answer) => says(answer, 200, 0, {}))
    tab.useAuth.getState().setUser(user('one'))
    storage.setItem('tokenData', JSON.stringify(tokens('theirs')))
    storage.setItem('userData', JSON.stringify(user('two')))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_750_000)
    const told = await info().catch((error: unknown) => error)
    vi.restoreAllMocks()
    expect(told).toMatchObject({ kind: 'response' })
    expect(server.asked).toEqual([])
  })
})

it('the fingerprint goes with the calls that log in, and with no other', async () => {
  server.plays((_, answer) => says(answer, 200, 0, {}))
  await tab.call(calls.authorize.byPassword, { body: { account: 'a', password: 'b' } })
  await info()
  await tab.call(calls.system.website, undefined)
  const [login, ...others] = server.asked.map(({ headers }) => headers['x-fingerprint'])
  expect(login).toMatch(/^(desktop|mobile|tablet)-\w+-\w+-[0-9a-f]{16}$/)
  expect(JSON.parse(storage.getItem('fingerprint') ?? '')).toBe(login)
  expect(others).toEqual([undefined, undefined])
})

describe('an ended access token', () => {
  it('is renewed once for five calls at once, and each is sent again', async () => {
    server.plays(renewing(200, 0))
    expect(await Promise.all(Array.from({ length: 5 }, () => info()))).toEqual(Array(5).fill({ ok: true }))
    expect(refreshes()).toHaveLength(1)
    expect(refreshes()[0]).toMatchObject({
      url: '/v1/authorize/access-token',
      body: JSON.stringify({ refresh_token: 'old-refresh', access_token: 'old-access' }),
    })
    expect(refreshes()[0]?.headers['access-token']).toBeUndefined()
    expect(stored()).toMatchObject(tokens('new'))
    expect(tab.useAuth.getState().refused).toBe(false)
  })

  it('raises one warning for five calls when its refresh is dead, and asks for it once', async () => {
    server.plays(renewing(401, 40103, '检测到登录凭证异常，已退出全部设备，请重新登录'))
    let warnings = 0
    tab.useAuth.subscribe((now, before) => (warnings += Number(now.refused && !before.refused)))
    const ended = await Promise.allSettled(Array.from({ length: 5 }, () => info()))
    for (const one of ended) expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'login', message: '请先登录' } })
    await expect(info()).rejects.toMatchObject({ kind: 'login' })
    expect([warnings, refreshes().length]).toEqual([1, 1])
    expect(stored()).toEqual(tokens('old'))
    tab.useAuth.getState().clear()
    expect(stored()).toBeNull()
  })

  it('that is still refused after its renewal raises the warning', async () => {
    server.plays((asked, answer) => (asked.method === 'PUT' ? says(answer, 200, 0, tokens('new')) : says(answer, 401, 40101)))
    await expect(info()).rejects.toMatchObject({ kind: 'login' })
    expect(tab.useAuth.getState().refused).toBe(true)
    expect(server.asked).toHaveLength(3)
  })

  it('is no ended login while the refresh cannot be asked: the call fails, the login stays', async () => {
    server.plays(renewing(503, 50301, '服务繁忙，请稍后重试'))
    await expect(info()).rejects.toMatchObject({ kind: 'response', status: 503, message: '服务繁忙，请稍后重试' })
    server.plays(async (asked, answer) => {
      if (asked.method !== 'PUT') return says(answer, 401, 40101)
      await pause(30)
      answer.destroy()
    })
    const ended = await Promise.allSettled(Array.from({ length: 5 }, () => info()))
    for (const one of ended) expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'network' } })
    expect(refreshes()).toHaveLength(1)
    expect(tab.useAuth.getState()).toMatchObject({ refused: false, tokenData: { access_token: 'old-access' } })
  })

  it('is renewed by the first of two tabs; the second waits and takes what it brought', async () => {
    const other = await openTab()
    server.plays(renewing(200, 0))
    expect(await Promise.all([info(), info(other), info(), info(other)])).toEqual(Array(4).fill({ ok: true }))
    expect(refreshes()).toHaveLength(1)
    expect(other.useAuth.getState().tokenData).toMatchObject(tokens('new'))
  })

  it('is renewed once by two tabs of a browser without locks too', async () => {
    vi.stubGlobal('navigator', { userAgent: '' })
    const other = await openTab()
    server.plays(renewing(200, 0))
    expect(await Promise.all([info(), info(other)])).toEqual(Array(2).fill({ ok: true }))
    expect(refreshes()).toHaveLength(1)
    expect(storage.getItem('lease:renew-login')).toBeNull()
    vi.unstubAllGlobals()
  })

  it('whose lease was left behind by a tab that died holds nobody up for long', async () => {
    vi.stubGlobal('navigator', { userAgent: '' })
    storage.setItem('lease:renew-login', JSON.stringify({ by: 'gone', until: Date.now() + 200 }))
    server.plays(renewing(200, 0))
    expect(await info()).toEqual({ ok: true })
    vi.unstubAllGlobals()
  })
})

describe('401 and 403', () => {
  it('403 is not renewed: it is the warning', async () => {
    server.plays((_, answer) => answer.writeHead(403).end())
    await expect(info()).rejects.toMatchObject({ kind: 'login', status: 403 })
    expect(refreshes()).toHaveLength(0)
    expect(tab.useAuth.getState().refused).toBe(true)
  })

  it('of a call without login are that call’s failure', async () => {
    server.plays((_, answer) => says(answer, 401, 11001, null, '账号或密码错误'))
    const wrong = tab.call(calls.authorize.byPassword, { body: { account: 'a', password: 'b' } })
    await expect(wrong).rejects.toMatchObject({ kind: 'response', message: '账号或密码错误' })
    expect(tab.useAuth.getState().refused).toBe(false)
  })

  it('that come after the warning was closed raise no second one', async () => {
    let refuse = () => {}
    server.plays((_, answer) => {
      refuse = () => answer.writeHead(403).end()
    })
    const late = info()
    await expect.poll(() => server.asked).toHaveLength(1)
    tab.useAuth.getState().clear()
    refuse()
    await expect(late).rejects.toMatchObject({ kind: 'login' })
    expect(tab.useAuth.getState().refused).toBe(false)
  })
})

describe('a logout', () => {
  it('while the login is being renewed stays a logout', async () => {
    server.plays((asked, answer) => {
      if (asked.method === 'PUT') {
        tab.useAuth.getState().clear()
        return says(answer, 200, 0, tokens('new'))
      }
      says(answer, 401, 40101)
    })
    const asked = info()
    await expect(asked).rejects.toMatchObject({ kind: 'login' })
    expect([stored(), tab.useAuth.getState().tokenData, tab.useAuth.getState().refused]).toEqual([null, null, false])
  })

  it('keeps nothing of an answer that comes after it', () => {
    tab.useAuth.getState().clear()
    tab.useAuth.getState().setUser({ user_id: 'u1' } as never)
    expect([storage.getItem('userData'), tab.useAuth.getState().userData]).toEqual([null, null])
  })

  it('tells the server with the token, then forgets everything', async () => {
    server.plays((_, answer) => says(answer, 200, 0, {}))
    await tab.logout()
    expect(server.asked).toMatchObject([{ method: 'DELETE', url: '/v1/authorize/access-token', headers: { 'access-token': 'old-access' } }])
    expect([storage.getItem('tokenData'), tab.useAuth.getState().tokenData]).toEqual([null, null])
  })

  it.each<[string, Script]>([
    ['the server is away', (_, answer) => answer.destroy()],
    ['the login is over already', (_, answer) => says(answer, 401, 40102)],
  ])('ends the login without a warning when %s', async (_, script) => {
    server.plays(script)
    let warned = false
    tab.useAuth.subscribe(({ refused }) => (warned ||= refused))
    await tab.logout()
    expect([tab.useAuth.getState().tokenData, warned]).toEqual([null, false])
  })
})
