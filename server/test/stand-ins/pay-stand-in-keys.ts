import { createCipheriv, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { certificateOf } from './certificate.ts'

// What WeChat Pay and its merchant each hold, made anew: nothing of it is a secret of anybody's.

export interface PayKeys {
  readonly merchant: { readonly serial: string; readonly privateKey: string; readonly publicKey: string }
  readonly platform: {
    readonly privateKey: string
    /** Public-key mode: what the merchant is given. */
    readonly id: string
    readonly publicKey: string
    /** Certificate mode: what the merchant fetches. */
    readonly serial: string
    readonly certificate: string
  }
  readonly v3Key: string
}

export function makePayKeys(): PayKeys {
  const pair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const pem = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'pem' } as never) as unknown as string
  const [merchant, platform] = [pair(), pair()]
  const serial = randomBytes(20)
  serial[0]! &= 0x7f
  serial[0]! |= 0x40
  return {
    merchant: {
      serial: randomBytes(20).toString('hex').toUpperCase(),
      privateKey: pem(merchant.privateKey, 'pkcs8'),
      publicKey: pem(merchant.publicKey, 'spki'),
    },
    platform: {
      privateKey: pem(platform.privateKey, 'pkcs8'),
      id: `PUB_KEY_ID_0${randomBytes(12).toString('hex')}`,
      publicKey: pem(platform.publicKey, 'spki'),
      serial: serial.toString('hex').toUpperCase(),
      certificate: certificateOf(platform, serial, 'stand-in'),
    },
    v3Key: randomBytes(16).toString('hex'),
  }
}

/** Signed as WeChat signs; `named` is the id of the public key or the serial of the certificate. */
export function signedHeaders(keys: PayKeys, body: string, now: number, named = keys.platform.id): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000))
  const nonce = randomBytes(16).toString('hex')
  const signature = sign('RSA-SHA256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), keys.platform.privateKey).toString('base64')
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': signature,
    'wechatpay-serial': named,
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  }
}

export function sealed(v3Key: string, text: string, associated_data: string) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', v3Key, nonce)
  cipher.setAAD(Buffer.from(associated_data))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data }
}
