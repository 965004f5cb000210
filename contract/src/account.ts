const mobile = /^1[3-9]\d{9}$/

/**
 * An account's name or an address in the one form in which it is compared: without case and surrounding space, full-width signs as plain
 * ones. A mainland mobile as address books write and copy it, `+86 138-0000-1234` with marks that nobody sees, is its eleven digits.
 */
export function accountOf(text: string): string {
  const plain = text.normalize('NFKC').trim().toLowerCase()
  const digits = plain.replace(/[\s\p{Cf}\p{Pd}()]/gu, '').replace(/^(\+|00)?86(?=\d{11}$)/, '')
  return mobile.test(digits) ? digits : plain
}

/** What an account is called by, and where codes go. */
export const accountLabel = '手机号或邮箱'

/** What is asked of a new password, in a user's words (11007, 11008). */
export const passwordRule = '8 至 128 位，不能是常见密码'

/** Whether it is a mainland mobile, by its eleven digits. */
export const isMobile = (account: string): boolean => mobile.test(account)
