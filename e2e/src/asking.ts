import type { TokenData } from '@convexa/contract/authorize'
import { type Call, type CallData, type CallInput, calls } from '@convexa/contract/calls'

/** Asks the product as one user. @throws what it refused, in its own words */
export type Asking = <E>(call: Call<E>, input: CallInput<E>) => Promise<CallData<E>>

/** A logged-in user: calls the API, and opens the product in a browser with these tokens (`comeAs`). */
export interface Visit {
  readonly ask: Asking
  readonly tokens: TokenData
}

/** A new visitor of the demo. @throws where the product at `url` has none */
export async function newGuest(url: string): Promise<Visit> {
  const { features } = await askingAs(url)(calls.system.website, {})
  if (!features.demo_login) throw new Error('this product has no demo account')
  return visitOf(url, features.demo_login.account, features.demo_login.password)
}

/** Logs in to an existing account. */
async function visitOf(url: string, account: string, password: string): Promise<Visit> {
  const tokens = await askingAs(url)(calls.authorize.byPassword, { body: { account, password } })
  return { ask: askingAs(url, tokens.access_token), tokens }
}

/** The same, to ask only. */
export const accountAt = async (url: string, account: string, password: string): Promise<Asking> =>
  (await visitOf(url, account, password)).ask

function askingAs(url: string, token?: string): Asking {
  return async (call, input) => {
    const { params, query, body } = input as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
    const asked = query ? `?${new URLSearchParams(query)}` : ''
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? '')) + asked
    const headers = { 'content-type': 'application/json', ...(token ? { 'access-token': token } : {}) }
    const response = await fetch(url + path, { method: call.method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (call.stream) return (await response.text()) as never
    const answer = await response.json()
    if (answer.code !== 0) throw new Error(`${call.method} ${path}: ${answer.code} ${answer.msg}`)
    return answer.data
  }
}
