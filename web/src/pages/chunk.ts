// The code of a page: fetched once, with the specification's timeout of 120 s; after a failure the next request fetches it again.
// A failure is logged on the console in the words of the error catalogue, with the chunk's name and path.

const limit = 120_000

/** A page's code did not come. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
  constructor(kind: 'chunk' | 'CSS chunk', chunk: string, reason: string) {
    super(`Loading ${kind} ${chunk} failed. (${reason})`)
  }
}

/** A page's style sheet did not come. */
export class CssChunkLoadError extends ChunkLoadError {
  readonly code = 'CSS_CHUNK_LOAD_FAILED'
  readonly path: string
  constructor(chunk: string, path: string) {
    super('CSS chunk', chunk, path)
    this.path = path
  }
}

export interface Chunk<T> {
  /** What was loaded, to be shown without waiting. */
  readonly now: () => T | null
  /** @throws ChunkLoadError */
  readonly load: () => Promise<T>
}

let onTheWay = 0
/** Whether the code of any page is on its way. */
export const isChunkComing = (): boolean => onTheWay > 0

export function chunkOf<T>(name: string, fetch: () => Promise<T>): Chunk<T> {
  let there: T | null = null
  let coming: Promise<T> | null = null
  /** Paths of the style sheets that this page is known to need: those it failed by. */
  const own = new Set<string>()
  const begin = async () => {
    onTheWay++
    try {
      const code = await within(name, () => mended(own).then(fetch))
      there = code
      return code
    } catch (error) {
      coming = null
      const failure = failureOf(name, error)
      if (failure instanceof CssChunkLoadError) own.add(failure.path.replace(/^https?:\/\/[^/]+/, ''))
      console.error(`${failure.name}: ${failure.message}`)
      throw failure
    } finally {
      onTheWay--
    }
  }
  return { now: () => there, load: () => (coming ??= begin()) }
}

function within<T>(name: string, fetch: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('chunk', name, `timeout: ${limit / 1000} s`)), limit)
  })
  return Promise.race([fetch(), late]).finally(() => clearTimeout(timer))
}

/** As Vite (style sheets) and the browsers (scripts) word it. */
const noStyle = /Unable to preload CSS for (\S+)/
const noScript = /(?:dynamically imported module|module script failed)[:.]?\s*(\S*)/i

/** What is no failed load, such as a fault in the code itself, stays what it is. */
function failureOf(name: string, error: unknown): Error {
  if (error instanceof ChunkLoadError) return error
  const { message } = error instanceof Error ? error : new Error(String(error))
  const style = noStyle.exec(message)
  if (style) return new CssChunkLoadError(name, style[1] ?? '')
  const script = noScript.exec(message)
  if (script) return new ChunkLoadError('chunk', name, `error: ${script[1] || name}`)
  return error instanceof Error ? error : new Error(message)
}

/** Style sheets that did not come. Vite asks for each only once: the page after it would be shown undressed. */
const lost = new Set<HTMLLinkElement>()

/** Keeps in mind which style sheets fail; called once at the start. */
export function watchStyles(): void {
  // A resource's error does not bubble, but it can be caught on the way down.
  document.addEventListener(
    'error',
    ({ target }) => target instanceof HTMLLinkElement && target.rel === 'stylesheet' && lost.add(target),
    true,
  )
}

/** Puts what is lost in again, before the next page: only a sheet of its own may fail it. */
async function mended(own: ReadonlySet<string>): Promise<void> {
  if (lost.size > 0) await (await import('./lost-styles.ts')).mendStyles(lost, own)
}
