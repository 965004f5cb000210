import { alerts } from './alert.ts'
import { authorize } from './authorize.ts'
import type { callTable } from './call-table.ts'
import type { Endpoint } from './endpoint.ts'
import { feedBridge } from './feed-bridge.ts'
import { file } from './file.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { qmt } from './qmt.ts'
import { qmtClient, qmtDryRun, qmtTrade } from './qmt-trade.ts'
import { quantOf, quantShared } from './quant.ts'
import { reference } from './reference.ts'
import { system } from './system.ts'
import { user } from './user.ts'
import { verification } from './verification.ts'
import { vip } from './vip.ts'
import { wechat } from './wechat.ts'

type CallTable = typeof callTable

/** The whole API as one object: an endpoint of each call. */
export const api = {
  system,
  authorize,
  user,
  verification,
  wechat,
  file,
  reference,
  quant: quantShared,
  ...quantOf,
  qmt: { ...qmt, ...qmtTrade, ...qmtDryRun },
  qmtClient,
  feedBridge,
  alerts,
  vip,
  payment,
  order,
} satisfies { readonly [Group in keyof CallTable]: { readonly [Name in keyof CallTable[Group]]: Endpoint } }

/** `cb.factors` */
export type EndpointName = { [Group in keyof CallTable]: `${Group}.${keyof CallTable[Group] & string}` }[keyof CallTable]

/** Every endpoint, in the order of the object above. */
export const endpoints: readonly Endpoint[] = Object.values(api).flatMap((group) => Object.values(group) as unknown as Endpoint[])
