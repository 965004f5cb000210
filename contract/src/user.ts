import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { page, pageQuery } from './envelope.ts'
import { Id, Password, text, VerificationCode } from './scalars.ts'

/** How the caller likes to see the app, on every device. */
export const Prefs = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  density: z.enum(['standard', 'compact']).optional(),
  colors: z.enum(['red_up', 'green_up']).optional(),
  reduced_motion: z.boolean().optional(),
  number_format: z.enum(['plain', 'grouped']).optional(),
})
export type Prefs = z.output<typeof Prefs>

/** The caller's own profile; what is not known yet is null. */
export const User = z.object({
  user_id: z.string(),
  nickname: z.string(),
  avatar_url: z.string().nullable(),
  mobile_masked: z.string().nullable(),
  email_masked: z.string().nullable(),
  email_activated: z.boolean(),
  /** false: the account was made by WeChat and can be opened by no password yet. */
  has_password: z.boolean(),
  wechat_bound: z.boolean(),
  vip: z.object({ plan_name: z.string().nullable(), expire_at: z.string().nullable(), level: z.int() }),
  created_at: z.string(),
  deletion_at: z.string().optional(),
  re_auth_until: z.string().optional(),
  /** The account that all visitors share: nothing of it can be changed. */
  demo: z.literal(true).optional(),
  /** Left out until something was chosen. */
  prefs: Prefs.optional(),
})
export type User = z.output<typeof User>

export const LoginMethod = z.enum(['password', 'wechat'])
export type LoginMethod = z.output<typeof LoginMethod>

/** One attempt to log in. What the browser did not say is ''; `city` is null where no honest source knows it. */
export const LoginRecord = z.object({
  login_at: z.string(),
  method: LoginMethod,
  device: z.string(),
  os: z.string(),
  browser: z.string(),
  ip_masked: z.string(),
  city: z.string().nullable(),
  success: z.boolean(),
  /** The device had logged in to the account before this, or it was the first that did. */
  known_device: z.boolean(),
  fingerprint: z.string().optional(),
})
export type LoginRecord = z.output<typeof LoginRecord>

/** Own data by table, each a list of its rows. */
const UserExport = z.looseObject({ exported_at: z.string(), account: z.array(z.record(z.string(), z.unknown())) })

const calls = callTable.user

export const user = {
  info: endpoint(calls.info, { summary: '当前用户', data: User }),
  changeInfo: endpoint(calls.changeInfo, {
    summary: '修改资料',
    // A client sends back the whole object that GET gave: what cannot be changed here is ignored.
    body: z.object({ nickname: text(200).optional(), avatar_id: Id.optional(), prefs: Prefs.optional() }),
    data: User,
  }),
  loginRecords: endpoint(calls.loginRecords, {
    summary: '登录记录',
    query: pageQuery,
    data: page(LoginRecord),
  }),
  reAuth: endpoint(calls.reAuth, {
    summary: '验证身份',
    body: z.union([z.strictObject({ password: Password }), z.strictObject({ verification_code: VerificationCode })]),
    data: z.object({ re_auth_until: z.string() }),
  }),
  remove: endpoint(calls.remove, { summary: '注销账号', data: z.object({ deletion_at: z.string() }) }),
  restore: endpoint(calls.restore, { summary: '撤销注销', data: User }),
  export: endpoint(calls.export, { summary: '导出个人数据', data: UserExport }),
}
