// isolated: stubs globals and loads modules anew
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someDraft } from '../../test/some-draft.ts'
import { memoryStorage } from '../../test/storage.ts'
import { tokens } from '../../test/tab.ts'
import type { Draft } from './drafts.ts'

// What outlives a page (specification 3 and 4): how it is kept, and that a reload finds it as it was.

let local: Storage
let session: Storage

beforeEach(() => {
  local = memoryStorage()
  session = memoryStorage()
  vi.stubGlobal('localStorage', local)
  vi.stubGlobal('sessionStorage', session)
})
afterEach(() => vi.unstubAllGlobals())

/** A reload: every module anew, over what storage has. */
async function reload() {
  vi.resetModules()
  const { initialLoads } = await import('./restore.ts')
  const [auth, strategies, preferences, prints] = await Promise.all([
    import('./auth.ts'),
    import('./drafts.ts'),
    import('./preferences.ts'),
    import('./fingerprint.ts'),
  ])
  return { ...auth, ...strategies, ...preferences, ...prints, initialLoads }
}
const bytes = (storage: Storage) =>
  Object.fromEntries(Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '').map((key) => [key, storage.getItem(key)]))

const user = {
  user_id: 'u1',
  nickname: '凸凸',
  avatar_url: null,
  mobile_masked: '138****0000',
  email_masked: null,
  email_activated: false,
  has_password: true,
  wechat_bound: false,
  vip: { plan_name: null, expire_at: null, level: 0 },
  created_at: '2026-11-20T10:00:00+08:00',
}
const draft = (name: string): Draft => {
  const made = someDraft(name)
  const filter = { factor_key: 'close', action: 'exclude', operation: 'gt', value: Number.NaN, enable: false } as const
  return { ...made, edited: true, parameters: { ...made.parameters, filter_factors: [filter] } }
}

describe('the first render', () => {
  it('comes after the three initial loads: auth, strategies, preferences', async () => {
    local.setItem('tokenData', JSON.stringify(tokens('kept')))
    local.setItem('cbStrategy', JSON.stringify({ ...draft('双低'), names: 2 }))
    local.setItem('preference:collapsedSettings', '{"universe":true}')
    const read = vi.spyOn(local, 'getItem')
    const state = await reload()
    expect(state.initialLoads.map(([name]) => name)).toEqual(['auth', 'strategies', 'preferences'])
    // Drafts are read as their store is loaded; it is asked for between the two others.
    const order = read.mock.calls.map(([key]) => key).filter((key) => /^(tokenData|cbStrategy|preference:collapsedSettings)$/.test(key))
    expect(order).toEqual(['tokenData', 'preference:collapsedSettings', 'cbStrategy'])
    expect(state.isAuthenticated()).toBe(true)
    expect(state.useStrategies.getState().drafts.cb?.name).toBe('双低')
    expect(state.usePreferences.getState().collapsedSettings).toEqual({ universe: true })
  })

  it('on a browser that knows us not yet has the defaults and no login', async () => {
    const state = await reload()
    expect(state.isAuthenticated()).toBe(false)
    expect(state.useStrategies.getState().drafts).toEqual({ cb: null, stk: null })
    expect(state.usePreferences.getState().qmtBasketExportSettings).toEqual({ capital: 10, holdWeightType: 1 })
    expect(bytes(local)).toEqual({})
  })

  it('colours the numbers of the screen, on a phone only if that was asked for', async () => {
    const heat = async () => (await reload()).usePreferences.getState().heat
    expect(await heat()).toBe(true)
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    expect(await heat()).toBe(false)
    local.setItem('preference:heat', 'true')
    expect(await heat()).toBe(true)
  })

  it.each([
    ['no JSON', '{oops'],
    ['a text', '"abc"'],
    ['a login without tokens', '{"user":1}'],
    ['null', 'null'],
  ])('survives storage that holds %s', async (_, text) => {
    for (const key of ['tokenData', 'userData', 'cbStrategy', 'stkStrategy', 'fingerprint']) local.setItem(key, text)
    const state = await reload()
    expect([state.isAuthenticated(), state.useAuth.getState().userData, state.useStrategies.getState().drafts.cb]).toEqual([
      false,
      null,
      null,
    ])
    expect(state.fingerprint()).toMatch(/-[0-9a-f]{16}$/)
  })

  it('comes without storage too', async () => {
    const refuses = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: refuses, setItem: refuses, removeItem: refuses })
    const state = await reload()
    state.useAuth.getState().setToken(tokens('a'), true)
    expect(state.isAuthenticated()).toBe(true)
    expect(state.fingerprint()).toBe(state.fingerprint())
  })
})

