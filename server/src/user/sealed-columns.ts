import { createHmac } from 'node:crypto'
import { keysFor, type SecretSettings } from '../base/secret.ts'
import type { WechatIdentity } from './wechat-api.ts'

/** What is sealed in tables that outlive an hour; each use has a key of its own. */
export const secretUses = {
  address: 'address',
  wechatIdentity: 'wechat identity',
  wechatPayer: 'wechat payer',
  qmtAccount: 'qmt account',
} as const

/** What an index may be while the key is changed; the first is what is written. */
type Indexes = readonly [Buffer, ...Buffer[]]

const macs = (secrets: SecretSettings, use: string, text: string): Indexes =>
  keysFor(secrets, use).map((key) => createHmac('sha256', key).update(text).digest()) as [Buffer, ...Buffer[]]

/** What a WeChat is found by. */
export function wechatIndexes(secrets: SecretSettings, { openid, unionid }: Pick<WechatIdentity, 'openid' | 'unionid'>) {
  const indexes = (kind: string, value: string) => macs(secrets, 'wechat index', `${kind} ${value}`)
  return { openid: indexes('openid', openid), unionid: unionid === null ? null : indexes('unionid', unionid) }
}

/** What a user's broker account is found by. */
export const accountIndexes = (secrets: SecretSettings, userId: string, number: string): Indexes =>
  macs(secrets, 'qmt account index', `${userId} ${number.toUpperCase()}`)
