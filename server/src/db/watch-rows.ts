import type { DirectSession, Listening } from './direct-session.ts'

/**
 * Reads rows now, and again whenever `channel` notifies a change. Notifications during a read are coalesced into one more read.
 * @param fail what could not be read; the rows are read again at the next word
 * @throws when PostgreSQL cannot be reached
 */
export async function watchRows(
  session: DirectSession,
  channel: string,
  read: () => Promise<void>,
  fail: (error: unknown) => void,
): Promise<Listening & { again(): void }> {
  let reading = false
  let again = false
  const readOn = async () => {
    if (reading) {
      again = true
      return
    }
    reading = true
    do {
      again = false
      await read().catch(fail)
    } while (again)
    reading = false
  }
  const listening = await session.listen(
    channel,
    () => void readOn(),
    () => void readOn(),
  )
  await readOn()
  return { ...listening, again: () => void readOn() }
}
