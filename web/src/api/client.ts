import { type Call, type CallData, type CallInput, calls } from '@convexa/contract/calls'
import type { Envelope } from '@convexa/contract/envelope'
import { storedTokens, useAuth } from '../state/auth.ts'
import { raise } from './failures.ts'
import { CallError, messages } from './messages.ts'

/** The api's address: `''` where it serves this page itself. */
export const host: string = import.meta.env.VITE_API_HOST ?? ''

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}
export interface CallOptions {
  signal?: AbortSignal
  /** Headers of our own, such as X-Human-Check. */
  headers?: Record<string, string>
}

/** What an endpoint needs, if it needs anything. */
type Given<E> = keyof CallInput<E> extends never ? undefined : CallInput<E>

/** The endpoint's address with `{places}` filled in and repeated keys for lists. */
export function addressOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return `${host}${filled}${text ? `?${text}` : ''}`
}

/**
 * Calls an endpoint and gives its data. The body is JSON, or multipart when it is FormData.
 * @throws CallError for every failure; 401 and 403 have been renewed once before and then raise the one warning 请先登录
 */
export async function call<E>(endpoint: Call<E>, input: Given<E>, options: CallOptions = {}): Promise<CallData<E>> {
  try {
    return (await answerOf(endpoint, input ?? {}, options)) as CallData<E>
  } catch (error) {
    if (error instanceof CallError) raise(error, endpoint.path)
    throw error
  }
}

async function answerOf(endpoint: Call, input: Parts, options: CallOptions): Promise<unknown> {
  const response = await send(endpoint, input, options)
  const body = await envelopeOf(response)
  if (response.status === 401 || response.status === 403) throw refused(endpoint, body)
  if (response.status !== 200 || body?.code !== 0)
    throw new CallError('response', body?.msg || messages.response, body?.code ?? 0, body?.request_id ?? null, response.status)
  return body.data
}

const envelopeOf = (response: Response) => response.json().catch(() => null) as Promise<Envelope<unknown> | null>

function refused(endpoint: Call, body: Envelope<unknown> | null): CallError {
  if (!endpoint.auth) return new CallError('response', body?.msg || messages.login, body?.code ?? 0)
  useAuth.getState().refuse()
  return new CallError('login', messages.login, body?.code ?? 0)
}

/** Sends a call; renews an old login once and sends it again. Streams use it too and read the response themselves. */
export async function send(endpoint: Call, input: Parts, options: CallOptions & { accept?: string } = {}): Promise<Response> {
  if (endpoint.auth) await renewIfOld()
  const token = useAuth.getState().tokenData?.access_token
  const response = await once(endpoint, input, options, token)
  if (response.status !== 401 || !endpoint.auth || !token) return response
  const renewed = await renew(token)
  return renewed ? once(endpoint, input, options, renewed) : response
}

async function once(
  endpoint: Call,
  input: Parts,
  { signal, headers = {}, accept = 'application/json' }: CallOptions & { accept?: string },
  token: string | undefined,
): Promise<Response> {
  const timeout = endpoint.timeout > 0 ? AbortSignal.timeout(endpoint.timeout * 1000) : null
  const signals = [signal, timeout].filter((one) => one instanceof AbortSignal)
  const form = input.body instanceof FormData
  const json = input.body !== undefined && !form
  try {
    return await fetch(addressOf(endpoint.path, input), {
      method: endpoint.method,
      headers: {
        Accept: accept,
        ...(json ? { 'Content-Type': 'application/json' } : {}),
        ...(token ? { 'Access-Token': token } : {}),
        ...headers,
      },
      ...(input.body === undefined ? {} : { body: form ? (input.body as FormData) : JSON.stringify(input.body) }),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      cache: 'no-store',
      credentials: 'omit',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    if (timeout?.aborted) throw new CallError('timeout', messages.timeout)
    throw new CallError('network', messages.network)
  }
}

/** Tokens renewed ahead of their end by this many seconds. */
const ahead = 60
let tokensReadAt = Date.now()
useAuth.subscribe((now, before) => {
  if (now.tokenData !== before.tokenData) tokensReadAt = Date.now()
})

async function renewIfOld(): Promise<void> {
  const tokens = useAuth.getState().tokenData
  if (!tokens || Date.now() - tokensReadAt < (tokens.expires_in - ahead) * 1000) return
  await renew(tokens.access_token)
}

let renewing: Promise<string | null> | null = null

/** A new access token in place of `old`, or null when the login is over. One flight per browser: two tabs share the tokens. */
function renew(old: string): Promise<string | null> {
  renewing ??= alone(() => renewOnce(old)).finally(() => {
    renewing = null
  })
  return renewing
}

const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request('renew-login', work) as Promise<T>) : work()

async function renewOnce(old: string): Promise<string | null> {
  const stored = storedTokens()
  if (stored && stored.access_token !== old) {
    useAuth.setState({ tokenData: stored })
    return stored.access_token
  }
  const tokens = useAuth.getState().tokenData
  if (!tokens) return null
  const body = { refresh_token: tokens.refresh_token, access_token: tokens.access_token }
  const response = await once(calls.authorize.refresh, { body }, {}, undefined)
  const answer = (await envelopeOf(response)) as Envelope<CallData<NonNullable<typeof calls.authorize.refresh.endpoint>>> | null
  if (response.status !== 200 || answer?.code !== 0) return null
  useAuth.getState().renew(answer.data)
  return answer.data.access_token
}
