import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../http/fail.ts'

/** Does a write of a run's state, again and again while the database is away; other errors are thrown. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(2_000, wait * 2)) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await sleep(wait)
    }
  }
}
