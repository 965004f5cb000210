import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { VipOrderStatus } from './order.ts'
import { Id, WechatCode } from './scalars.ts'

/** Where WeChat tells us of payments and refunds: no envelope, 204 or `{code: 'FAIL', message}`. No client of ours calls it. */
export const notifyPath = '/v1/payment/wechat/notify'

/** What `getBrandWCPayRequest` takes, by WeChat's names. */
export const JsapiParameters = z.object({
  appId: z.string(),
  timeStamp: z.string(),
  nonceStr: z.string(),
  package: z.string(),
  signType: z.literal('RSA'),
  paySign: z.string(),
})
export type JsapiParameters = z.output<typeof JsapiParameters>

const body = z.strictObject({ order_id: Id })
const closed = z.object({ status: VipOrderStatus })

const calls = callTable.payment

/** Paying by WeChat: on the phone inside WeChat (JSAPI), or by a code that the phone scans (Native). */
export const payment = {
  /** `code`: what WeChat gave the page for the caller's openid of the paying application (`wechat_jsapi` of the website); kept for the next time. */
  jsapiProcess: endpoint(calls.jsapiProcess, {
    summary: '微信内支付',
    body: body.extend({ code: WechatCode.optional() }),
    data: JsapiParameters,
  }),
  jsapiClose: endpoint(calls.jsapiClose, {
    summary: '放弃微信内支付',
    body,
    data: closed,
  }),
  nativeProcess: endpoint(calls.nativeProcess, {
    summary: '扫码支付',
    body,
    data: z.object({ code_url: z.string(), expire_at: z.string() }),
  }),
  nativeClose: endpoint(calls.nativeClose, {
    summary: '放弃扫码支付',
    body,
    data: closed,
  }),
}
