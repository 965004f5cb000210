import { errorCodes } from '@convexa/contract/enums/error-code'
import { nameSentence } from '@convexa/contract/rules/names'
import { hasUnseen, trimmed } from '@convexa/contract/unseen'
import { ApiError, throwApiError } from '../base/api-error.ts'

const something = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * A name that a user gives to something: NFC, without space or signs of no width at its ends, 1–50 characters of which one at least can be seen.
 * @throws ApiError 21004
 */
export function nameOf(given: string): string {
  const name = trimmed(given.normalize('NFC'))
  if (hasUnseen(name)) throw new ApiError(errorCodes.nameLength, '名称里有看不见的字符，请删去后重试')
  if (nameSentence(name) !== null || !something.test(name)) throwApiError(errorCodes.nameLength)
  return name
}
