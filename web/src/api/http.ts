import { CallError, messages } from './messages.ts'

// The transport: five helpers of the specification over one fetch. It knows addresses, bodies, time limits and what a
// missing answer is called; it knows nothing of logins and envelopes.

/** The specification's limit; endpoints that take longer say so themselves. */
const defaultTimeout = 5_000

/**
 * The api's host: `<meta name="api-host">` of the page that was served, else VITE_API_HOST of the build, else this page's own.
 * Only the page and the build may say it: never an address, a message or anything stored.
 */
const host: string = (
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="api-host"]')?.content ||
  import.meta.env.VITE_API_HOST ||
  ''
).replace(/\/+$/, '')

export type Query = Readonly<Record<string, unknown>>

export interface Sending {
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds until the answer and its body must be here; 0 = no limit. */
  timeout?: number | undefined
  signal?: AbortSignal | undefined
  /** Our logins are tokens: a call carries a cookie only where it says so. */
  cookies?: boolean | undefined
}

export const get = (path: string, sending: Sending = {}): Promise<Response> => request('GET', path, sending)

export const post = (path: string, json: unknown, sending: Sending = {}): Promise<Response> => request('POST', path, sending, jsonOf(json))

export const put = (path: string, json: unknown, sending: Sending = {}): Promise<Response> => request('PUT', path, sending, jsonOf(json))

export const del = (path: string, sending: Sending = {}): Promise<Response> => request('DELETE', path, sending)

/** Multipart: the browser writes the boundary, so no content type is given. */
export const postForm = (path: string, form: FormData, sending: Sending = {}): Promise<Response> =>
  request('POST', path, sending, { content: form, headers: {} })

/** The path with its `{places}` filled in. */
export const filled = (path: string, params: Query = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The whole address; a list repeats its key, what is undefined or null is left out. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return `${host}${path}${text ? `?${text}` : ''}`
}

/** A body read as JSON, null where it is none. @throws CallError when the connection breaks or the time is over meanwhile */
export async function bodyOf(response: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => fault(error, signal))
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

interface Body {
  content: BodyInit
  headers: Readonly<Record<string, string>>
}

const jsonOf = (json: unknown): Body | undefined =>
  json === undefined ? undefined : { content: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }

async function request(method: string, path: string, sending: Sending, body?: Body): Promise<Response> {
  const { query, headers, timeout = defaultTimeout, signal, cookies } = sending
  const signals = [signal, timeout > 0 ? AbortSignal.timeout(timeout) : undefined].filter((one) => one !== undefined)
  // Before the try: a call that the browser lacks is no failure of the network.
  const either = signals.length > 0 && { signal: AbortSignal.any(signals) }
  try {
    return await fetch(addressOf(path, query), {
      method,
      headers: { Accept: 'application/json', ...body?.headers, ...headers },
      ...(body && { body: body.content }),
      // The limit holds for the body too: the signal stays with the response.
      ...either,
      cache: 'no-store',
      credentials: cookies ? 'same-origin' : 'omit',
    })
  } catch (error) {
    return fault(error, signal)
  }
}

/** What the caller gave up is passed on as it is; everything else without an answer is one of two failures. */
function fault(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw error
  if (error instanceof DOMException && error.name === 'TimeoutError') throw new CallError('timeout', messages.network)
  throw new CallError('network', messages.network)
}
