import { FormRow } from '../../ui/form/form-row.tsx'
import { PasswordField, PasswordStrength } from '../../ui/form/password-field.tsx'
import type { Form } from '../../ui/form/use-form.ts'

type NewPassword = { password: string; password2: string }

/** The password to be, with how strong it is, and the same once more. */
export function NewPasswordRows({
  form,
  label = '新密码',
}: {
  form: Pick<Form<NewPassword>, 'values' | 'bind' | 'message'>
  /** Of the first. */
  label?: string
}) {
  return (
    <>
      <FormRow label={label} message={form.message('password')} required hint={<PasswordStrength password={form.values.password} />}>
        {(control) => <PasswordField {...control} {...form.bind('password')} fresh />}
      </FormRow>
      <FormRow label="确认密码" message={form.message('password2')} required>
        {(control) => <PasswordField {...control} {...form.bind('password2')} fresh />}
      </FormRow>
    </>
  )
}
