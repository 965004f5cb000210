import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { IsoDate } from './scalars.ts'

/** What xtdata writes where it has no number is left out by the bridge. */
const value = z.number().optional()
const Code = z.string().regex(/^\d{6}\.(SH|SZ|BJ)$/)

/** One security of `get_full_tick`: prices in yuan, amount in yuan, volume in hands, time in ms since 1970 UTC. */
const BridgeTick = z.object({
  time: z.number(),
  lastPrice: value,
  open: value,
  high: value,
  low: value,
  lastClose: value,
  amount: value,
  volume: value,
})

/** One security of `get_market_data_ex`, period 1d, unadjusted, not filled. */
const BridgeBar = z.object({
  open: value,
  high: value,
  low: value,
  close: value,
  preClose: value,
  amount: value,
  volume: value,
  suspendFlag: value,
})

/** A forced redemption in `get_cb_info`: days as `20260616`, 0 = none; the price in yuan per 100 of face. */
const BridgeCall = z.object({
  forceRedeemTradeDate: value,
  forceRedeemConvDate: value,
  forceRedeemPrice: value,
})

/** What a bridge saw at once, whole: it takes the place of what it pushed before. */
export const BridgePush = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ticks'), rows: z.record(Code, BridgeTick) }),
  z.object({ kind: z.literal('bars'), date: IsoDate, rows: z.record(Code, BridgeBar) }),
  // All bonds that the terminal tells of, called or not: which are called is read by the site.
  z.object({ kind: z.literal('calls'), date: IsoDate, rows: z.record(Code, BridgeCall) }),
])
export type BridgePush = z.output<typeof BridgePush>

const calls = callTable.feedBridge

/** Asked by the bridge on the operator's own computer: no login, the site's own key in `X-Api-Key`. */
export const feedBridge = {
  push: endpoint(calls.push, {
    summary: '行情桥接程序推送 xtdata 的行情',
    scope: 'feed',
    // 6,000 securities of some 160 bytes.
    bodyLimit: 4 * 1024 * 1024,
    body: BridgePush,
    data: z.object({ kept: z.int() }),
  }),
}
