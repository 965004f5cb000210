import { entryOf, type GlossaryEntry, type TermKey } from './glossary.ts'

/** Entries that hold what was typed: by name first, then by other names, then anywhere in their lines. */
export function glossaryFound(keys: readonly TermKey[], typed: string): TermKey[] {
  const wanted = typed.normalize('NFKC').trim().toLowerCase()
  if (wanted === '') return [...keys]
  const ranked = keys.flatMap((key) => {
    const rank = rankOf(entryOf(key), wanted)
    return rank === null ? [] : [{ key, rank }]
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ key }) => key)
}

function rankOf({ name, words = '', meaning, formula, mistake }: GlossaryEntry, wanted: string): number | null {
  const places = [name, words, `${meaning}${formula}${mistake}`].map((text) => text.toLowerCase().includes(wanted))
  const rank = places.indexOf(true)
  return rank < 0 ? null : rank
}
