// isolated: stubs globals and loads modules anew
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

let told: string[]
let chunkOf: typeof import('./chunk.ts').chunkOf
let ChunkLoadError: typeof import('./chunk.ts').ChunkLoadError
let CssChunkLoadError: typeof import('./chunk.ts').CssChunkLoadError
beforeEach(async () => {
  vi.resetModules()
  ;({ chunkOf, ChunkLoadError, CssChunkLoadError } = await import('./chunk.ts'))
  told = []
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation((text) => void told.push(text))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A page's code that fails as told, one answer for each time it is asked for; after them it comes. */
function fetching(...failures: Error[]) {
  let asked = 0
  const fetch = async () => {
    const failure = failures[asked++]
    if (failure) throw failure
    return 'page'
  }
  return { fetch, times: () => asked }
}
const failureOf = (load: Promise<unknown>) =>
  load.then(
    () => null,
    (error: unknown) => error as Error,
  )

describe('the code of a page', () => {
  it('is fetched once, however many ask for it, and is there afterwards without waiting', async () => {
    const { fetch, times } = fetching()
    const chunk = chunkOf('screen', fetch)
    expect(chunk.now()).toBeNull()
    expect(await Promise.all([chunk.load(), chunk.load()])).toEqual(['page', 'page'])
    expect(await chunk.load()).toBe('page')
    expect(chunk.now()).toBe('page')
    expect(times()).toBe(1)
    expect(told).toEqual([])
  })

  it('is given up after 120 s, not before', async () => {
    const chunk = chunkOf('screen', () => new Promise(() => {}))
    const failed = failureOf(chunk.load())
    await vi.advanceTimersByTimeAsync(119_999)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await failed).toBeInstanceOf(ChunkLoadError)
    expect(told).toEqual(['ChunkLoadError: Loading chunk screen failed. (timeout: 120 s)'])
  })

  it('leaves no clock running once it is there', async () => {
    await chunkOf('screen', fetching().fetch).load()
    expect(vi.getTimerCount()).toBe(0)
  })
})

const chromium = new TypeError('Failed to fetch dynamically imported module: https://a.example/assets/screen-1.js')
const firefox = new TypeError('error loading dynamically imported module: https://a.example/assets/screen-1.js')
const safari = new TypeError('Importing a module script failed.')
const style = new Error('Unable to preload CSS for /assets/screen-1.css')

describe('a failure', () => {
  it.each([
    ['of Chromium', chromium, 'ChunkLoadError: Loading chunk screen failed. (error: https://a.example/assets/screen-1.js)'],
    ['of Firefox', firefox, 'ChunkLoadError: Loading chunk screen failed. (error: https://a.example/assets/screen-1.js)'],
    ['of Safari, which names nothing', safari, 'ChunkLoadError: Loading chunk screen failed. (error: screen)'],
    ['of a style sheet', style, 'ChunkLoadError: Loading CSS chunk screen failed. (/assets/screen-1.css)'],
  ])('%s is told with name and path', async (_, error, words) => {
    const failure = await failureOf(chunkOf('screen', fetching(error).fetch).load())
    expect(failure).toBeInstanceOf(ChunkLoadError)
    expect(told).toEqual([words])
  })

  it('of a style sheet is a CSS chunk load error', async () => {
    const failure = await failureOf(chunkOf('screen', fetching(style).fetch).load())
    expect(failure).toBeInstanceOf(CssChunkLoadError)
    expect(failure).toMatchObject({ code: 'CSS_CHUNK_LOAD_FAILED' })
  })

  it('in the code itself stays what it is', async () => {
    const fault = new ReferenceError('x is not defined')
    expect(await failureOf(chunkOf('screen', fetching(fault).fetch).load())).toBe(fault)
  })

  it('is not kept: the next one who asks tries again', async () => {
    const { fetch, times } = fetching(chromium)
    const chunk = chunkOf('screen', fetch)
    await failureOf(chunk.load())
    expect(await chunk.load()).toBe('page')
    expect(times()).toBe(2)
  })
})

describe('after a style sheet failed', () => {
  class Link {
    rel = 'stylesheet'
    href = ''
    replaced: Link | null = null
    readonly #acts: Record<string, () => void> = {}
    addEventListener = (event: string, act: () => void) => (this.#acts[event] = act)
    replaceWith = (other: Link) => (this.replaced = other)
    fails() {
      this.#acts['error']?.()
      onError({ target: this })
    }
    comes = () => this.#acts['load']?.()
  }
  let onError: (event: { target: unknown }) => void

  it('it is put in again: its own page is not shown without it, every other one is', async () => {
    vi.stubGlobal('HTMLLinkElement', Link)
    vi.stubGlobal('document', { addEventListener: (_: string, act: typeof onError) => (onError = act), createElement: () => new Link() })
    const pages = await import('./chunk.ts')
    pages.watchStyles()
    const first = Object.assign(new Link(), { href: 'https://a.example/assets/screen-1.css' })
    const { fetch, times } = fetching(style)
    const chunk = chunkOf('screen', fetch)
    expect(await failureOf(chunk.load())).toBeInstanceOf(CssChunkLoadError)
    first.fails()
    onError({ target: { rel: 'an image' } })
    const replaced = (link: Link) => vi.waitFor(() => link.replaced ?? Promise.reject(new Error('not yet')), { timeout: 15_000 })

    const failed = failureOf(chunk.load())
    const second = await replaced(first)
    expect(second.href).toBe(first.href)
    second.fails()
    expect(await failed).toBeInstanceOf(CssChunkLoadError)
    expect(told.at(-1)).toBe('ChunkLoadError: Loading CSS chunk screen failed. (https://a.example/assets/screen-1.css)')
    expect(times()).toBe(1)

    // Another page asks for it again too, since both may use it, and is shown without it.
    const other = chunkOf('other', fetching().fetch).load()
    const third = await replaced(second)
    third.fails()
    expect(await other).toBe('page')
    // One that hangs holds it up for a moment.
    const late = chunkOf('late', fetching().fetch).load()
    const fourth = await replaced(third)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await late).toBe('page')
    onError({ target: fourth })

    const again = chunk.load()
    ;(await replaced(fourth)).comes()
    expect(await again).toBe('page')
    expect(vi.getTimerCount()).toBe(0)
  })
})
