import type { User } from '@convexa/contract/user'
import type { Channel } from '@convexa/contract/verification'
import { first, type Rule, rules } from '../../ui/form/rules.ts'
import { fitsMask } from './masks.ts'

/** A mobile or e-mail in force: where a code can be sent to that shows who one is. */
export interface Contact {
  channel: Channel
  name: '手机号' | '邮箱'
  masked: string
}

type Known = Pick<User, 'mobile_masked' | 'email_masked' | 'email_activated'>

export const contactsOf = (user: Known | null): Contact[] => [
  ...(user?.mobile_masked ? [{ channel: 'sms' as const, name: '手机号' as const, masked: user.mobile_masked }] : []),
  ...(user?.email_masked && user.email_activated ? [{ channel: 'email' as const, name: '邮箱' as const, masked: user.email_masked }] : []),
]

export type Contacts = readonly [Contact, ...Contact[]]
export const isSome = (contacts: readonly Contact[]): contacts is Contacts => contacts.length > 0

export const chosenOf = (contacts: Contacts, channel: Channel): Contact => contacts.find((one) => one.channel === channel) ?? contacts[0]

/** The whole of a contact that is known masked only. */
export const contactRule = ({ channel, name, masked }: Contact): Rule<string> =>
  first<string, unknown>(rules.required(name), channel === 'sms' ? rules.mobile : rules.email, (text) =>
    text === '' || fitsMask(text, masked) ? null : `与已绑定的${name} ${masked} 不一致`,
  )
