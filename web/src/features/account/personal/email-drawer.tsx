import { calls } from '@convexa/contract/calls'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { CallError } from '../../../api/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { first, rules } from '../../../ui/form/rules.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Row } from '../../../ui/layout.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type CodeSending, forgetCode, useCodeSending } from '../code-sending.ts'
import { FormError } from '../form-error.tsx'
import { HumanCheck } from '../human-check.tsx'
import { reloadUser } from '../own-user.ts'
import { reAuthed } from '../re-auth.ts'
import type { DrawerProps } from './drawer-props.ts'
import styles from './profile.module.css'
import { SixDigits } from './six-digits.tsx'

const purpose = 'activate-email'

/** 未激活 → 已发送 → 已激活: an e-mail comes into force by the six digits that were sent to it, or by the link beside them. */
export function EmailDrawer({ user, onClose }: DrawerProps) {
  const { email_masked: masked, email_activated: activated } = user
  const waiting = masked !== null && !activated
  const [other, setOther] = useState(!waiting)
  const form = useForm({
    first: { email: '' },
    rules: { email: first<string, unknown>(rules.required('邮箱'), rules.email) },
    submit: async () => sending.start(),
  })
  const email = form.values.email.trim()
  // The one that waits is known masked only: the server knows the rest.
  const target = other ? email : (masked ?? '')
  const sending = useCodeSending({
    purpose,
    target,
    send: (options) => reAuthed(() => call(calls.verification.emailCode, { query: other ? { email } : {} }, options)),
  })
  useFollowLink(sending.sentTo !== null)
  const isNew = activated ? '更换邮箱' : '激活邮箱'
  return (
    <Drawer title={isNew} note={masked && `${masked} · ${activated ? '已激活' : '未激活'}`} focus="field" onClose={onClose}>
      {sending.sentTo === null ? (
        <Form {...form.props} {...(!other && { onSubmit: sendToWaiting(sending) })} look="above" aria-label={isNew}>
          {other ? (
            <FormRow label={activated ? '新邮箱' : '邮箱'} message={form.message('email') ?? sending.message} required>
              {(control) => (
                <TextField
                  {...control}
                  {...form.bind('email')}
                  type="email"
                  inputMode="email"
                  autoComplete="email"
                  placeholder="name@example.com"
                />
              )}
            </FormRow>
          ) : (
            <div>
              <p className={styles.drawerLead}>
                激活码会发到 <b>{masked}</b>。
              </p>
              <FieldError>{sending.message}</FieldError>
            </div>
          )}
          {sending.asksHuman && <HumanCheck onAnswer={(answer) => void sending.answer(answer)} />}
          <Button type="submit" look={['primary', 'large', 'wide']} disabled={sending.busy || sending.left > 0}>
            {sending.busy ? '正在发送…' : sending.left > 0 ? `${sending.left} 秒后可重发` : '发送激活码'}
          </Button>
          {waiting && (
            <button type="button" className="link size-13" onClick={() => setOther(!other)}>
              {other ? `仍激活 ${masked}` : '换一个邮箱'}
            </button>
          )}
          {activated && <p className="note">激活新邮箱之前，原邮箱 {masked} 继续有效；更换后原邮箱会收到提醒。</p>}
        </Form>
      ) : (
        <Activate sending={sending} sentTo={sending.sentTo} onOther={() => forgetAnd(() => setOther(true), form.reset)} onClose={onClose} />
      )}
    </Drawer>
  )
}

const sendToWaiting = (sending: CodeSending) => (event: { preventDefault: () => void }) => {
  event.preventDefault()
  void sending.start()
}

function forgetAnd(then: () => void, reset: (values: { email: string }) => void): void {
  forgetCode(purpose)
  reset({ email: '' })
  then()
}

/** The link of the mail is opened in another tab: coming back to this one shows what became of it. */
function useFollowLink(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const look = () => void (document.visibilityState === 'visible' && reloadUser())
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [on])
}

function Activate({
  sending,
  sentTo,
  onOther,
  onClose,
}: {
  sending: CodeSending
  sentTo: string
  onOther: () => void
  onClose: () => void
}) {
  const form = useForm({
    first: { code: '' },
    rules: { code: first<string, unknown>(rules.required('激活码'), (text) => (text.length === 6 ? null : '请输入 6 位数字激活码')) },
    submit: async ({ code }) => {
      const { email_masked } = await call(calls.verification.activateEmail, { body: { activation_code: code } }).catch(sayTaken)
      forgetCode(purpose)
      await reloadUser()
      toast.done(`邮箱 ${email_masked} 已激活`)
      onClose()
    },
    places: { 11012: 'code', 11009: 'code' },
  })
  const { bind, message, props, busy, values, change } = form
  return (
    <Form {...props} look="above" aria-label="输入激活码">
      <FormError error={form.refusal} />
      <p className={styles.drawerLead} role="status">
        激活码已发送至 <b>{sentTo}</b>，5 分钟内有效。
      </p>
      <FormRow label="激活码" message={message('code')} required hint="也可以直接打开邮件里的链接完成激活。">
        {(control) => <SixDigits {...control} {...bind('code')} onChange={(code) => change({ code })} />}
      </FormRow>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={busy || values.code.length < 6}>
        {busy ? '正在激活…' : '激活'}
      </Button>
      {sending.asksHuman && <HumanCheck onAnswer={(answer) => void sending.answer(answer)} />}
      <FieldError>{sending.message}</FieldError>
      <Row align="stretch" className={styles.drawerWays}>
        <button type="button" className="link size-13" disabled={sending.busy || sending.left > 0} onClick={() => void sending.start()}>
          {sending.busy ? '正在发送…' : sending.left > 0 ? `${sending.left} 秒后可重发` : '重新发送'}
        </button>
        <button type="button" className="link size-13" onClick={onOther}>
          换一个邮箱
        </button>
      </Row>
    </Form>
  )
}

/** The server speaks of a registration here; what is meant is that the e-mail is another account's. */
function sayTaken(error: unknown): never {
  if (!(error instanceof CallError) || error.code !== 11009) throw error
  throw new CallError('response', '该邮箱已被其他账号使用', error.code, error.requestId, error.status)
}
