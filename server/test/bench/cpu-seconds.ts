import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of a process and all below it, in seconds so far; NaN where the system does not tell. */
export function cpuSeconds(pid: number): number {
  const spent = new Map<number, { parent: number; seconds: number }>()
  try {
    for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
      try {
        // After the name, which may hold spaces: state, parent, …, own user and system time, those of children that have ended.
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
        const seconds = [11, 12, 13, 14].reduce((sum, k) => sum + Number(fields[k]) / 100, 0)
        spent.set(Number(name), { parent: Number(fields[1]), seconds })
      } catch {
        // It has ended meanwhile.
      }
    }
  } catch {
    return Number.NaN
  }
  const below = (id: number): number =>
    [...spent].reduce((sum, [each, { parent }]) => (parent === id ? sum + below(each) : sum), spent.get(id)?.seconds ?? 0)
  return below(pid)
}
