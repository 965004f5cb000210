/** The one that a mistyped word is probably meant to be: at most two letters differ, and no more than half of it. null: none is near. */
export function nearest(given: string, known: readonly string[]): string | null {
  let [found, least] = [null as string | null, 3]
  for (const name of known) {
    const most = Math.min(2, Math.floor(Math.max(name.length, given.length) / 2))
    const differs = Math.abs(name.length - given.length) > most ? 3 : editDistance(given, name)
    if (differs <= most && differs < least) [found, least] = [name, differs]
  }
  return found
}

/** Levenshtein distance: letters to be put in, taken out or changed. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++)
      line.push(Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)))
    above = line
  }
  return above[b.length]!
}
