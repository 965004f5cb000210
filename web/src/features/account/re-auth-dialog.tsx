import { calls } from '@convexa/contract/calls'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { useAuth } from '../../state/auth.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, FormRow } from '../../ui/form/form-row.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { rules } from '../../ui/form/rules.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { forgetCode } from './code-sending.ts'
import { type Contacts, contactsOf, isSome } from './contacts.ts'
import { FormError } from './form-error.tsx'
import { noOwnCode, OwnCodeRows, ownCodeRules } from './own-code.tsx'
import styles from './re-auth-dialog.module.css'

type Way = 'password' | 'code'

/** Shows once more who one is, by the password or by a code to the account's own mobile or e-mail: five minutes are open then. */
export function ReAuthDialog({ onAnswer }: { onAnswer: (yes: boolean) => void }) {
  const user = useAuth((state) => state.userData)
  const contacts = contactsOf(user)
  const mayPassword = user?.has_password !== false
  const [way, setWay] = useState<Way>(mayPassword ? 'password' : 'code')
  const done = () => onAnswer(true)
  const form = way === 'code' && isSome(contacts) ? <ByCode contacts={contacts} onDone={done} /> : <ByPassword onDone={done} />
  return (
    <Dialog title="验证身份" width={400} onClose={() => onAnswer(false)}>
      <p className={styles.reAuthWhy}>这一步会影响账号安全，请先确认是你本人。验证后 5 分钟内不再询问。</p>
      {isSome(contacts) && mayPassword ? (
        <Tabs
          label="验证方式"
          value={way}
          onChange={setWay}
          tabs={[
            { key: 'password', label: '登录密码' },
            { key: 'code', label: '验证码' },
          ]}
        >
          <div className={styles.reAuthForm}>{form}</div>
        </Tabs>
      ) : (
        form
      )}
    </Dialog>
  )
}

function ByPassword({ onDone }: { onDone: () => void }) {
  const form = useForm({
    first: { password: '' },
    rules: { password: rules.required('密码') },
    submit: async ({ password }) => {
      await call(calls.user.reAuth, { body: { password } }).catch(sayPassword)
      onDone()
    },
    places: { 11001: 'password' },
  })
  return (
    <Form {...form.props} look="above" aria-label="用密码验证">
      <FormError error={form.refusal} />
      <FormRow label="登录密码" message={form.message('password')} required>
        {(control) => <PasswordField {...control} {...form.bind('password')} />}
      </FormRow>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在验证…' : '验证'}
      </Button>
    </Form>
  )
}

/** The server has one sentence for account and password; here the account is known. */
function sayPassword(error: unknown): never {
  if (!(error instanceof CallError) || error.code !== 11001) throw error
  throw new CallError('response', '密码错误', error.code, error.requestId, error.status)
}

const purpose = 're-auth'

function ByCode({ contacts, onDone }: { contacts: Contacts; onDone: () => void }) {
  const form = useForm({
    first: noOwnCode(contacts),
    rules: ownCodeRules(contacts),
    submit: async ({ code }) => {
      await call(calls.user.reAuth, { body: { verification_code: code.trim() } })
      forgetCode(purpose)
      onDone()
    },
    places: { 11003: 'code' },
  })
  return (
    <Form {...form.props} look="above" aria-label="用验证码验证">
      <FormError error={form.refusal} />
      <OwnCodeRows contacts={contacts} purpose={purpose} form={form} />
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在验证…' : '验证'}
      </Button>
    </Form>
  )
}
