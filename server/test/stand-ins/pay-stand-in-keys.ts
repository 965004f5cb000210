import { createCipheriv, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

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
      certificate: certificateOf(platform, serial),
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

/** A self-signed X.509 v1 certificate, five years long: Node reads certificates and makes none. */
function certificateOf({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }, serial: Buffer): string {
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts)
    const { length } = content
    const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
    return Buffer.concat([Buffer.from([tag, ...head]), content])
  }
  const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
  const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
  const name = sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('stand-in')))))
  const time = (years: number) => {
    const at = new Date(Date.now() + years * 365 * 86_400_000).toISOString()
    return der(0x18, Buffer.from(`${at.slice(0, 19).replace(/[-:T]/g, '')}Z`))
  }
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(der(0x02, serial), sha256WithRsa, name, sequence(time(-1), time(4)), name, key)
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('RSA-SHA256', signed, privateKey)]))
  const text = sequence(signed, sha256WithRsa, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}
