import type { BodyOf, verification } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Caller } from '../http/caller.ts'
import { queueMessage } from '../message/queue.ts'
import { maskedAddress, readAddress } from './addresses.ts'
import { checkCode, issueCode, type SentCode, spendCode } from './codes.ts'
import { bindAddress, contactsOf } from './contacts.ts'
import { endSessions, needReAuth } from './sessions.ts'

type Change = BodyOf<typeof verification.changeMobile>

/** Sends a code to the caller's own mobile, which it is to be taken from, or to the one that it is to be changed to. */
export async function sendMobileCode(
  context: AppContext,
  caller: Caller,
  given: string,
  from: { ip: string; humanCheck: string | undefined },
): Promise<SentCode> {
  const target = readAddress(given, 'mobile')
  const { mobile } = await contactsOf(context, caller.id)
  const purpose = mobile?.text === target.text ? 'mobile_old' : 'mobile_new'
  return issueCode(context, { purpose, target, userId: caller.id, ...from })
}

/**
 * Binds the first mobile or replaces it; a replacement needs the codes of both. All other logins of the user end, and the former mobile (with
 * the first one, the e-mail) gets a notice.
 * @returns the new mobile, masked
 * @throws ApiError 11006, 11011, 11013, 11003, 11010
 */
export async function changeMobile(context: AppContext, caller: Caller, given: Change): Promise<string> {
  const { db, config } = context
  const mobile = readAddress(given.new_mobile, 'mobile')
  const { mobile: old, email } = await contactsOf(context, caller.id)
  if (old && given.old_verification_code === '') throwApiError(errorCodes.oldMobileNeeded)
  // With no mobile to ask, a stolen token alone must not add one: it would open the account by a new password.
  if (!old) needReAuth(caller)
  const userId = caller.id
  const rights = [await checkCode(context, { purpose: 'mobile_new', target: mobile, userId, code: given.new_verification_code })]
  if (old) rights.push(await checkCode(context, { purpose: 'mobile_old', target: old, userId, code: given.old_verification_code }))
  await db.transaction().execute(async (transaction) => {
    for (const right of rights) await spendCode(transaction, right)
    if (!(await bindAddress(transaction, config, userId, mobile))) throwApiError(errorCodes.mobileTaken)
    await endSessions(transaction, userId, 'mobile', caller.sessionId)
    const recipient = old ?? email
    if (recipient) {
      const channel = recipient.kind === 'mobile' ? 'sms' : 'email'
      await queueMessage(context, transaction, { to: recipient.text, channel, purpose: 'mobile_changed', code: null, seconds: 3_600 })
    }
  })
  return maskedAddress(mobile)
}
