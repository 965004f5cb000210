import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError, throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Caller } from '../http/caller.ts'
import type { Visitor } from '../http/visitor.ts'
import { countAttempt } from './attempts.ts'
import { checkCode, spendCode } from './codes.ts'
import { contactsOf } from './contacts.ts'
import { checkPassword, renewHash } from './passwords.ts'
import { openReAuth } from './sessions.ts'

/**
 * Opens the five minutes by the password.
 * @returns their end
 * @throws ApiError 11001, 11002
 */
export async function reAuthByPassword({ db }: AppContext, { id, sessionId }: Caller, password: string, visitor: Visitor): Promise<Date> {
  const found = await db.selectFrom('app_user').select('password_hash').where('id', '=', id).executeTakeFirst()
  const attempt = await countAttempt(db, { who: `re-auth ${id}`, visitor, known: false, isHuman: null })
  const stored = found?.password_hash ?? null
  const { right, renewed } = await checkPassword(password, stored)
  if (!right) throwApiError(errorCodes.wrongCredentials)
  await attempt.right()
  await renewHash(db, id, stored, renewed)
  return openReAuth(db, sessionId)
}

/**
 * Opens the five minutes by a code that `reset-code` sent to the caller's own mobile or e-mail: a code that can set a new password is proof
 * enough. An account without a password has no other way.
 * @returns their end
 * @throws ApiError 11003
 */
export async function reAuthByCode(context: AppContext, { id, sessionId }: Caller, code: string): Promise<Date> {
  const { mobile, email } = await contactsOf(context, id)
  for (const target of [mobile, email]) {
    const claim = target && { purpose: 'reset_password' as const, target, userId: null, code }
    const right = claim && (await checkCode(context, claim).catch(wrongIsNull))
    if (!right) continue
    return context.db.transaction().execute(async (transaction) => {
      await spendCode(transaction, right)
      return openReAuth(transaction, sessionId)
    })
  }
  throwApiError(errorCodes.wrongCode)
}

function wrongIsNull(error: unknown): null {
  if (error instanceof ApiError && error.code === errorCodes.wrongCode) return null
  throw error
}
