// The code of a page: fetched once, given up after the specification's 120 s, asked for again by whoever comes next after a failure.
// A failure is told on the console in the words of the error catalogue, with the chunk's name and path.

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
  constructor(chunk: string, path: string) {
    super('CSS chunk', chunk, path)
  }
}

export interface Chunk<T> {
  /** What was loaded, to be shown without waiting. */
  readonly now: () => T | null
  /** @throws ChunkLoadError */
  readonly load: () => Promise<T>
}

export function chunkOf<T>(name: string, fetch: () => Promise<T>): Chunk<T> {
  let there: T | null = null
  let coming: Promise<T> | null = null
  const begin = async () => {
    try {
      const code = await within(name, () => mendStyles().then(fetch))
      there = code
      return code
    } catch (error) {
      coming = null
      const failure = failureOf(name, error)
      console.error(`${failure.name}: ${failure.message}`)
      throw failure
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

let stylesBroke = false

/** What is no failed load, such as a fault in the code itself, stays what it is. */
function failureOf(name: string, error: unknown): Error {
  if (error instanceof ChunkLoadError) return error
  const { message } = error instanceof Error ? error : new Error(String(error))
  const style = noStyle.exec(message)
  if (style) {
    stylesBroke = true
    return new CssChunkLoadError(name, style[1] ?? '')
  }
  const script = noScript.exec(message)
  if (script) return new ChunkLoadError('chunk', name, `error: ${script[1] || name}`)
  return error instanceof Error ? error : new Error(message)
}

/** Vite asks for a style sheet only once: after a failure the ones without content are put in again, or the page would come undressed. */
async function mendStyles(): Promise<void> {
  if (!stylesBroke) return
  const broken = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => sheet === null)
  await Promise.all(broken.map(putInAgain))
  stylesBroke = false
}

function putInAgain(broken: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = broken.href
  const done = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${new URL(link.href).pathname}`)))
  })
  broken.replaceWith(link)
  return done
}
