/**
 * Variables that are set and not among the known ones, with the known one that each is probably meant to be: it differs by at most two
 * letters, and by fewer where the name is short (`HOME` is not `HOST`).
 */
export function misspelled(env: Readonly<Record<string, string | undefined>>, known: readonly string[]): [given: string, meant: string][] {
  const all = new Set(known)
  return Object.keys(env).flatMap((given): [string, string][] => {
    if (!env[given] || all.has(given)) return []
    let [meant, least] = ['', 3]
    for (const name of known) {
      const most = Math.min(2, Math.floor(name.length / 4))
      const differs = Math.abs(name.length - given.length) > most ? 3 : distance(given, name)
      if (differs <= most && differs < least) [meant, least] = [name, differs]
    }
    return meant ? [[given, meant]] : []
  })
}

/** Levenshtein distance: letters to be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++)
      line.push(Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)))
    above = line
  }
  return above[b.length]!
}
