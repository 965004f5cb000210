// isolated: stubs globals and loads modules anew
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'

const toasts: string[] = []
let storage: Storage
/** Characters of keys and values; a browser has some five millions. */
let room = Number.POSITIVE_INFINITY

const used = () =>
  Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '').reduce(
    (sum, key) => sum + key.length + (storage.getItem(key)?.length ?? 0),
    0,
  )

/** The module anew, as a page that is opened, in a browser whose storage has so much room. */
async function opened() {
  vi.resetModules()
  const { toast } = await import('../ui/toast.tsx')
  toasts.length = 0
  vi.spyOn(toast, 'error').mockImplementation((sentence) => void toasts.push(sentence))
  const shapes = await import('./shapes.ts')
  const stores = await import('./storage.ts')
  stores.onStorageTrouble((what, key, error) => void import('../storage-toasts.ts').then((told) => told[what](key, error)))
  return { ...shapes, ...stores }
}

beforeEach(() => {
  storage = memoryStorage()
  room = Number.POSITIVE_INFINITY
  const set = storage.setItem
  storage.setItem = (key, value) => {
    if (used() - (storage.getItem(key)?.length ?? -key.length) + value.length > room) throw new DOMException('full', 'QuotaExceededError')
    set(key, value)
  }
  vi.stubGlobal('localStorage', storage)
})

describe('what is stored', () => {
  const listIn = ({ eachOf, atLeast, text }: Awaited<ReturnType<typeof opened>>) => eachOf(atLeast<{ id: string }>({ id: text }))

  it.each([
    ['no JSON', '{oops'],
    ['another type', '"abc"'],
    ['a future shape', '{"version":9}'],
  ])('that does not fit is set aside under another name and told once: %s', async (_, kept) => {
    const page = await opened()
    const { local } = page
    const list = listIn(page)
    storage.setItem('factorDrafts', kept)
    expect([local.read('factorDrafts', list, ''), local.read('factorDrafts', list, '')]).toEqual([null, null])
    local.write('factorDrafts', [])
    expect(storage.getItem('unread::factorDrafts')).toBe(kept)
    await vi.waitFor(() => expect(toasts).toEqual(['上次的因子草稿读不出来，已在本机另存，其余不受影响']), { timeout: 15_000 })
  })

  it('of which a part does not fit loses that part alone, and the whole is set aside', async () => {
    const page = await opened()
    const { local, recordOf, text } = page
    const list = listIn(page)
    const kept = '[{"id":"a"},null,{"id":7},{"id":"b","more":1}]'
    storage.setItem('factorDrafts', kept)
    expect(local.read('factorDrafts', list, '')).toEqual([{ id: 'a' }, { id: 'b', more: 1 }])
    expect(storage.getItem('unread::factorDrafts')).toBe(kept)
    storage.setItem('named', '{"a":"x","__proto__":{"polluted":"y"},"b":3}')
    expect(local.read('named', recordOf(text))).toEqual({ a: 'x' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('and is not a person’s own work, a login above all, is only absent', async () => {
    const { local, atLeast, text } = await opened()
    storage.setItem('tokenData', '{"access_token":1}')
    expect(local.read('tokenData', atLeast({ access_token: text }))).toBeNull()
    expect(storage.getItem('unread::tokenData')).toBeNull()
  })

  it('null is nothing, and nothing is told', async () => {
    const page = await opened()
    storage.setItem('factorDrafts', 'null')
    expect([page.local.read('factorDrafts', listIn(page), ''), storage.getItem('unread::factorDrafts')]).toEqual([null, null])
  })
})

describe('full storage', () => {
  it('first gives up what can be made again', async () => {
    const { local } = await opened()
    local.write('lastGrid', 'g'.repeat(500))
    local.write('factors:cb', 'f'.repeat(500))
    room = used()
    local.write('tokenData', { access_token: 't'.repeat(400) })
    expect(storage.getItem('tokenData')).toContain('ttt')
    expect([storage.getItem('lastGrid'), storage.getItem('factors:cb'), toasts]).toEqual([null, null, []])
  })

  it('says once what is not kept, by the name that its user has for it, and what was kept before stays', async () => {
    const { local } = await opened()
    local.write('cbStrategy', 'before')
    local.write('lastGrid', 'g')
    room = used()
    for (const length of [100, 200, 300]) local.write('cbStrategy', 'x'.repeat(length))
    local.write('tokenData', 'x'.repeat(50))
    local.write('preference:visits', 'x'.repeat(50))
    await vi.waitFor(() =>
      expect(toasts).toEqual(['浏览器存储已满，策略草稿在刷新或关闭页面后不会保留', '浏览器存储已满，登录状态在刷新或关闭页面后不会保留']),
    )
    expect(storage.getItem('cbStrategy')).toBe('"before"')
  })

  it('what can be made again is given up without a word', async () => {
    const { local } = await opened()
    local.write('factors:stk', 'f')
    room = used()
    local.write('lastGrid', 'g'.repeat(50))
    expect([storage.getItem('factors:stk'), storage.getItem('lastGrid')]).toEqual(['"f"', null])
  })

  const refuses = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  it.each([
    [
      'that refuses everything, as in some private windows,',
      { getItem: refuses, setItem: refuses, removeItem: refuses, key: refuses, length: 1 },
    ],
    ['that is not there, as in some web views,', null],
  ])('%s breaks nothing and is told once something is to be kept', async (_, given) => {
    const { local, text } = await opened()
    vi.stubGlobal('localStorage', given)
    expect(local.read('cbStrategy', text, '')).toBeNull()
    await import('../storage-toasts.ts')
    expect(toasts).toEqual([])
    local.write('cbStrategy', 'x')
    local.write('fingerprint', 'x')
    local.remove('cbStrategy')
    expect([local.read('cbStrategy', text, ''), local.names()]).toEqual([null, []])
    await vi.waitFor(() => expect(toasts).toEqual(['浏览器不允许本站保存数据，策略草稿在刷新或关闭页面后不会保留']), { timeout: 15_000 })
  })
})

it('a page that comes back from the back/forward cache reads anew', async () => {
  const tab = new EventTarget()
  vi.stubGlobal('window', tab)
  const { onOtherTab } = await opened()
  const changed = vi.fn()
  onOtherTab('cbStrategy', changed)
  tab.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  expect(changed).not.toHaveBeenCalled()
  tab.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(changed).toHaveBeenCalledTimes(1)
})
