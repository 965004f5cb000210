import { type BodyOf, legalVersion, type TokenData, type verification } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Visitor } from '../http/visitor.ts'
import { readAddress } from './addresses.ts'
import { checkCode, spendCode } from './codes.ts'
import { createUser } from './contacts.ts'
import { checkNewPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { profileOf } from './users.ts'

type Registration = BodyOf<typeof verification.register>

/**
 * Makes an account and logs in to it. The form is checked before the code; that the address has an account already is said only after the
 * right code.
 * @throws ApiError 11006, 11007, 11008, 11003, 11009
 */
export async function register(context: AppContext, given: Registration, visitor: Visitor): Promise<TokenData> {
  const { db, config } = context
  const address = readAddress(given.target)
  await checkNewPassword(given.password, [address.text])
  const right = await checkCode(context, { purpose: 'register', target: address, userId: null, code: given.verification_code })
  const passwordHash = await hashPassword(given.password)
  const id = await db.transaction().execute(async (transaction) => {
    await spendCode(transaction, right)
    return createUser(transaction, config, { address, passwordHash, agreed: legalVersion })
  })
  if (!id) throwApiError(errorCodes.accountTaken)
  const tokens = await openSession(db, { id, is_demo: false }, { method: 'password', visitor })
  return { ...tokens, user: await profileOf(context, id) }
}
