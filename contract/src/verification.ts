import { z } from 'zod'
import { TokenData } from './authorize.ts'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword, text, VerificationCode } from './scalars.ts'

/** Version of the agreement, privacy and risk texts that a registration agrees to; stored with the moment. */
export const legalVersion = '2026-11-28'

/** Where a code was sent, masked, how many seconds it is good for, and after how many the next may be asked for. */
export const SentCode = z.object({ sent_to: z.string(), expire_in: z.int(), retry_after: z.int() })
export type SentCode = z.output<typeof SentCode>

/** A piece of work for the browser; its answer travels as base64 of `{challenge, solution}` in the header `X-Human-Check`. */
export const HumanCheck = z.object({
  parameters: z.looseObject({ algorithm: z.string(), nonce: z.string(), salt: z.string(), cost: z.int(), keyPrefix: z.string() }),
  signature: z.string(),
})
export type HumanCheck = z.output<typeof HumanCheck>

/** A mobile or an e-mail, as it was typed. */
export const Target = text(254, 1)
export const Channel = z.enum(['sms', 'email'])
export type Channel = z.output<typeof Channel>

const params = z.object({ target: Target })
const query = z.object({ channel: Channel.optional() })
const activated = z.object({ email_masked: z.string(), activated: z.literal(true) })
const activation = z.strictObject({ activation_code: VerificationCode })

const calls = callTable.verification

/** Calls that send a code or use one. Those that send are GETs by the specification. */
export const verification = {
  registerCode: endpoint(calls.registerCode, {
    summary: '发送注册验证码',
    sends: true,
    params,
    query,
    data: SentCode,
  }),
  register: endpoint(calls.register, {
    summary: '注册',
    body: z.strictObject({ target: Target, verification_code: VerificationCode, password: NewPassword, agree: z.literal(true) }),
    data: TokenData,
  }),
  resetCode: endpoint(calls.resetCode, {
    summary: '发送重置密码验证码',
    sends: true,
    params,
    query,
    data: SentCode,
  }),
  newPassword: endpoint(calls.newPassword, {
    summary: '重置密码',
    params,
    body: z.strictObject({ verification_code: VerificationCode, new_password: NewPassword }),
    data: z.object({ logged_out_devices: z.int() }),
  }),
  mobileCode: endpoint(calls.mobileCode, {
    summary: '发送更换手机号验证码',
    sends: true,
    params: z.object({ mobile: text(32, 1) }),
    data: SentCode,
  }),
  changeMobile: endpoint(calls.changeMobile, {
    summary: '绑定或更换手机号',
    body: z.strictObject({
      new_mobile: text(32, 1),
      new_verification_code: VerificationCode,
      old_verification_code: z.union([VerificationCode, z.literal('')]),
    }),
    data: z.object({ mobile_masked: z.string() }),
  }),
  emailCode: endpoint(calls.emailCode, {
    summary: '发送邮箱激活码',
    sends: true,
    query: z.object({ email: Target.optional() }),
    data: SentCode,
  }),
  activateEmail: endpoint(calls.activateEmail, {
    summary: '激活邮箱',
    body: activation,
    data: activated,
  }),
  activateEmailV1: endpoint(calls.activateEmailV1, {
    summary: '激活邮箱',
    body: activation,
    data: activated,
  }),
  humanCheck: endpoint(calls.humanCheck, { summary: '人机验证', data: HumanCheck }),
}
