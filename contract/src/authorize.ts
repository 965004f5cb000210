import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { Id, Password, text, WechatCode, WechatState } from './scalars.ts'
import { User } from './user.ts'

/** Opaque tokens; times in seconds from now. */
export const TokenData = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Of the access token. */
  expires_in: z.int(),
  /** Of the login, if it is not renewed before: a renewal moves it, up to the longest that a login may last. */
  login_ends_in: z.int(),
  token_type: z.literal('bearer'),
  user: User.optional(),
})
export type TokenData = z.output<typeof TokenData>

/** One device that is logged in now. What the browser did not say is ''; `city` is null where no honest source knows it. */
export const Session = z.object({
  session_id: Id,
  device: z.string(),
  os: z.string(),
  browser: z.string(),
  ip_masked: z.string(),
  city: z.string().nullable(),
  login_at: z.string(),
  /** When it last renewed its tokens, which a browser in use does within half an hour. */
  active_at: z.string(),
  /** It is the one that asks. */
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

const calls = callTable.authorize

export const authorize = {
  byPassword: endpoint(calls.byPassword, {
    summary: '账号密码登录',
    body: z.strictObject({ account: text(254, 1), password: Password }),
    data: TokenData,
  }),
  byWechatWeb: endpoint(calls.byWechatWeb, {
    summary: '微信扫码登录',
    body: z.strictObject({ code: WechatCode, state: WechatState.optional() }),
    data: TokenData,
  }),
  refresh: endpoint(calls.refresh, {
    summary: '刷新登录',
    body: z.strictObject({ refresh_token: text(256, 1), access_token: text(256) }),
    data: TokenData,
  }),
  sessions: endpoint(calls.sessions, {
    summary: '已登录的设备',
    data: z.object({ list_items: z.array(Session) }),
  }),
  endSession: endpoint(calls.endSession, {
    summary: '退出一台设备',
    params: z.object({ id: Id }),
    data: z.object({}),
  }),
  endOthers: endpoint(calls.endOthers, {
    summary: '退出其他设备',
    data: z.object({ logged_out_devices: z.int() }),
  }),
  logout: endpoint(calls.logout, { summary: '退出登录', data: z.object({}) }),
}
