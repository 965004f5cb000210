import { createHash, createHmac } from 'node:crypto'

/** A call of an Alibaba Cloud RPC interface: all parameters are in the query, the body is empty. */
export interface RpcCall {
  readonly host: string
  readonly action: string
  readonly version: string
  readonly query: Readonly<Record<string, string>>
  /** `2026-11-21T08:00:00Z` */
  readonly date: string
  readonly nonce: string
}

export interface Keys {
  readonly accessKeyId: string
  readonly accessKeySecret: string
}

/** Headers of the call, signed by version 3 of the vendor's signature (ACS3-HMAC-SHA256), and its query as it was signed. */
export function signed({ host, action, version, query, date, nonce }: RpcCall, { accessKeyId, accessKeySecret }: Keys) {
  const payload = sha256('')
  const headers: Record<string, string> = {
    host,
    'x-acs-action': action,
    'x-acs-content-sha256': payload,
    'x-acs-date': date,
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  }
  const names = Object.keys(headers).sort()
  const queryText = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
  const canonical = ['POST', '/', queryText, ...names.map((name) => `${name}:${headers[name]}`), '', names.join(';'), payload].join('\n')
  const signature = createHmac('sha256', accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  const authorization = `ACS3-HMAC-SHA256 Credential=${accessKeyId},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { queryText, headers: { ...headers, authorization } }
}

/** RFC 3986: what encodeURIComponent leaves alone beyond it is encoded too. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
