import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { type WechatPay, wechatPay } from './wechat-pay.ts'

/** Dependencies of payments, in an api, in a worker and on the command line. */
export interface PaymentDeps {
  readonly db: Kysely<Database>
  readonly siteName: string
  readonly pay: WechatPay
  log(event: string, details: Record<string, unknown>): void
}

type Given = { readonly config: Pick<Config, 'wechatPay' | 'siteName'>; readonly log: Logger; now(): Date }

const gateways = new WeakMap<object, WechatPay>()

/** null: no merchant is configured, and nothing can be bought. What the gateway has learnt is kept with its settings. */
export function paymentDeps(db: Kysely<Database>, { config, log: logger, now }: Given): PaymentDeps | null {
  const settings = config.wechatPay
  if (!settings) return null
  const log = (event: string, details: Record<string, unknown>) => logger.warn(details, event)
  const pay = gateways.get(settings) ?? wechatPay(settings, { now, log })
  gateways.set(settings, pay)
  return { db, siteName: config.siteName, pay, log }
}
