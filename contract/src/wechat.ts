import { z } from 'zod'
import { TokenData } from './authorize.ts'
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

export const wechat = {
  credentials: endpoint({
    method: 'GET',
    path: '/v1/user/wechat-web-credential/list',
    summary: '已绑定的微信',
    data: z.object({ list_items: z.array(WechatCredential) }),
  }),
  addCredential: endpoint({
    method: 'POST',
    path: '/v1/user/wechat-web-credential',
    summary: '绑定或换绑微信',
    body: z.strictObject({ code: WechatCode, state: WechatState.optional() }),
    data: z.object({ bound: z.literal(true), nickname: z.string() }),
  }),
  removeCredential: endpoint({
    method: 'DELETE',
    path: '/v1/user/wechat-web-credential/{id}',
    summary: '解绑微信',
    params: z.object({ id: Id }),
    data: z.object({}),
  }),
  bindCode: endpoint({
    method: 'GET',
    path: '/v1/user/{target}/bind-wechat-code',
    summary: '发送微信绑定验证码',
    auth: false,
    sends: true,
    params,
    query: z.object({ channel: Channel.optional() }),
    data: SentCode,
  }),
  bind: endpoint({
    method: 'POST',
    path: '/v1/user/{target}/bind-wechat',
    summary: '绑定微信并登录',
    auth: false,
    params,
    body: z.strictObject({ wx_openid: text(1_500, 1), wx_unionid: text(1_500, 1), verification_code: VerificationCode }),
    data: TokenData,
  }),
}
