/** Ticked rows by key. */
export type Selection = ReadonlySet<string>

export const nothing: Selection = new Set()

export function toggled(selection: Selection, key: string): Selection {
  const next = new Set(selection)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Also all between two rows, in the order shown; one that is not shown ticks the other alone. */
export function withRange(selection: Selection, keys: readonly string[], from: string | null, to: string): Selection {
  const end = keys.indexOf(to)
  const start = from === null ? -1 : keys.indexOf(from)
  if (end < 0) return selection
  return new Set([...selection, ...(start < 0 ? [to] : keys.slice(Math.min(start, end), Math.max(start, end) + 1))])
}

/** All that is shown; where all of it is ticked, none of it. */
export function allToggled(selection: Selection, keys: readonly string[]): Selection {
  const whole = keys.length > 0 && keys.every((key) => selection.has(key))
  const shown = new Set(keys)
  return whole ? new Set([...selection].filter((key) => !shown.has(key))) : new Set([...selection, ...keys])
}

export function shareOf(selection: Selection, keys: readonly string[]): 'all' | 'some' | 'none' {
  const ticked = keys.reduce((sum, key) => sum + (selection.has(key) ? 1 : 0), 0)
  return ticked === 0 ? 'none' : ticked === keys.length ? 'all' : 'some'
}
