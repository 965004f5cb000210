const last = new Map<string, Promise<unknown>>()

/** Whether a change of this is under way or waits. */
export const isChanging = (what: string): boolean => last.has(what)

/**
 * Changes of one thing, by its name, reach the server one after the other: of two under way at once the older could be kept. Whoever shows
 * his change before it is there asks `isChanging` then: what a later one shows is not taken back by an earlier.
 */
export async function inTurn<T>(what: string, act: () => Promise<T>): Promise<T> {
  const mine = (last.get(what) ?? Promise.resolve()).then(act, act)
  last.set(what, mine)
  try {
    return await mine
  } finally {
    if (last.get(what) === mine) last.delete(what)
  }
}
