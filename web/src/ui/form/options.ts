export interface Option<V> {
  value: V
  label: string
  /** Grey, behind the label: a code. */
  note?: string
  /** What finds it besides its label: a code, pinyin initials. */
  words?: string
}

/** What is found: those that begin with the text before those that hold it. */
export function found<V>(options: readonly Option<V>[], text: string, most = 50): Option<V>[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return options.slice(0, most)
  const ranked = options.flatMap((option, place) => {
    const hits = [option.label, option.note ?? '', ...(option.words ?? '').split(' ')].map((word) => word.toLowerCase().indexOf(wanted))
    const rank = hits.includes(0) ? 0 : hits.some((hit) => hit > 0) ? 1 : 2
    return rank < 2 ? [{ option, rank, place }] : []
  })
  return ranked
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, most)
    .map(({ option }) => option)
}

/** What is offered, and behind it what was chosen and is not offered any more, by its value. */
export function withChosen<V extends string | number>(offered: readonly Option<V>[], chosen: readonly V[]): readonly Option<V>[] {
  const known = new Set(offered.map(({ value }) => value))
  return [...offered, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: String(value) }))]
}
