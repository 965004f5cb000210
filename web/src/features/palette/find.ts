import { folded } from '../../ui/folded.ts'

/** Something that can be gone to. */
export interface Entry {
  /** Its own among all sources: `cb:113050.SH`, `page:/rotation/stock/screen`. */
  id: string
  title: string
  /** A security's code. */
  code?: string
  /** Initials of the title, lower case, a letter for each of its characters. */
  initials?: string
  /** Said in grey behind it. */
  note?: string
  to: string
}

/** An entry with its words ready to be compared. */
export interface Indexed {
  entry: Entry
  title: string
  code: string
  initials: string
}

/** From–to of the characters that were typed. */
export type Mark = readonly [from: number, to: number]
export interface Found {
  entry: Entry
  title: Mark | null
  code: Mark | null
}

export const indexOf = (entries: readonly Entry[]): Indexed[] =>
  entries.map((entry) => ({
    entry,
    title: folded(entry.title),
    code: entry.code?.toLowerCase() ?? '',
    initials: entry.initials ?? '',
  }))

/**
 * The best `most` entries for what was typed: code, name or initials that begin so come before those that hold it further on;
 * entries alike stay in their order.
 */
export function find(index: readonly Indexed[], typed: string, most: number): Found[] {
  const word = folded(typed)
  if (word === '') return index.slice(0, most).map(({ entry }) => ({ entry, title: null, code: null }))
  const found: Found[][] = [[], [], [], []]
  // Bare and fast: 7,000 entries at every key.
  for (let i = 0; i < index.length; i++) {
    const { entry, title, code, initials } = index[i]!
    const inCode = code.indexOf(word)
    const inTitle = title.indexOf(word)
    const inInitials = initials.indexOf(word)
    if (inCode < 0 && inTitle < 0 && inInitials < 0) continue
    const begins = inCode === 0 || inTitle === 0 || inInitials === 0
    const whole = begins && (code === word || title === word || initials === word)
    const group = found[whole ? 0 : begins ? 1 : inInitials < 0 || inCode >= 0 || inTitle >= 0 ? 2 : 3]!
    if (group.length < most)
      group.push({
        entry,
        code: inCode < 0 ? null : [inCode, inCode + word.length],
        title: markOf(entry, inTitle, inInitials, word),
      })
  }
  return found.flat().slice(0, most)
}

/** Initials mark the characters they stand for, where there is one for each; a title is marked over the blanks in what was found. */
function markOf({ title, initials }: Entry, inTitle: number, inInitials: number, { length }: string): Mark | null {
  if (inTitle < 0) return initials?.length === title.length && inInitials >= 0 ? [inInitials, inInitials + length] : null
  const places = [...title.matchAll(/\S/g)].map(({ index }) => index)
  const [from, to] = [places[inTitle], places[inTitle + length - 1]]
  return from === undefined || to === undefined ? null : [from, to + 1]
}
