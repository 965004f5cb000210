import { editDistance } from '../base/nearest.ts'

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
      const differs = Math.abs(name.length - given.length) > most ? 3 : editDistance(given, name)
      if (differs <= most && differs < least) [meant, least] = [name, differs]
    }
    return meant ? [[given, meant]] : []
  })
}
