/** A waiting piece of work. */
export interface Waiting {
  /** May shrink while it waits. */
  size: number
}

/** Semaphore of `most` whose queue runs the smallest first, of equals the oldest. */
export function smallestFirst(most: number): <T>(waiting: Waiting, work: () => Promise<T>) => Promise<T> {
  const queue: { readonly waiting: Waiting; readonly go: () => void }[] = []
  let busy = 0
  const next = () => {
    if (busy >= most || queue.length === 0) return
    const first = queue.reduce((best, each, at) => (each.waiting.size < queue[best]!.waiting.size ? at : best), 0)
    busy++
    queue.splice(first, 1)[0]!.go()
  }
  return async (waiting, work) => {
    await new Promise<void>((resolve) => {
      queue.push({ waiting, go: resolve })
      next()
    })
    try {
      return await work()
    } finally {
      busy--
      next()
    }
  }
}
