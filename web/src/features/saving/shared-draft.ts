import type { Settings } from '@convexa/contract/backtest'
import type { MarketId } from '@convexa/contract/enums/market'
import { namesVersion } from '@convexa/contract/names-version'
import type { Parameters } from '@convexa/contract/strategy'
import type { Draft } from '../../state/drafts.ts'
import { sendable } from '../rule/draft.ts'

/** A rule on its way to somebody else: nothing of the account, not even the strategy's remark. */
export interface SharedRule {
  kind: MarketId
  name: string
  /** Version of the factor names that it is written in. */
  names: number
  parameters: Parameters
  settings?: Settings
  /** Notices on names that have changed their meaning since the rule was written; not shared. */
  kept?: readonly string[]
}

export const sharedOf = (kind: MarketId, { name, parameters, settings }: Draft): SharedRule => ({
  kind,
  name,
  names: namesVersion,
  parameters: sendable(parameters),
  settings,
})

export const jsonOf = (rule: SharedRule): string => JSON.stringify(rule, null, 2)

/** The rule as a part of an address: JSON, deflated, in base64url. */
export async function packed(rule: SharedRule): Promise<string> {
  const squeezed = new Blob([JSON.stringify(rule)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return base64url(new Uint8Array(await new Response(squeezed).arrayBuffer()))
}

/** Longer than any rule: what claims to unpack to more is refused. */
const mostCharacters = 200_000

/** The text that was packed; null for what is not one of ours. */
export async function unpacked(text: string): Promise<string | null> {
  try {
    const bytes = new Blob([bytesOf(text)])
    const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    const decoder = new TextDecoder()
    let json = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return json + decoder.decode()
      json += decoder.decode(value, { stream: true })
      if (json.length > mostCharacters) return null
    }
  } catch {
    return null
  }
}

function base64url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
