/** Words of fields that have one of a few values. */
import { callStatuses } from '@convexa/contract/enums/call-status'
import { labelOf } from '@convexa/contract/enums/table'
import { isEmpty, plainText } from './text.ts'

/** Full width, case and blanks do not matter: `AA＋`, `aa +`. */
const folded = (word: string): string => plainText(word).replaceAll(/\s/g, '').toUpperCase()

/** YY's ratings are numbers themselves, 1 the best. */
const yyRatings = Array.from({ length: 10 }, (_, k) => String(k + 1))

/**
 * The values of a field's words; null where it has none.
 * @param values the field's words in the order of their numbers
 */
export function wordsOf(key: string, values: readonly string[] | undefined): ReadonlyMap<string, number> | null {
  if (key === 'yy_rating') return new Map(yyRatings.flatMap((word) => [word, `${word}.0`].map((each) => [each, Number(word)] as const)))
  if (values === undefined) return null
  const labels =
    key === 'call_status' ? Object.keys(callStatuses).map((each) => labelOf(callStatuses, each as keyof typeof callStatuses)) : []
  return new Map([...values, ...labels].map((word, k) => [folded(word), k % values.length]))
}

/** The number of a word: NaN = nothing there, null = none of them. */
export function readWord(cell: string, words: ReadonlyMap<string, number>): number | null {
  return words.get(folded(cell)) ?? (isEmpty(cell) ? Number.NaN : null)
}
