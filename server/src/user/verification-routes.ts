import { type Channel, verification } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { serve } from '../http/serve-endpoint.ts'
import { activateEmail, sendActivation } from './activate-email.ts'
import { type Address, readAddress } from './addresses.ts'
import { countVisit } from './attempts.ts'
import { changeMobile, sendMobileCode } from './change-mobile.ts'
import { issueCode } from './codes.ts'
import { userOf } from './contacts.ts'
import { newHumanCheck } from './human-check.ts'
import { setNewPassword } from './new-password.ts'
import { ownAccount } from './profile-routes.ts'
import { register } from './register.ts'

/** Codes, and what is done with them. */
export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, verification.humanCheck, async ({ ip }) => {
    // Never refused: it is the way in that is left to a network which somebody else has tired out.
    const often = await countVisit(context.db, 'human check', ip)
    return newHumanCheck(context, often === null)
  })

  serve(app, context, verification.registerCode, async ({ params, query, ip, humanCheck }) => {
    const target = readTarget(params.target, query.channel)
    const owner = await userOf(context, target.text).executeTakeFirst()
    return issueCode(context, { purpose: 'register', target, userId: null, ip, humanCheck, ...(owner && { saying: 'already_registered' }) })
  })

  serve(app, context, verification.register, async ({ body, visitor }) => register(context, body, visitor))

  serve(app, context, verification.resetCode, async ({ params, query, ip, humanCheck }) => {
    const target = readTarget(params.target, query.channel)
    const owner = await userOf(context, target.text).executeTakeFirst()
    return issueCode(context, {
      purpose: 'reset_password',
      target,
      userId: null,
      ip,
      humanCheck,
      ...((!owner || owner.is_demo) && { saying: 'not_registered' }),
    })
  })

  serve(app, context, verification.newPassword, async ({ params, body }) => {
    const reset = { target: params.target, code: body.verification_code, password: body.new_password }
    return { logged_out_devices: await setNewPassword(context, reset) }
  })

  serve(app, context, verification.mobileCode, async ({ user, params, ip, humanCheck }) =>
    sendMobileCode(context, ownAccount(user), params.mobile, { ip, humanCheck }),
  )

  serve(app, context, verification.changeMobile, async ({ user, body }) => ({
    mobile_masked: await changeMobile(context, ownAccount(user), body),
  }))

  serve(app, context, verification.emailCode, async ({ user, query, ip, humanCheck }) =>
    sendActivation(context, ownAccount(user), query.email, { ip, humanCheck }),
  )

  for (const path of [verification.activateEmail, verification.activateEmailV1]) {
    serve(app, context, path, async ({ user, body }) => ({
      email_masked: await activateEmail(context, ownAccount(user), body.activation_code),
      activated: true as const,
    }))
  }
}

/** The channel is what the target is; one that does not fit is refused. @throws ApiError 11006, 40000 */
export function readTarget(given: string, channel: Channel | undefined): Address {
  const target = readAddress(given)
  if (channel && (channel === 'sms') !== (target.kind === 'mobile')) throwApiError(errorCodes.invalidRequest, '接收方式与手机号或邮箱不符')
  return target
}
