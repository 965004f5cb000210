const last = new Map<string, Promise<unknown>>()

/** Whether a mutation of this resource is under way or waits. */
export const isChanging = (what: string): boolean => last.has(what)

/**
 * Mutation queue: serializes mutations per resource, by its name, so that an older one cannot overwrite a newer one. An optimistic update is
 * rolled back only where `isChanging` is false: a later mutation keeps what it shows.
 */
export async function enqueueMutation<T>(what: string, act: () => Promise<T>): Promise<T> {
  const mine = (last.get(what) ?? Promise.resolve()).then(act, act)
  last.set(what, mine)
  try {
    return await mine
  } finally {
    if (last.get(what) === mine) last.delete(what)
  }
}
