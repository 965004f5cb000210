import { sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { type SecretSettings, sealFor } from '../base/secret.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { Channel, Purpose } from './texts.ts'

/** What is sent to whom. `to` is a mobile or an address as the vendor takes it. */
export interface Message {
  readonly to: string
  readonly channel: Channel
  readonly purpose: Purpose
  /** null for a notice. */
  readonly code: string | null
  /** The day that news are of, as they say it. */
  readonly date?: string
  /** How long the code is good for; also how long we go on trying. */
  readonly seconds: number
}

export const messageUse = 'message'

/**
 * Puts a message on its way in the transaction that made it: both are there or neither. A worker sends it; nobody waits for a vendor.
 * @returns id of the message
 */
export async function queueMessage(
  { config, queue }: Pick<AppContext, 'queue'> & { readonly config: SecretSettings },
  transaction: Transaction<Database>,
  message: Message,
): Promise<string> {
  const { addMessage } = await queue()
  const id = uuid()
  await transaction
    .insertInto('message')
    .values({
      id,
      sealed: sealFor(config, messageUse, JSON.stringify(message)),
      expires_at: sql<Date>`now() + make_interval(secs => ${message.seconds})`,
    })
    .execute()
  await addMessage(transaction, id)
  return id
}
