import type { Website } from '@convexa/contract/system'
import { newState } from '../../state/return-url.ts'
import { atLeast, text } from '../../state/shapes.ts'
import { session } from '../../state/storage.ts'
import { sheetAddress } from './pay-way.ts'

// To learn who pays, WeChat is asked by leaving for it and coming back with a code. Anyone could send somebody an address with a code of
// their own: one counts only with the state that this tab left with, and for the order that it left for.

interface Asked {
  state: string
  order: string
}
const key = 'wechatPayer'

/** Where to leave for; it leads back to the order by itself, without a question (snsapi_base). */
export function payerAddress({ authorize_url }: NonNullable<Website['wechat_jsapi']>, order: string): string {
  const state = newState()
  session.write(key, { state, order } satisfies Asked)
  const back = new URLSearchParams({ redirect_uri: `${location.origin}${sheetAddress(order)}`, state })
  return `${authorize_url}&${back}#wechat_redirect`
}

/** The code that WeChat gave for this order, once; null where this tab did not ask for it. */
export function takePayerCode(search: URLSearchParams): string | null {
  const pending = session.read(key, atLeast<Asked>({ state: text, order: text }))
  if (!pending || pending.state !== search.get('state') || pending.order !== search.get('order')) return null
  session.remove(key)
  return search.get('code')
}
