import type { TokenData } from '@convexa/contract/authorize'
import { calls } from '@convexa/contract/calls'
import type { Envelope } from '@convexa/contract/envelope'
import { storedTokens, useAuth } from '../state/auth.ts'
import { withCrossTabLock } from './cross-tab-lock.ts'
import { bodyOf, put } from './http.ts'
import { CallError, messages } from './messages.ts'

/** Tokens are renewed ahead of their end by this many seconds. */
const ahead = 60
let since = Date.now()
useAuth.subscribe((now, before) => {
  if (now.tokenData !== before.tokenData) since = Date.now()
})

/** The access token to send, renewed before it ends; null without a login. A renewal that fails now leaves the old one to be tried. */
export async function freshToken(): Promise<string | null> {
  const tokens = useAuth.getState().tokenData
  if (!tokens) return null
  const old = tokens.access_token
  if (Date.now() - since < (tokens.expires_in - ahead) * 1000) return old
  const renewed = await renew(old).catch(() => null)
  return renewed ?? old
}

/** The token that nothing can be had for any more: asked once. */
let dead: string | null = null
let flight: Promise<string | null> | null = null

/**
 * A new access token in place of `old`, or null when the login is over. One flight per browser: calls of this tab share it, tabs wait for
 * each other and take what the first has brought.
 * @throws CallError when the server cannot be asked: that ends a call, not the login
 */
export function renew(old: string): Promise<string | null> {
  flight ??= withCrossTabLock('renew-login', () => renewOnce(old)).finally(() => {
    flight = null
  })
  return flight
}

async function renewOnce(old: string): Promise<string | null> {
  const { tokenData: tokens, adopt } = useAuth.getState()
  // Logged out meanwhile, or known to be over: there is nothing more to ask.
  if (!tokens || old === dead) return null
  if (tokens.access_token !== old) return tokens.access_token
  const stored = storedTokens()
  if (stored && stored.access_token !== old) {
    adopt(stored)
    return stored.access_token
  }
  const response = await put(calls.authorize.refresh.path, { refresh_token: tokens.refresh_token, access_token: old })
  const answer = (await bodyOf(response)) as Envelope<TokenData> | null
  // Logged out while it was asked: what was brought is nobody's.
  if (useAuth.getState().tokenData?.access_token !== old) return null
  if (response.status === 200 && answer?.code === 0) {
    useAuth.getState().renew(answer.data)
    return answer.data.access_token
  }
  if (isBusy(response.status)) throw new CallError('response', answer?.msg || messages.response, answer?.code ?? 0, null, response.status)
  dead = old
  return null
}

/** The server had no say about the login: too many at once, or not able to answer. */
const isBusy = (status: number) => status === 429 || status >= 500
