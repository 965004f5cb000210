import { inject } from 'vitest'
import { password } from './log-in.ts'
import { letterTo } from './outbox.ts'
import { accountOn, ageOrdersOn } from './user-desk.ts'

export { comeLoggedIn, logIn, password } from './log-in.ts'

let given = 0
/**
 * A mobile that nobody has had: the story finds its account untouched.
 * @param begin seven digits that are one file's own
 */
export const newMobile = (begin: `1${string}`): string => `${begin}${String(++given).padStart(4, '0')}`
/** As a mobile is shown. */
export const masked = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(-4)}`

/** An account as an operator makes it: known by its mobile or e-mail, with the password above. One that is there already stays as it is. */
export const makeAccount = (address: string, nickname: string): Promise<void> =>
  accountOn(inject('deskUrl'), { address, nickname, password })

/** As if so much time had passed for all that an account has ordered. */
export const letOrdersAge = (address: string, seconds: number): Promise<void> => ageOrdersOn(inject('deskUrl'), address, seconds)

/** The newest code that went to an address for a purpose. */
export const codeFor = async (to: string, purpose: string): Promise<string> =>
  (await letterTo(inject('dataDir'), to, (letter) => letter.purpose === purpose)).code ?? ''