it('a reload finds everything as it was, and writes it again byte for byte', async () => {
  // The moment at which a login ends is kept with it.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  const before = await reload()
  before.useAuth.getState().setToken({ ...tokens('a'), user }, true)
  before.useStrategies.getState().set('cb', draft('双低'))
  before.useStrategies.getState().set('stk', draft('小市值 & “引号”'))
  before.usePreferences.getState().collapse('排序', true)
  before.usePreferences.getState().set('qmtBasketExportSettings', { capital: 12.5, holdWeightType: 2 })
  const print = before.fingerprint()
  const kept = bytes(local)
  const { drafts } = before.useStrategies.getState()
  expect(Object.keys(kept).sort()).toEqual([
    'cbStrategy',
    `draft:cb:u1:${drafts.cb?.id}`,
    `draft:stk:u1:${drafts.stk?.id}`,
    'fingerprint',
    'keptFor',
    'preference:collapsedSettings',
    'preference:qmtBasketExportSettings',
    'stkStrategy',
    'tokenData',
    'userData',
  ])

  const after = await reload()
  expect(bytes(local)).toEqual(kept)
  expect(after.useAuth.getState()).toMatchObject({ tokenData: tokens('a'), userData: user, refused: false })
  expect(after.useStrategies.getState().drafts).toEqual(before.useStrategies.getState().drafts)
  expect(after.useStrategies.getState().drafts.cb?.parameters.filter_factors[0]?.value).toBeNaN()
  expect(after.fingerprint()).toBe(print)

  const { cb, stk } = after.useStrategies.getState().drafts
  if (cb) after.useStrategies.getState().set('cb', cb)
  if (stk) after.useStrategies.getState().set('stk', stk)
  const { collapsedSettings, qmtBasketExportSettings, set } = after.usePreferences.getState()
  set('collapsedSettings', collapsedSettings)
  set('qmtBasketExportSettings', qmtBasketExportSettings)
  after.useAuth.getState().setUser(user)
  after.useAuth.getState().renew(tokens('a'))
  expect(bytes(local)).toEqual(kept)
  clock.mockRestore()
})

describe('the login', () => {
  it('that is not to be remembered ends with the tab', async () => {
    const { useAuth } = await reload()
    useAuth.getState().setToken({ ...tokens('a'), user }, false)
    expect([bytes(local), Object.keys(bytes(session)).sort()]).toEqual([{}, ['tokenData', 'userData']])
    expect((await reload()).useAuth.getState()).toMatchObject({ tokenData: tokens('a'), userData: user })
    session.clear()
    expect((await reload()).isAuthenticated()).toBe(false)
  })

  it('stays where it was when its tokens are renewed', async () => {
    const { useAuth } = await reload()
    useAuth.getState().setToken(tokens('a'), false)
    useAuth.getState().renew(tokens('b'))
    expect(bytes(local)).toEqual({})
    expect(JSON.parse(session.getItem('tokenData') ?? '')).toMatchObject(tokens('b'))
  })

  it('of another person leaves nothing of the one before', async () => {
    const { useAuth } = await reload()
    useAuth.getState().setToken({ ...tokens('a'), user }, true)
    useAuth.getState().setToken(tokens('b'), false)
    expect(useAuth.getState().userData).toBeNull()
    expect([bytes(local), Object.keys(bytes(session))]).toEqual([{}, ['tokenData']])
  })

  it('cleared is gone from every place', async () => {
    const { useAuth, isAuthenticated } = await reload()
    useAuth.getState().setToken({ ...tokens('a'), user }, true)
    session.setItem('userData', '{}')
    useAuth.getState().clear()
    expect([bytes(local), bytes(session), isAuthenticated()]).toEqual([{}, {}, false])
  })
})

