import type { FactorMeta } from '@convexa/contract/factor'
import { initialsOf } from '../../base/pinyin.ts'
import { otherNamesOf } from '../rule/factor-labels.ts'

/** Full-width signs are plain ones, the unit in a table's head is not part of a name, and spaces say nothing. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)?|\s/g, '')

/** Whether all letters are there in their order: 正股市值 in 正股总市值. */
function holdsInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of text) if (letter === letters[at]) at++
  return at === letters.length
}

/** So few letters stand in the order of too many names. */
const leastLetters = 3

interface Indexed {
  factor: FactorMeta
  /** Its name, its key and what it is also called. */
  names: string[]
  initials: string
  about: string
}

/** The window that was typed into a name: 20 of `20日涨跌幅`; null where there is none. */
export function windowTyped(typed: string): number | null {
  const digits = /\d+/.exec(typed.normalize('NFKC'))
  return digits ? Number(digits[0]) : null
}

/** A search among factors by name, other names, key, initials or definition; the best come first, the nearest in length before the others. */
export function factorSearch(list: readonly FactorMeta[]): (typed: string) => FactorMeta[] {
  const index = list.map((factor): Indexed => {
    const { factor_key: key, factor_name: name, category, description } = factor
    return {
      factor,
      names: [name, key, ...otherNamesOf(factor)].map(plain),
      initials: initialsOf(name),
      about: plain(category + description),
    }
  })
  return (typed) => {
    const wanted = plain(typed)
    if (wanted === '') return [...list]
    // Of a family the name has an N where a window was typed.
    const family = wanted.replace(/\d+/, 'n')
    const found = index.flatMap((one) => {
      const rank = Math.min(rankOf(one, wanted), one.factor.window ? rankOf(one, family) : none)
      return rank === none ? [] : [{ factor: one.factor, rank }]
    })
    return found.sort((a, b) => a.rank - b.rank).map(({ factor }) => factor)
  }
}

const none = Number.POSITIVE_INFINITY

/** 0: is called so; 1: begins so; 2: holds it; 3: by initials; 4: letters in their order; 5: by its definition. What is left over of a name counts a little. */
function rankOf({ names, initials, about }: Indexed, wanted: string): number {
  const ranks = names.map((name) => {
    const at = name.indexOf(wanted)
    const rest = Math.min(name.length - wanted.length, 99) / 100
    return at < 0 ? none : (rest === 0 ? 0 : at === 0 ? 1 : 2) + rest
  })
  const best = Math.min(...ranks)
  if (best !== none) return best
  if (initials.startsWith(wanted)) return 3
  if (wanted.length >= leastLetters && names.some((name) => holdsInOrder(name, wanted))) return 4
  return about.includes(wanted) ? 5 : none
}
