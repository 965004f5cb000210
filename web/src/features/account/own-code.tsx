import { calls } from '@convexa/contract/calls'
import type { Channel } from '@convexa/contract/verification'
import { call } from '../../api/client.ts'
import { RadioGroup } from '../../ui/form/choices.tsx'
import { FormRow } from '../../ui/form/form-row.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { CodeRow } from './code-row.tsx'
import { useCodeSending } from './code-sending.ts'
import { type Contacts, chosenOf, contactRule } from './contacts.ts'

/** What a form holds to prove by a code to the account's own mobile or e-mail who fills it in. */
export type OwnCode = { channel: Channel; target: string; code: string }

export const noOwnCode = (contacts: Contacts): OwnCode => ({ channel: contacts[0].channel, target: '', code: '' })

export const ownCodeRules = (contacts: Contacts) => ({
  target: (text: string, { channel }: OwnCode) => contactRule(chosenOf(contacts, channel))(text, null),
  code: first<string, unknown>(rules.required('验证码'), rules.code),
})

/** Which of the account's own contacts gets the code, the whole of it (masked it could not be sent to), and the code. */
export function OwnCodeRows({
  contacts,
  purpose,
  form,
}: {
  contacts: Contacts
  /** Key of the resend timer: senders of one purpose share it. */
  purpose: string
  form: Pick<Form<OwnCode>, 'values' | 'bind' | 'message' | 'change'>
}) {
  const chosen = chosenOf(contacts, form.values.channel)
  const target = form.values.target.trim()
  const sending = useCodeSending({
    purpose,
    target,
    send: (options) => call(calls.verification.resetCode, { params: { target }, query: { channel: chosen.channel } }, options),
  })
  return (
    <>
      {contacts.length > 1 && (
        <FormRow label="接收方式" group>
          {(control) => (
            <RadioGroup
              {...control}
              name="channel"
              label="接收方式"
              value={chosen.channel}
              choices={contacts.map(({ channel, masked }) => ({
                value: channel,
                label: channel === 'sms' ? '短信' : '邮件',
                hint: masked,
              }))}
              onChange={(channel) => form.change({ channel, target: '' })}
            />
          )}
        </FormRow>
      )}
      <FormRow label={chosen.name} note={`已绑定 ${chosen.masked}`} message={form.message('target')} required>
        {(control) => (
          <TextField
            {...control}
            {...form.bind('target')}
            inputMode={chosen.channel === 'sms' ? 'tel' : 'email'}
            autoComplete={chosen.channel === 'sms' ? 'tel' : 'email'}
            placeholder={`请输入完整的${chosen.name}`}
          />
        )}
      </FormRow>
      <CodeRow
        bound={form.bind('code')}
        message={form.message('code')}
        sending={sending}
        ready={contactRule(chosen)(target, null) === null}
      />
    </>
  )
}
