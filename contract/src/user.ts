import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The caller's own profile; what is not known yet is null. */
export const User = z.object({
  user_id: z.string(),
  nickname: z.string(),
  avatar_url: z.string().nullable(),
  mobile_masked: z.string().nullable(),
  email_masked: z.string().nullable(),
  email_activated: z.boolean(),
  wechat_bound: z.boolean(),
  vip: z.object({ plan_name: z.string().nullable(), expire_at: z.string().nullable(), level: z.int() }),
  created_at: z.string(),
  deletion_at: z.string().optional(),
  re_auth_until: z.string().optional(),
})
export type User = z.output<typeof User>

export const user = {
  info: endpoint({ method: 'GET', path: '/v1/user/info', summary: '当前用户', data: User }),
}
