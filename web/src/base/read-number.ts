/** White space and signs of no width, which are pasted along with a number. */
const ends = /^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/g

/** What was typed or pasted as the half-width signs that it means: an input method for Chinese leaves １２０，０．５ and －3 behind. */
export const halfWidth = (text: string): string => text.normalize('NFKC').replaceAll('−', '-').replaceAll('。', '.').replace(ends, '')

/**
 * The number that a text is, null of an empty one, NaN of what is none: in full-width signs, with thousands separated (`1,000`) and
 * with the unit of its field behind it (`0.5 亿`) too.
 */
export function readNumber(text: string, unit = ''): number | null {
  const typed = halfWidth(text)
  const bare = unit && typed.endsWith(unit) ? typed.slice(0, -unit.length).trim() : typed
  if (bare === '') return typed === '' ? null : Number.NaN
  const number = Number(/^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : bare)
  return Number.isFinite(number) ? number : Number.NaN
}
