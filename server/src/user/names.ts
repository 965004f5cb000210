import { fail } from '../http/fail.ts'

/** Nobody sees them, or they turn the direction of what stands beside them. Joiners of emoji are none of these. */
const unseen =
  /[\u034f\u17b4\u17b5\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/u
const something = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * A name that a user gives to something: NFC, without space at its ends, 1–50 characters of which one at least can be seen.
 * @throws Failure 21004
 */
export function nameOf(given: string): string {
  const name = given.normalize('NFC').trim()
  if ([...name].length > 50 || unseen.test(name) || !something.test(name)) fail(21004)
  return name
}
