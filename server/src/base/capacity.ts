import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'

/** What this machine has, and what a container or service leaves of it. */
interface Machine {
  /** Bytes. */
  readonly memory: number
  /** Bytes that the control group may use; 0, undefined or more than the machine has: no limit. */
  readonly constrainedMemory: number | undefined
  readonly cores: number
  /** Content of `/proc/self/cgroup`; null where there is none. */
  readonly groups: string | null
  /** A file below `/sys/fs/cgroup`; null where it is not there. */
  readGroupFile(path: string): string | null
}

const thisMachine = (): Machine => ({
  memory: totalmem(),
  constrainedMemory: process.constrainedMemory(),
  cores: availableParallelism(),
  groups: textOf('/proc/self/cgroup'),
  readGroupFile: (path) => textOf(join('/sys/fs/cgroup', path)),
})

/** Bytes of memory that this process may count on: of a container, its limit. */
export function usableMemory({ memory, constrainedMemory = 0 }: Pick<Machine, 'memory' | 'constrainedMemory'> = thisMachine()): number {
  return constrainedMemory > 0 && constrainedMemory < memory ? constrainedMemory : memory
}

/** Cores that this process may count on: those it may run on, and no more than the quota of its control group, rounded up. */
export function usableCores({ cores, groups, readGroupFile }: Omit<Machine, 'memory' | 'constrainedMemory'> = thisMachine()): number {
  // Version 2 of control groups has one line, `0::/path`. In a container it may name a folder of the host: then only the root is there.
  const [, own = '/'] = /^0::(\/.*)$/m.exec(groups ?? '') ?? []
  let least = cores
  for (let folder = own; ; folder = join(folder, '..')) {
    const [quota, period] = (readGroupFile(join(folder, 'cpu.max')) ?? '').trim().split(' ').map(Number)
    if (quota && period) least = Math.min(least, Math.ceil(quota / period))
    if (folder === '/') return Math.max(1, least)
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // No control groups, or none of this kind.
    return null
  }
}
