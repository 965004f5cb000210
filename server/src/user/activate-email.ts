import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Caller } from '../http/caller.ts'
import { queueMessage } from '../message/queue.ts'
import { type Address, maskedAddress, readAddress } from './addresses.ts'
import { checkCode, issueCode, lastUnusedTarget, type SentCode, spendCode } from './codes.ts'
import { bindAddress, contactsOf, notePendingEmail } from './contacts.ts'
import { needReAuth } from './sessions.ts'

/**
 * Sends an activation code to an e-mail. Without one given it is a resend: to the address that the last unused code went to, else the one
 * that waits for activation, else the one in force. Only an address that is new to the account needs re-authentication.
 * @throws ApiError 11006, 11013, 40000 when there is none, 11004, 11005, 40030
 */
export async function sendActivation(
  context: AppContext,
  caller: Caller,
  given: string | undefined,
  from: { ip: string; humanCheck: string | undefined },
): Promise<SentCode> {
  const target = given === undefined ? await resendTarget(context, caller.id) : readAddress(given, 'email')
  if (!target) throwApiError(errorCodes.invalidRequest, '账号还没有邮箱，请填写要激活的邮箱')
  if (given !== undefined) needReAuth(caller)
  const sent = await issueCode(context, { purpose: 'activate_email', target, userId: caller.id, ...from })
  await notePendingEmail(context, caller.id, target)
  return sent
}

async function resendTarget(context: AppContext, userId: string): Promise<Address | null> {
  const { pendingEmail, email } = await contactsOf(context, userId)
  return (await lastUnusedTarget(context, { purpose: 'activate_email', userId })) ?? pendingEmail ?? email
}

/**
 * Puts the e-mail in force that the code was sent to; the former one, or else the mobile, gets a notice.
 * @returns the e-mail, masked
 * @throws ApiError 11012; 11009 when it leads to another account
 */
export async function activateEmail(context: AppContext, caller: Caller, code: string): Promise<string> {
  const { db, config } = context
  const userId = caller.id
  const right = await checkCode(context, { purpose: 'activate_email', userId, code }, errorCodes.wrongActivationCode)
  const { mobile, email: old } = await contactsOf(context, userId)
  await db.transaction().execute(async (transaction) => {
    await spendCode(transaction, right, errorCodes.wrongActivationCode)
    if (!(await bindAddress(transaction, config, userId, right.target))) throwApiError(errorCodes.accountTaken)
    const recipient = old && old.text !== right.target.text ? old : mobile
    if (recipient) {
      const channel = recipient.kind === 'mobile' ? 'sms' : 'email'
      await queueMessage(context, transaction, { to: recipient.text, channel, purpose: 'email_changed', code: null, seconds: 3_600 })
    }
  })
  return maskedAddress(right.target)
}
