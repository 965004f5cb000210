import { unsealFor } from '../src/base/secret.ts'
import type { AppContext } from '../src/context/app-context.ts'
import { type Message, messageUse } from '../src/message/queue.ts'

/** What was queued for `to` and is not sent yet, oldest first. In a test without a worker that is all that was ever queued. */
export async function messagesTo({ db, config }: Pick<AppContext, 'db' | 'config'>, to: string): Promise<Message[]> {
  const rows = await db.selectFrom('message').select('sealed').orderBy('id').execute()
  return rows.map(({ sealed }) => JSON.parse(unsealFor(config, messageUse, sealed) ?? 'null') as Message).filter((one) => one.to === to)
}
