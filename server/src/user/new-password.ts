import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { queueMessage } from '../message/queue.ts'
import { readAddress } from './addresses.ts'
import { forgetAttempts } from './attempts.ts'
import { checkCode, spendCode } from './codes.ts'
import { userOf } from './contacts.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'

export interface Reset {
  readonly target: string
  readonly code: string
  readonly password: string
}

/**
 * Sets a new password by the code that was sent to the account's mobile or e-mail, and ends all its sessions.
 * @returns how many devices were logged in
 * @throws ApiError 11006, 11007, 11008, 11003
 */
export async function setNewPassword(context: AppContext, { target, code, password }: Reset): Promise<number> {
  const { db } = context
  const address = readAddress(target)
  await checkNewPassword(password, [address.text])
  const right = await checkCode(context, { purpose: 'reset_password', target: address, userId: null, code })
  const password_hash = await hashPassword(password)
  return db.transaction().execute(async (transaction) => {
    await spendCode(transaction, right)
    const user = await userOf({ ...context, db: transaction }, address.text).executeTakeFirst()
    // No code was sent for an address without an account; the account may have been deleted since.
    if (!user || user.is_demo) throwApiError(errorCodes.wrongCode)
    await transaction.updateTable('app_user').set({ password_hash }).where('id', '=', user.id).execute()
    await forgetAttempts(transaction, user.id)
    const channel = address.kind === 'mobile' ? 'sms' : 'email'
    await queueMessage(context, transaction, { to: address.text, channel, purpose: 'password_changed', code: null, seconds: 3_600 })
    return endSessions(transaction, user.id, 'password')
  })
}
