import { calls } from '@convexa/contract/calls'
import type { Channel } from '@convexa/contract/verification'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Form } from '../../ui/form/form-row.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { type Form as FormOf, useForm } from '../../ui/form/use-form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Steps } from '../../ui/steps.tsx'
import { useSecondsTo } from '../../ui/use-seconds-to.ts'
import { AccountRows, accountRule, channelOf } from './account-rows.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { CodeRow } from './code-row.tsx'
import { type CodeSending, forgetCode, lastTarget, useCodeSending } from './code-sending.ts'
import { FormError } from './form-error.tsx'
import { HumanCheck } from './human-check.tsx'
import { NewPasswordRows } from './new-password-rows.tsx'

const purpose = 'reset-password'
const steps = [
  { key: 'account', title: '账号' },
  { key: 'password', title: '新密码' },
  { key: 'done', title: '完成' },
] as const
type Values = { account: string; channel: Channel; code: string; password: string; password2: string }

/** Three steps. Nothing on the way says whether there is such an account. */
export function ForgotPasswordPage() {
  const known = (useLocation().state as { account?: string } | null)?.account
  // A code is on its way since before the reload: the second step goes on.
  const [last] = useState(() => lastTarget(purpose))
  const [step, setStep] = useState<0 | 1 | 2>(last ? 1 : 0)
  const account = last || known || ''
  const form = useForm<Values>({
    first: { account, channel: channelOf(account) ?? 'sms', code: '', password: '', password2: '' },
    rules: {
      account: accountRule,
      code: first<string, unknown>(rules.required('验证码'), rules.code),
      password: (text, all) => rules.required('新密码')(text, all) ?? rules.password(all.account)(text, all),
      password2: (text, all) => rules.required('确认密码')(text, all) ?? rules.password2(all.password)(text, all),
    },
    submit: async ({ account, code, password }) => {
      const body = { verification_code: code, new_password: password }
      await call(calls.verification.newPassword, { params: { target: account.trim() }, body })
      forgetCode(purpose)
      setStep(2)
    },
    places: { 11003: 'code', 11006: 'account', 11007: 'password', 11008: 'password' },
  })
  const target = form.values.account.trim()
  const query = { channel: form.values.channel }
  const sending = useCodeSending({
    purpose,
    target,
    send: (options) => call(calls.verification.resetCode, { params: { target }, query }, options),
  })
  useEffect(() => {
    if (sending.sentTo !== null) setStep((now) => (now === 0 ? 1 : now))
  }, [sending.sentTo])
  return (
    <AuthLayout title="找回密码">
      <Steps
        label="找回密码的步骤"
        steps={steps}
        now={step}
        {...(step === 1 && {
          onGo: () => {
            forgetCode(purpose)
            setStep(0)
          },
        })}
      />
      {step === 0 && <AccountStep form={form} sending={sending} onNext={() => setStep(1)} />}
      {step === 1 && <PasswordStep form={form} sending={sending} />}
      {step === 2 && <Done account={target} />}
      {step !== 2 && (
        <p className="door-other">
          想起来了？
          <PageLink to="/login" className="link">
            去登录
          </PageLink>
        </p>
      )}
    </AuthLayout>
  )
}

function AccountStep({ form, sending, onNext }: { form: FormOf<Values>; sending: CodeSending; onNext: () => void }) {
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (!form.check('account')) return
    // A code for this account is still good.
    if (sending.sentTo !== null) return onNext()
    void sending.start()
  }
  const waits = sending.sentTo === null && sending.left > 0
  return (
    <Form {...form.props} onSubmit={next} look="above" aria-label="要找回的账号">
      <AccountRows form={form} focus />
      {sending.asksHuman && <HumanCheck onAnswer={(answer) => void sending.answer(answer)} />}
      <FieldError>{sending.message}</FieldError>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={sending.busy || sending.asksHuman || waits}>
        {sending.busy ? '正在发送…' : waits ? `${sending.left} 秒后可以继续` : '下一步'}
      </Button>
    </Form>
  )
}

const sentWords = () => '若该账号存在，验证码已发送，5 分钟内有效'

function PasswordStep({ form, sending }: { form: FormOf<Values>; sending: CodeSending }) {
  return (
    <Form {...form.props} look="above" aria-label="设置新密码">
      <FormError error={form.refusal} />
      <CodeRow bound={form.bind('code')} message={form.message('code')} sending={sending} ready sentWords={sentWords} focus />
      <NewPasswordRows form={form} />
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在重置…' : '重置密码'}
      </Button>
    </Form>
  )
}

const pauseMs = 5_000

/** Redirects to the login after a pause, unless the user stays. */
function Done({ account }: { account: string }) {
  const navigate = useNavigate()
  const [until, setUntil] = useState<number | null>(() => Date.now() + pauseMs)
  const left = useSecondsTo(until)
  const over = until !== null && left === 0
  useEffect(() => {
    if (over) void navigate('/login', { replace: true, state: { account } })
  }, [over, account, navigate])
  return (
    <Stack gap={12} align="center" className="door-done" role="status">
      <Icon name="check" />
      <b>密码已重置，其他设备已退出登录</b>
      <PageLink to="/login" state={{ account }} className="button primary large">
        去登录
      </PageLink>
      {until !== null && (
        <p>
          <span aria-hidden="true">{left} 秒后自动跳转 </span>
          <button type="button" className="link" onClick={() => setUntil(null)}>
            取消自动跳转
          </button>
        </p>
      )}
    </Stack>
  )
}
