/** Works that go on beside what comes next: a disk flushes many files in the time of one. */
export interface SomeAtOnce {
  /** Waits for a free place only. @throws what a work before it threw */
  add(work: () => Promise<void>): Promise<void>
  /** @throws what a work threw */
  end(): Promise<void>
}

export function someAtOnce(most: number): SomeAtOnce {
  const open = new Set<Promise<void>>()
  const failures: unknown[] = []
  const check = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    async add(work) {
      while (open.size >= most) await Promise.race(open)
      check()
      const one = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => open.delete(one))
      open.add(one)
    },
    async end() {
      await Promise.all(open)
      check()
    },
  }
}
