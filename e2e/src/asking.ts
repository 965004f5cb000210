import { type Call, type CallData, type CallInput, calls } from '@convexa/contract/calls'

/** Asks the product as one user. @throws what it refused, in its own words */
export type Asking = <E>(call: Call<E>, input: CallInput<E>) => Promise<CallData<E>>

/** The demo account of the product at `url`. @throws where it has none */
export async function demoAccount(url: string): Promise<Asking> {
  const guest = askingAs(url)
  const { features } = await guest(calls.system.website, {})
  if (!features.demo_login) throw new Error('this product has no demo account')
  const { access_token } = await guest(calls.authorize.byPassword, { body: features.demo_login })
  return askingAs(url, access_token)
}

/** Whoever has this account. */
export async function accountAt(url: string, account: string, password: string): Promise<Asking> {
  const { access_token } = await askingAs(url)(calls.authorize.byPassword, { body: { account, password } })
  return askingAs(url, access_token)
}

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
