import { type Channel, verification } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail } from '../http/fail.ts'
import { serve } from '../http/kernel.ts'
import type { World } from '../world.ts'
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
export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, verification.humanCheck, async ({ ip }) => {
    // Never refused: it is the way in that is left to a network which somebody else has tired out.
    const often = await countVisit(world.db, 'human check', ip)
    return newHumanCheck(world, often === null)
  })

  serve(app, world, verification.registerCode, async ({ params, query, ip, humanCheck }) => {
    const target = readTarget(params.target, query.channel)
    const owner = await userOf(world, target.text).executeTakeFirst()
    return issueCode(world, { purpose: 'register', target, userId: null, ip, humanCheck, ...(owner && { saying: 'already_registered' }) })
  })

  serve(app, world, verification.register, async ({ body, visitor }) => register(world, body, visitor))

  serve(app, world, verification.resetCode, async ({ params, query, ip, humanCheck }) => {
    const target = readTarget(params.target, query.channel)
    const owner = await userOf(world, target.text).executeTakeFirst()
    return issueCode(world, {
      purpose: 'reset_password',
      target,
      userId: null,
      ip,
      humanCheck,
      ...((!owner || owner.is_demo) && { saying: 'not_registered' }),
    })
  })

  serve(app, world, verification.newPassword, async ({ params, body }) => {
    const reset = { target: params.target, code: body.verification_code, password: body.new_password }
    return { logged_out_devices: await setNewPassword(world, reset) }
  })

  serve(app, world, verification.mobileCode, async ({ user, params, ip, humanCheck }) =>
    sendMobileCode(world, ownAccount(user), params.mobile, { ip, humanCheck }),
  )

  serve(app, world, verification.changeMobile, async ({ user, body }) => ({
    mobile_masked: await changeMobile(world, ownAccount(user), body),
  }))

  serve(app, world, verification.emailCode, async ({ user, query, ip, humanCheck }) =>
    sendActivation(world, ownAccount(user), query.email, { ip, humanCheck }),
  )

  for (const path of [verification.activateEmail, verification.activateEmailV1]) {
    serve(app, world, path, async ({ user, body }) => ({
      email_masked: await activateEmail(world, ownAccount(user), body.activation_code),
      activated: true as const,
    }))
  }
}

/** The channel is what the target is; one that does not fit is refused. @throws Failure 11006, 40000 */
export function readTarget(given: string, channel: Channel | undefined): Address {
  const target = readAddress(given)
  if (channel && (channel === 'sms') !== (target.kind === 'mobile')) fail(40000, '接收方式与手机号或邮箱不符')
  return target
}
