import { type KeyObject, sign } from 'node:crypto'

export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** A self-signed X.509 certificate, five years long, of a name and, where one is given, an IPv4 address: Node reads certificates and makes none. */
export function certificateOf({ privateKey, publicKey }: KeyPair, serial: Buffer, commonName: string, address?: string): string {
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts)
    const { length } = content
    const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
    return Buffer.concat([Buffer.from([tag, ...head]), content])
  }
  const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
  const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
  const sha256WithRsa = sequence(identifier('2a864886f70d01010b'), der(0x05))
  const name = sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(commonName)))))
  const time = (years: number) => {
    const at = new Date(Date.now() + years * 365 * 86_400_000).toISOString()
    return der(0x18, Buffer.from(`${at.slice(0, 19).replace(/[-:T]/g, '')}Z`))
  }
  const key = publicKey.export({ type: 'spki', format: 'der' })
  // An extension needs version 3: subjectAltName with one iPAddress.
  const version = address === undefined ? [] : [der(0xa0, der(0x02, Buffer.from([2])))]
  const alternative = (ip: string) => sequence(der(0x87, Buffer.from(ip.split('.').map(Number))))
  const extensions = address === undefined ? [] : [der(0xa3, sequence(sequence(identifier('551d11'), der(0x04, alternative(address)))))]
  const signed = sequence(...version, der(0x02, serial), sha256WithRsa, name, sequence(time(-1), time(4)), name, key, ...extensions)
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('RSA-SHA256', signed, privateKey)]))
  const text = sequence(signed, sha256WithRsa, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}
