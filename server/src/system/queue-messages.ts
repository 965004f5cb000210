import { sql } from 'kysely'
import type { Store } from '../db/connect.ts'
import { openQueue } from '../queue/queue.ts'

/** Codes and notices that are older than this are not sent any more: nobody waits for them. */
const messageAge = "interval '10 minutes'"

/** Puts messages that were not sent into the queue of a site that was copied or restored. @returns how many */
export async function queueMessages({ db }: Pick<Store, 'db'>, connectionString: string): Promise<number> {
  const queue = await openQueue(connectionString, db, () => {})
  try {
    return await db.transaction().execute(async (transaction) => {
      const waiting = await transaction
        .selectFrom('message')
        .select('id')
        .where('created_at', '>', sql<Date>`now() - ${sql.raw(messageAge)}`)
        .where('expires_at', '>', sql<Date>`now()`)
        .execute()
      for (const { id } of waiting) await queue.addMessage(transaction, id)
      return waiting.length
    })
  } finally {
    await queue.close()
  }
}
