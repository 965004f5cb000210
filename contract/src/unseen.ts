/** Nobody sees them, or they turn the direction of what stands beside them. Joiners of emoji are none of these. */
const signs =
  '\\u034f\\u17b4\\u17b5\\p{Cc}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\u{e0000}-\\u{e007f}'
const unseen = new RegExp(`[${signs}]`, 'u')
const allUnseen = new RegExp(`[${signs}]`, 'gu')
/** Left behind at the ends of what is pasted from chats and pages. */
const pasted = /^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/gu

export const hasUnseen = (text: string): boolean => unseen.test(text)

/** The text as it can be shown in a sentence. */
export const withoutUnseen = (text: string): string => text.replace(allUnseen, '')

/** The text without white space and signs of no width at its ends. */
export const trimmed = (text: string): string => text.replace(pasted, '')