describe('two tabs', () => {
  const tabWindow = new EventTarget()
  const stored = (key: string | null) => tabWindow.dispatchEvent(Object.assign(new Event('storage'), { key }))
  const settle = () => new Promise((resolve) => setTimeout(resolve, 30))

  it('share a login: what one renews, closes or begins, the other follows', async () => {
    vi.stubGlobal('window', tabWindow)
    local.setItem('tokenData', JSON.stringify(tokens('a')))
    local.setItem('userData', JSON.stringify(user))
    const { useAuth, followOtherTabs, onLoginEnd, onOtherUser } = await reload()
    const stop = followOtherTabs()
    const told: string[] = []
    onLoginEnd(() => told.push('end'))
    onOtherUser(() => told.push('other'))

    local.setItem('tokenData', JSON.stringify(tokens('b')))
    stored('tokenData')
    expect(useAuth.getState().tokenData).toMatchObject(tokens('b'))

    local.setItem('userData', JSON.stringify({ ...user, user_id: 'u2' }))
    stored('userData')
    expect(told).toEqual(['other'])

    useAuth.getState().refuse()
    local.clear()
    stored(null)
    expect(useAuth.getState()).toMatchObject({ tokenData: null, userData: null, refused: false })
    expect(told).toEqual(['other', 'end'])
    stop()
  })

  it('of which one is a copy of the other, with a login of the tab only, follow each other too', async () => {
    vi.stubGlobal('window', tabWindow)
    session.setItem('tokenData', JSON.stringify(tokens('a')))
    const first = await reload()
    const stopFirst = first.followOtherTabs()
    // A copied tab has storage of its own from here on.
    session = memoryStorage()
    session.setItem('tokenData', JSON.stringify(tokens('a')))
    vi.stubGlobal('sessionStorage', session)
    const copy = await reload()
    const stopCopy = copy.followOtherTabs()

    first.useAuth.getState().renew(tokens('b'))
    await expect.poll(() => copy.useAuth.getState().tokenData).toMatchObject(tokens('b'))
    first.useAuth.getState().clear()
    await expect.poll(() => [copy.useAuth.getState().tokenData, session.getItem('tokenData')]).toEqual([null, null])
    stopFirst()
    stopCopy()
  })

  it('with logins of their own leave each other alone', async () => {
    vi.stubGlobal('window', tabWindow)
    session.setItem('tokenData', JSON.stringify(tokens('mine')))
    const mine = await reload()
    const stop = mine.followOtherTabs()
    const channel = new BroadcastChannel('login')
    channel.postMessage({ old: 'theirs-access', tokens: null })
    await settle()
    channel.close()
    stop()
    expect(mine.isAuthenticated()).toBe(true)
  })
})

describe('the fingerprint', () => {
  it('is device, browser, system and chance, made once', async () => {
    vi.stubGlobal('navigator', {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 MicroMessenger/8.0.50',
      maxTouchPoints: 5,
    })
    const first = (await reload()).fingerprint()
    expect(first).toMatch(/^mobile-wechat-ios-[0-9a-f]{16}$/)
    expect(local.getItem('fingerprint')).toBe(JSON.stringify(first))
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0', maxTouchPoints: 0 })
    expect((await reload()).fingerprint()).toBe(first)
    local.clear()
    expect((await reload()).fingerprint()).toMatch(/^desktop-firefox-windows-/)
  })
})
