/** Characters of a password, both ends inclusive. */
export const passwordLength = { min: 8, max: 128 } as const

export const passwordTexts = {
  length: `密码长度需为${passwordLength.min}至${passwordLength.max}位`,
  common: '该密码过于常见，请更换',
} as const

/** What is wrong with the length of a new password, the one thing that is asked for (NIST SP 800-63B); null where nothing is. */
export function passwordSentence(password: string): string | null {
  const { length } = [...password]
  return length < passwordLength.min || length > passwordLength.max ? passwordTexts.length : null
}
