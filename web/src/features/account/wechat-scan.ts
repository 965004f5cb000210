import type { Website } from '@convexa/contract/system'
import { newState } from '../../state/return-url.ts'
import { atLeast, flag, orNull, text } from '../../state/shapes.ts'
import { session } from '../../state/storage.ts'

// A scan leaves this site and comes back by an address that anyone could send somebody. That it was begun here is known by its
// state: 128 random bits in this tab's storage, compared before the code is used, and in a cookie that the server compares.

/** What a scan that was begun comes back to. */
export interface Scan {
  state: string
  redirect: string | null
  remember: boolean
}

const key = 'wechatScan'
const cookie = '__Host-wxs'
const minutes = 10

/** Remembers that a scan begins. @returns its state */
export function beginScan(more: Omit<Scan, 'state'>): string {
  const state = newState()
  session.write(key, { ...more, state } satisfies Scan)
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser that we support
  document.cookie = `${cookie}=${state}; Path=/; Secure; SameSite=Lax; Max-Age=${minutes * 60}`
  return state
}

/** The scan that was begun in this tab with this state, which is used up by it; null: it was begun elsewhere, or is over. */
export function endScan(state: string | null): Scan | null {
  const scan = session.read(key, atLeast<Scan>({ state: text, redirect: orNull(text), remember: flag }))
  if (!scan || scan.state !== state) return null
  session.remove(key)
  return scan
}

/** Where to scan and come back to `path` from. In a frame it shows the code alone, and the whole window goes on. */
export function scanAddress({ authorize_url }: NonNullable<Website['wechat_web']>, path: string, state: string, framed: boolean): string {
  const more = new URLSearchParams({
    redirect_uri: `${location.origin}${path}`,
    state,
    ...(framed && { login_type: 'jssdk', self_redirect: 'false' }),
  })
  return `${authorize_url}&${more}#wechat_redirect`
}
