import { z } from 'zod'
import { TokenData } from './authorize.ts'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { Id, text, VerificationCode, WechatCode, WechatState } from './scalars.ts'
import { Channel, SentCode, Target } from './verification.ts'

/** Data of 11021: sealed, good once and for `expire_in` seconds; they go back as they came. */
export const WechatTickets = z.object({ wx_openid: z.string(), wx_unionid: z.string(), expire_in: z.int() })
export type WechatTickets = z.output<typeof WechatTickets>

/** A WeChat bound to the account. WeChat's own ids are masked; `id` unbinds it. */
export const WechatCredential = z.object({
  id: Id,
  wx_openid: z.string(),
  wx_unionid: z.string().nullable(),
  nickname: z.string(),
  avatar_url: z.string().nullable(),
  bound_at: z.string(),
})
export type WechatCredential = z.output<typeof WechatCredential>

const params = z.object({ target: Target })

const calls = callTable.wechat

export const wechat = {
  credentials: endpoint(calls.credentials, {
    summary: '已绑定的微信',
    data: z.object({ list_items: z.array(WechatCredential) }),
  }),
  addCredential: endpoint(calls.addCredential, {
    summary: '绑定或换绑微信',
    body: z.strictObject({ code: WechatCode, state: WechatState.optional() }),
    data: z.object({ bound: z.literal(true), nickname: z.string() }),
  }),
  removeCredential: endpoint(calls.removeCredential, {
    summary: '解绑微信',
    params: z.object({ id: Id }),
    data: z.object({}),
  }),
  bindCode: endpoint(calls.bindCode, {
    summary: '发送微信绑定验证码',
    sends: true,
    params,
    query: z.object({ channel: Channel.optional() }),
    data: SentCode,
  }),
  bind: endpoint(calls.bind, {
    summary: '绑定微信并登录',
    params,
    body: z.strictObject({ wx_openid: text(1_500, 1), wx_unionid: text(1_500, 1), verification_code: VerificationCode }),
    data: TokenData,
  }),
}
