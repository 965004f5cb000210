import { readFileSync } from 'node:fs'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { passwordLength, passwordSentence } from '@convexa/contract/rules/passwords'
import { throwApiError } from '../base/api-error.ts'
import { sourceFile } from '../base/program-files.ts'

/**
 * Length and nothing else is asked for (NIST SP 800-63B), but a password that many have, or that is the account itself, is refused.
 * @throws ApiError 11007, 11008
 */
export async function checkNewPassword(password: string, accounts: readonly string[]): Promise<void> {
  if (passwordSentence(password) !== null) throwApiError(errorCodes.passwordLength)
  if (isCommon(password) || accounts.some((account) => isAccount(password, account))) throwApiError(errorCodes.commonPassword)
  if ((await mostUsed()).has(plainOf(password))) throwApiError(errorCodes.commonPassword)
}

/** How many of the most used passwords of the published lists are refused. */
const mostUsedCount = 10_000
let mostUsedOnes: Promise<ReadonlySet<string>> | undefined

/** Those of them that are long enough to be chosen here. Read when somebody chooses a first password: most processes never need them. */
const mostUsed = (): Promise<ReadonlySet<string>> => {
  mostUsedOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].slice(0, mostUsedCount).filter(({ length }) => length >= passwordLength.min)),
  )
  return mostUsedOnes
}

/** Whether many have it: a word of the list, alone or with digits and signs around it, or one of the patterns that fingers make. */
function isCommon(password: string): boolean {
  const plain = plainOf(password)
  const digits = digitsOf(plain)
  const patterns = [plain, digits].some((one) => isRepeated(one) || isWalk(one) || isDate(one))
  return patterns || [plain, lettersOf(plain), digits].some((one) => common.has(one))
}

const common = new Set(
  readFileSync(sourceFile('user/common-passwords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#')),
)

/** Full-width and capital letters are the plain ones. */
const plainOf = (password: string): string => password.normalize('NFKC').toLowerCase()

/** `p@ssw0rd2024!` is `password`. */
const lettersOf = (plain: string): string =>
  plain
    .replace(/^[\d\W_]{0,4}/, '')
    .replace(/[\d\W_]{0,6}$/, '')
    .replace(/[@4]/g, 'a')
    .replace(/[$5]/g, 's')
    .replace(/0/g, 'o')
    .replace(/[1!]/g, 'i')
    .replace(/3/g, 'e')

/** `a12345678`, `19900101wl`: the digits without the few letters around them; the whole where that is not what it is. */
const digitsOf = (plain: string): string => /^[a-z]{0,3}(\d{5,})[a-z]{0,3}$/.exec(plain)?.[1] ?? plain

/** `aaaaaaaa`, `12341234`, `abcabcabc`. */
const isRepeated = (plain: string): boolean => /^(.{1,4})\1+$/su.test(plain)

const rows = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol',
  '147258369',
  '789456123',
]

/** A stretch of the alphabet, of the digits or of the keyboard, forwards or backwards, wherever it begins. */
const isWalk = (plain: string): boolean =>
  rows.some((row) => {
    const round = row + row
    return round.includes(plain) || [...round].reverse().join('').includes(plain)
  })

/** `19900101`, `20081231`, `01011990`: a birthday. */
const isDate = (plain: string): boolean =>
  /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(plain) || /^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(19|20)\d{2}$/.test(plain)

const isAccount = (password: string, account: string): boolean => {
  const plain = plainOf(password)
  return plain === account || plain === account.slice(0, account.lastIndexOf('@'))
}
