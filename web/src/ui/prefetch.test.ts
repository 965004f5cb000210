// isolated: stubs globals and loads modules anew
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

type Watch = (entries: Partial<IntersectionObserverEntry>[]) => void
let loaded: string[]
let show: Watch
let observed: Set<unknown>
let threshold: unknown
let busy: boolean
let ui: typeof import('./prefetch.ts')

beforeEach(async () => {
  loaded = []
  observed = new Set()
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {})
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(act: Watch, options: IntersectionObserverInit) {
        show = act
        threshold = options.threshold
      }
      observe = (element: unknown) => observed.add(element)
      unobserve = (element: unknown) => observed.delete(element)
    },
  )
  vi.resetModules()
  ui = await import('./prefetch.ts')
  busy = false
  ui.prefetchBy(
    (path) => loaded.push(path),
    () => busy,
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const link = (name: string) => ({ name }) as unknown as Element
const savesData = () => vi.stubGlobal('navigator', { connection: { saveData: true } })

describe('a link that is hovered or focused', () => {
  it.each(['onPointerEnter', 'onFocus'] as const)('is fetched 100 ms after %s, not before', (event) => {
    ui.prefetchHandlers('/a')[event]()
    vi.advanceTimersByTime(99)
    expect(loaded).toEqual([])
    vi.advanceTimersByTime(1)
    expect(loaded).toEqual(['/a'])
  })

  it.each([
    ['onPointerEnter', 'onPointerLeave'],
    ['onFocus', 'onBlur'],
  ] as const)('fetches nothing when %s is followed by %s in time', (come, go) => {
    const handlers = ui.prefetchHandlers('/a')
    handlers[come]()
    vi.advanceTimersByTime(60)
    handlers[go]()
    vi.advanceTimersByTime(1000)
    expect(loaded).toEqual([])
  })

  it('is asked for once where the mouse brings the focus with it', () => {
    const { onPointerEnter, onFocus } = ui.prefetchHandlers('/a')
    onPointerEnter()
    vi.advanceTimersByTime(50)
    onFocus()
    vi.advanceTimersByTime(1000)
    expect(loaded).toEqual(['/a'])
  })

  it('is left alone while data is saved', () => {
    savesData()
    ui.prefetchHandlers('/a').onPointerEnter()
    vi.advanceTimersByTime(1000)
    expect(loaded).toEqual([])
  })
})

describe('a link in view', () => {
  const seen = (target: Element, intersectionRatio: number) => show([{ target, isIntersecting: intersectionRatio > 0, intersectionRatio }])

  it('is fetched once when half of it is visible', () => {
    const one = link('one')
    ui.prefetchWhenSeen(one, '/a')
    expect(threshold).toBe(0.5)
    seen(one, 0)
    seen(one, 0.49)
    expect(loaded).toEqual([])
    seen(one, 0.5)
    seen(one, 1)
    expect(observed.size).toBe(0)
    vi.advanceTimersByTime(5_000)
    expect(loaded).toEqual(['/a'])
  })

  it('waits while the page itself is still coming, then comes one by one', () => {
    busy = true
    for (const name of ['a', 'b']) {
      ui.prefetchWhenSeen(link(name), `/${name}`)
      seen([...observed].at(-1) as Element, 1)
    }
    vi.advanceTimersByTime(5_000)
    expect(loaded).toEqual([])
    busy = false
    vi.advanceTimersByTime(500)
    expect(loaded).toEqual(['/a'])
    vi.advanceTimersByTime(500)
    expect(loaded).toEqual(['/a', '/b'])
  })

  it('is forgotten when it goes', () => {
    const one = link('one')
    const forget = ui.prefetchWhenSeen(one, '/a')
    forget()
    expect(observed.size).toBe(0)
    seen(one, 1)
    expect(loaded).toEqual([])
  })

  it('is left alone while data is saved', () => {
    savesData()
    const one = link('one')
    ui.prefetchWhenSeen(one, '/a')
    seen(one, 1)
    vi.advanceTimersByTime(5_000)
    expect(loaded).toEqual([])
  })
})
