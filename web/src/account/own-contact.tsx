import type { Channel } from '@convexa/contract/verification'
import { RadioGroup } from '../ui/form/choices.tsx'
import { FormRow } from '../ui/form/form-row.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import type { Bound } from '../ui/form/use-form.ts'
import type { Contact } from './contacts.ts'

/** Which of the account's own contacts gets the code, and the whole of it: masked it could not be sent to. */
export function OwnContact({
  contacts,
  chosen,
  target,
  message,
  onChannel,
}: {
  contacts: readonly Contact[]
  chosen: Contact
  target: Bound<string>
  message: string | null
  onChannel: (channel: Channel) => void
}) {
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
              onChange={onChannel}
            />
          )}
        </FormRow>
      )}
      <FormRow label={chosen.name} note={`已绑定 ${chosen.masked}`} message={message} required>
        {(control) => (
          <TextField
            {...control}
            {...target}
            inputMode={chosen.channel === 'sms' ? 'tel' : 'email'}
            autoComplete={chosen.channel === 'sms' ? 'tel' : 'email'}
            placeholder={`请输入完整的${chosen.name}`}
          />
        )}
      </FormRow>
    </>
  )
}
