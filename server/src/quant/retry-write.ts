import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../base/api-error.ts'

/** Writes the state of a run, and retries while the database is away; other errors are thrown. */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(2_000, wait * 2)) {
    try {
      return await write()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await sleep(wait)
    }
  }
}
