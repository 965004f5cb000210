import { accountLabel } from '@convexa/contract/account'
import type { Channel } from '@convexa/contract/verification'
import { RadioGroup } from '../../ui/form/choices.tsx'
import { FormRow } from '../../ui/form/form-row.tsx'
import { first, type Rule, rules } from '../../ui/form/rules.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import type { Form } from '../../ui/form/use-form.ts'

const channels = [
  { value: 'sms', label: '短信' },
  { value: 'email', label: '邮箱' },
] as const

/** What is typed says by which way a code comes; null while it could be either. */
export const channelOf = (account: string): Channel | null =>
  account.includes('@') ? 'email' : /^\s*1\d{2,}\s*$/.test(account) ? 'sms' : null

/** A mobile for text messages, an address for mails. */
export const accountRule: Rule<string, { channel: Channel }> = (text, { channel }) =>
  first<string, unknown>(rules.required(accountLabel), channel === 'email' ? rules.email : rules.mobile)(text, null)

interface AccountValues extends Record<string, unknown> {
  account: string
  channel: Channel
}

/** Account name and the channel of its code; the channel follows from what is typed. */
export function AccountRows<V extends AccountValues>({ form, focus = false }: { form: Form<V>; focus?: boolean }) {
  const account = form.bind('account')
  const type = (text: string) => form.change({ account: text, channel: channelOf(text) ?? form.values.channel } as Partial<V>)
  return (
    <>
      <FormRow label="手机号/邮箱" message={form.message('account')} required>
        {(control) => (
          <TextField
            {...control}
            {...account}
            onChange={type}
            autoComplete="username"
            inputMode="email"
            placeholder="请输入手机号或邮箱"
            autoFocus={focus}
          />
        )}
      </FormRow>
      <FormRow label="接收方式" group>
        {(control) => (
          <RadioGroup
            {...control}
            label="接收方式"
            name="channel"
            value={form.values.channel}
            choices={channels}
            onChange={(channel) => form.change({ channel } as Partial<V>)}
          />
        )}
      </FormRow>
    </>
  )
}
