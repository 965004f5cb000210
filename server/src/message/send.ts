import { type Kysely, sql } from 'kysely'
import { unsealFor } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { alibabaSms } from './alibaba-sms.ts'
import { type Deliver, DeliveryError } from './deliver.ts'
import { countLost } from './lost-messages.ts'
import { outbox, outboxFolder } from './outbox.ts'
import { type Message, messageUse } from './queue.ts'
import { smtpMail } from './smtp.ts'
import { type Channel, wordsOf } from './texts.ts'

export type SenderConfig = Pick<Config, 'siteName' | 'siteUrl' | 'dataDir' | 'secretKey' | 'oldSecretKey' | 'smtpUrl' | 'mailFrom' | 'sms'>

export interface MessageDeps {
  readonly db: Kysely<Database>
  readonly config: SenderConfig
  readonly log: (event: string, details: Record<string, unknown>) => void
}

/** The ways out of this installation: the vendors that are configured, else the outbox folder. */
function delivererOf(config: SenderConfig): Record<Channel, Deliver> {
  return {
    sms: config.sms ? alibabaSms(config.sms) : outbox(config.dataDir, 'sms'),
    email: config.smtpUrl ? smtpMail(config.smtpUrl, config.mailFrom) : outbox(config.dataDir, 'email'),
  }
}

/** What start-up says when messages reach nobody; null when both vendors are configured. */
export function outboxNotice(config: SenderConfig): string | null {
  const missing = [config.sms ? '' : '短信', config.smtpUrl ? '' : '邮件'].filter(Boolean)
  return missing.length ? `${missing.join('和')}服务未配置：消息写入 ${outboxFolder(config.dataDir)}，不会发出` : null
}

/**
 * Sends one queued message: 1 claims its row, 2 opens it, 3 hands it to the vendor, 4 deletes the row. A message whose code has run out,
 * that the vendor refuses, or that we cannot open is deleted unsent. Safe to call again at any point; a kill between 3 and 4 may send
 * twice, which the message's id (mail) and the vendor's limit of one a minute (SMS) absorb.
 * @throws Undelivered when it should be tried again; the reason holds nothing secret, for the queue keeps it
 */
export function messageSender({ db, config, log }: MessageDeps, deliver = delivererOf(config)): (id: string) => Promise<void> {
  const drop = (id: string) => db.deleteFrom('message').where('id', '=', id).execute()
  return async (id) => {
    const over = await db.deleteFrom('message').where('expires_at', '<=', sql<Date>`now()`).returning('unclear').execute()
    // One whose last attempt was unclear may have reached its reader.
    countLost(over.filter(({ unclear }) => !unclear).length)
    const claimed = await claim(db, id)
    if (!claimed) return
    const opened = unsealFor(config, messageUse, claimed.sealed)
    if (opened === null) {
      log('message sealed with another key', { message: id })
      countLost(1)
      await drop(id)
      return
    }
    const message = JSON.parse(opened) as Message
    const { channel, purpose } = message
    try {
      await deliver[channel]({ ...message, ...wordsOf(config, message), id, maybeSent: claimed.maybeSent })
    } catch (error) {
      const { outcome, message: reason } = error instanceof DeliveryError ? error : new DeliveryError('unclear', codeOf(error))
      log('message not sent', { message: id, channel, purpose, outcome, reason, attempt: claimed.attempts })
      if (outcome === 'refused') {
        await drop(id)
        return
      }
      // What came after an unclear attempt does not make that one clearer.
      if (outcome === 'later' && !claimed.maybeSent) await db.updateTable('message').set({ unclear: false }).where('id', '=', id).execute()
      throw new DeliveryError(outcome, reason)
    }
    await drop(id)
  }
}

/** Marks the attempt before it is made: a process that dies in it leaves the mark behind. */
async function claim(db: Kysely<Database>, id: string) {
  const { rows } = await sql<{ sealed: Buffer; attempts: number; maybeSent: boolean }>`
    update message m set attempts = m.attempts + 1, unclear = true
    from (select id, unclear from message where id = ${id} for update) was
    where m.id = was.id
    returning m.sealed, m.attempts, was.unclear as "maybeSent"`.execute(db)
  return rows[0] ?? null
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? 'unknown')
