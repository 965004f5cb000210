import { queueMessage } from '../message/queue.ts'
import type { NoticePurpose } from '../message/texts.ts'
import type { World } from '../world.ts'
import { contactsOf } from './contacts.ts'

/**
 * Tells a user what happened to their account, by e-mail; where there is none and it is worth a text message, by that. What was done is
 * done: a notice that cannot be queued is logged and holds nothing up.
 */
export async function tell(world: World, userId: string, purpose: NoticePurpose, way: 'email' | 'email or sms'): Promise<void> {
  try {
    const { email, mobile } = await contactsOf(world, userId)
    const told = email ?? (way === 'email' ? null : mobile)
    if (!told) return
    const channel = told.kind === 'mobile' ? 'sms' : 'email'
    const notice = { to: told.text, channel, purpose, code: null, seconds: 3_600 } as const
    await world.db.transaction().execute((transaction) => queueMessage(world, transaction, notice))
  } catch (error) {
    world.log.warn({ err: error }, 'notice not queued')
  }
}
