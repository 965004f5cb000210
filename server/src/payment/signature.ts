import { createDecipheriv, randomBytes, sign, verify } from 'node:crypto'
import type { JsapiParameters } from '@convexa/contract'
import type { WechatPaySettings } from '../config/config.ts'

// APIv3's signatures and seal (pay.weixin.qq.com/doc/v3/merchant/4012365342): RSA-SHA256 over lines, AES-256-GCM under the APIv3 key.

const linesOf = (...parts: readonly string[]): Buffer => Buffer.from(parts.map((part) => `${part}\n`).join(''))
const rsa = (privateKey: string, ...parts: readonly string[]): string =>
  sign('RSA-SHA256', linesOf(...parts), privateKey).toString('base64')

const nonce = (): string => randomBytes(16).toString('hex')

/** The header Authorization of a request of ours; `path` with its query, `seconds` since 1970. */
export function authorization(
  { mchId, serial, privateKey }: WechatPaySettings,
  { method, path, body, seconds }: { method: string; path: string; body: string; seconds: number },
): string {
  const once = nonce()
  const signature = rsa(privateKey, method, path, String(seconds), once, body)
  return `WECHATPAY2-SHA256-RSA2048 mchid="${mchId}",nonce_str="${once}",signature="${signature}",timestamp="${seconds}",serial_no="${serial}"`
}

/** What a page hands to `getBrandWCPayRequest`. */
export function jsapiParameters({ appId, privateKey }: WechatPaySettings, prepayId: string, seconds: number): JsapiParameters {
  const [timeStamp, nonceStr, packed] = [String(seconds), nonce(), `prepay_id=${prepayId}`]
  const paySign = rsa(privateKey, appId, timeStamp, nonceStr, packed)
  return { appId, timeStamp, nonceStr, package: packed, signType: 'RSA', paySign }
}

/** What WeChat signs an answer or a notice with; '' for a header that is not there. */
export interface Signed {
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
  readonly serial: string
  readonly body: string
}

type Header = (name: string) => string | null | undefined

export const signedOf = (header: Header, body: string): Signed => ({
  timestamp: header('wechatpay-timestamp') ?? '',
  nonce: header('wechatpay-nonce') ?? '',
  signature: header('wechatpay-signature') ?? '',
  serial: header('wechatpay-serial') ?? '',
  body,
})

/** `key`: of the serial that was named, PEM. WeChat now and then sends a signature that must be refused, to see whether we look. */
export function isSignedBy(key: string, { timestamp, nonce: once, signature, body }: Signed): boolean {
  if (!signature || signature.startsWith('WECHATPAY/SIGNTEST/')) return false
  return verify('RSA-SHA256', linesOf(timestamp, once, body), key, Buffer.from(signature, 'base64'))
}

const windowSeconds = 300

/** Refuses replayed notices: the timestamp must be close to this process's clock. */
export const isFresh = ({ timestamp }: Signed, now: Date): boolean =>
  /^\d{10}$/.test(timestamp) && Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= windowSeconds

/** @returns null: not sealed with this key, or changed since */
export function unsealed(v3Key: string, sealed: { ciphertext: string; nonce: string; associated_data: string }): string | null {
  const bytes = Buffer.from(sealed.ciphertext, 'base64')
  if (bytes.length < 16) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', v3Key, sealed.nonce)
    decipher.setAuthTag(bytes.subarray(-16))
    decipher.setAAD(Buffer.from(sealed.associated_data))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
