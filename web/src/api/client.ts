import { type Call, type CallData, type CallInput, calls } from '@convexa/contract/calls'
import type { Envelope } from '@convexa/contract/envelope'
import { useAuth } from '../state/auth.ts'
import { fingerprint } from '../state/fingerprint.ts'
import { errorPolicyOf, logsIn, showsScan } from './error-policy.ts'
import { tell } from './failed-calls.ts'
import { bodyOf, del, filled, get, post, postForm, put, type Query, type Sending } from './http.ts'
import { CallError, messages } from './messages.ts'
import { freshToken, renew } from './renewal.ts'

export interface Parts {
  params?: Query
  query?: Query
  /** JSON, or multipart when it is FormData. */
  body?: unknown
}
export interface CallOptions {
  signal?: AbortSignal
  /** Headers of our own, such as X-Human-Check. */
  headers?: Record<string, string>
}

/** What an endpoint needs, if it needs anything. */
export type Given<E> = keyof CallInput<E> extends never ? undefined : CallInput<E>

/**
 * Calls an endpoint and gives its data: success is HTTP 200 and code 0, nothing else.
 * @throws CallError for every failure, with the sentence to show; 401 has been renewed once before, then it and 403 raise the one warning 请先登录
 */
export async function call<E>(endpoint: Call<E>, input: Given<E>, options: CallOptions = {}): Promise<CallData<E>> {
  const answered = async () => {
    const response = await send(endpoint, input ?? {}, options)
    const body = await envelopeOf(response, options.signal)
    if (response.status !== 200 || body?.code !== 0) throw failureOf(endpoint, response, body)
    return body.data as CallData<E>
  }
  return reportingFailure(endpoint, () => inTime(endpoint, answered()))
}

/** Timeout of a short GET including its token renewal, in milliseconds. */
const shortGetMs = 5_200

/** Fails a GET that hangs, or hangs on its token renewal: with the retries of query-cache.ts an error shows within ten seconds. */
function inTime<T>({ method, timeout }: Call, work: Promise<T>): Promise<T> {
  if (method !== 'GET' || timeout !== 5) return work
  const late = new Promise<never>((_, reject) => {
    AbortSignal.timeout(shortGetMs).addEventListener('abort', () => reject(new CallError('timeout', messages.network)))
  })
  return Promise.race([work, late])
}

/** Calls an endpoint that answers with a file and gives the whole response, judged by its HTTP status alone. */
export async function download<E>(endpoint: Call<E>, input: Given<E>, options: CallOptions = {}): Promise<Response> {
  return reportingFailure(endpoint, async () => {
    const response = await send(endpoint, input ?? {}, options)
    if (response.status !== 200) throw failureOf(endpoint, response, await envelopeOf(response, options.signal))
    return response
  })
}

/** The name that the server gave to a file; RFC 6266, the encoded form first. */
export function fileNameOf(response: Response, otherwise: string): string {
  const disposition = response.headers.get('Content-Disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  const name = encoded ? decoded(encoded) : plain
  return name?.replace(/[/\\]/g, '_').trim() || otherwise
}

/** Ends the login here and in every tab, even when the server cannot be told. */
export async function logout(): Promise<void> {
  await attempt(calls.authorize.logout, {}, {}).catch(() => {})
  useAuth.getState().clear()
}

/** Sends a call; an ended login is renewed once before it is warned of. Streams and downloads read the response themselves. */
export async function send(endpoint: Call, input: Parts, options: CallOptions): Promise<Response> {
  const { response, token } = await attempt(endpoint, input, options)
  // Once it was warned of and closed, or another login has begun, an old refusal says nothing.
  const current = useAuth.getState().tokenData?.access_token ?? null
  if (endpoint.auth && isRefusal(response.status) && token === current) useAuth.getState().refuse()
  return response
}

/** The failure that an answer is: its own sentence, else the endpoint's. */
export function failureOf(endpoint: Call, response: Response, body: Envelope<unknown> | null): CallError {
  const refused = endpoint.auth && isRefusal(response.status)
  const message = refused ? messages.login : body?.msg || errorPolicyOf(endpoint).fallback
  return new CallError(
    refused ? 'login' : 'response',
    message,
    body?.code ?? 0,
    body?.request_id ?? null,
    response.status,
    body?.data ?? null,
    Number(response.headers.get('Retry-After')) || null,
  )
}

export const envelopeOf = (response: Response, signal?: AbortSignal) => bodyOf(response, signal) as Promise<Envelope<unknown> | null>

/** Runs a call and lets the listeners know when it fails. */
async function reportingFailure<T>(endpoint: Call, run: () => Promise<T>): Promise<T> {
  const began = Date.now()
  try {
    return await run()
  } catch (error) {
    if (error instanceof CallError) {
      error.took = Date.now() - began
      tell({ error, path: endpoint.path, toast: errorPolicyOf(endpoint).toast })
    }
    throw error
  }
}

const isRefusal = (status: number) => status === 401 || status === 403

const userId = (): string | null => useAuth.getState().userData?.user_id ?? null

/** @throws CallError when somebody else than `asker` is logged in by now */
function refuseOther(asker: string | null): void {
  const now = userId()
  if (asker !== null && now !== null && now !== asker) throw new CallError('response', messages.otherUser)
}

/** The answer, and the token that it was asked with. @throws CallError when another person has logged in meanwhile: a call is its asker's */
async function attempt(endpoint: Call, input: Parts, options: CallOptions): Promise<{ response: Response; token: string | null }> {
  const asker = userId()
  const token = endpoint.auth ? await freshToken() : null
  refuseOther(asker)
  const response = await once(endpoint, input, options, token)
  if (response.status !== 401 || token === null) return { response, token }
  const renewed = await renew(token)
  refuseOther(asker)
  return renewed === null ? { response, token } : { response: await once(endpoint, input, options, renewed), token: renewed }
}

function once(endpoint: Call, { params, query, body }: Parts, { signal, headers }: CallOptions, token: string | null): Promise<Response> {
  const path = filled(endpoint.path, params)
  const sending: Sending = {
    query,
    signal,
    timeout: endpoint.timeout * 1000,
    cookies: showsScan(endpoint),
    headers: {
      ...(token && { 'Access-Token': token }),
      ...(logsIn(endpoint) && { 'X-Fingerprint': fingerprint() }),
      ...headers,
    },
  }
  if (body instanceof FormData) return postForm(path, body, sending)
  switch (endpoint.method) {
    case 'GET':
      return get(path, sending)
    case 'POST':
      return post(path, body, sending)
    case 'PUT':
      return put(path, body, sending)
    case 'DELETE':
      return del(path, sending)
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
