import type { AppContext } from '../context/app-context.ts'
import { queueMessage } from '../message/queue.ts'
import type { NoticePurpose } from '../message/texts.ts'
import { contactsOf } from './contacts.ts'

/**
 * Tells a user what happened to their account, by e-mail; where there is none and it is worth a text message, by that. What was done is
 * done: a notice that cannot be queued is logged and holds nothing up.
 */
export async function tell(context: AppContext, userId: string, purpose: NoticePurpose, way: 'email' | 'email or sms'): Promise<void> {
  try {
    const { email, mobile } = await contactsOf(context, userId)
    const recipient = email ?? (way === 'email' ? null : mobile)
    if (!recipient) return
    const channel = recipient.kind === 'mobile' ? 'sms' : 'email'
    const notice = { to: recipient.text, channel, purpose, code: null, seconds: 3_600 } as const
    await context.db.transaction().execute((transaction) => queueMessage(context, transaction, notice))
  } catch (error) {
    context.log.warn({ err: error }, 'notice not queued')
  }
}
