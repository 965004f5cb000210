import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the stand-in does with the next calls: a code of the vendor, a status without a body, silence, or a broken connection. */
export type Script = { code: string; status?: number } | { status: number } | 'silence' | 'hang up'

export interface AlibabaStandIn {
  readonly endpoint: string
  /** Texts that were taken, in order. */
  readonly taken: { to: string; sign: string; template: string; params: Record<string, string>; id: string }[]
  /** Next answers; when empty: taken. */
  readonly script: Script[]
  calls(): number
  close(): Promise<void>
}

/**
 * Alibaba Cloud's SMS as its users meet it: checks the signature by the published rules from the raw request (not by our signing
 * code), the clock, the nonce, the parameters, and answers `{Code, Message, RequestId}`.
 */
export async function alibabaStandIn(keys: { accessKeyId: string; accessKeySecret: string }): Promise<AlibabaStandIn> {
  const taken: AlibabaStandIn['taken'] = []
  const script: Script[] = []
  const nonces = new Set<string>()
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    const next = script.shift()
    if (next === 'silence') return
    if (next === 'hang up') return void request.socket.destroy()
    const answer = (status: number, Code: string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ Code, Message: 'stand-in', RequestId: '4E5F' }))
    }
    if (next && !('code' in next)) return void response.writeHead(next.status).end('<html>')
    const problem = problemOf(request.method ?? '', request.url ?? '', request.headers as Record<string, string>, keys, nonces)
    if (problem) return answer(400, problem)
    if (next && next.code !== 'OK') return answer(next.status ?? 200, next.code)
    const query = new URL(request.url ?? '', 'http://x').searchParams
    taken.push({
      to: query.get('PhoneNumbers') ?? '',
      sign: query.get('SignName') ?? '',
      template: query.get('TemplateCode') ?? '',
      params: JSON.parse(query.get('TemplateParam') ?? '{}'),
      id: query.get('OutId') ?? '',
    })
    answer(200, 'OK')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    script,
    calls: () => calls,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function problemOf(
  method: string,
  url: string,
  headers: Record<string, string>,
  keys: { accessKeyId: string; accessKeySecret: string },
  nonces: Set<string>,
): string | null {
  const match = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')
  if (!match) return 'IncompleteSignature'
  const [, id, names = '', signature] = match
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId.NotFound'
  for (const must of ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-version'])
    if (!names.split(';').includes(must)) return 'IncompleteSignature'
  const [path, rawQuery = ''] = url.split('?')
  // Decoded and encoded again by hand: a space sent as + would not survive.
  const query = rawQuery
    .split('&')
    .map((pair) => pair.split('=').map((part) => rfc3986(decodeURIComponent(part))))
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const canonicalHeaders = names
    .split(';')
    .map((name) => `${name}:${(headers[name] ?? '').trim()}\n`)
    .join('')
  const canonical = `${method}\n${path}\n${query}\n${canonicalHeaders}\n${names}\n${headers['x-acs-content-sha256']}`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const right = createHmac('sha256', keys.accessKeySecret).update(`ACS3-HMAC-SHA256\n${digest}`).digest('hex')
  if (signature !== right) return 'SignatureDoesNotMatch'
  if (Math.abs(Date.parse(headers['x-acs-date'] ?? '') - Date.now()) > 15 * 60_000) return 'InvalidTimeStamp.Expired'
  const nonce = headers['x-acs-signature-nonce'] ?? ''
  if (nonces.has(nonce)) return 'SignatureNonceUsed'
  nonces.add(nonce)
  if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25') return 'InvalidAction.NotFound'
  return /^1\d{10}$/.test(new URLSearchParams(rawQuery).get('PhoneNumbers') ?? '') ? null : 'isv.MOBILE_NUMBER_ILLEGAL'
}

const rfc3986 = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9\-_.~]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
