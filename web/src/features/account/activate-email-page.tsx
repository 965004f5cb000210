import { calls } from '@convexa/contract/calls'
import { sentences } from '@convexa/contract/rules/sentences'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { queries, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { loginUrlFrom } from '../../state/return-url.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/form/code-field.tsx'
import { FormRow } from '../../ui/form/form-row.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useCodeSending } from './code-sending.ts'
import { HumanCheck } from './human-check.tsx'
import { reAuthed } from './re-auth.ts'

const profile = '/personal/profile'
const sixDigits = /^\d{6}$/

/** Where the link of a mail leads: the code in it is used as soon as it is known whose it is. */
export function ActivateEmailPage() {
  const code = useSearchParams()[0].get('code') ?? ''
  const known = useAuth(({ tokenData }) => tokenData !== null)
  return <AuthLayout title="激活邮箱">{known ? <Activation key={code} code={code} /> : <LoginFirst />}</AuthLayout>
}

/** The code stays in the address that the login comes back to. */
function LoginFirst() {
  const { pathname, search } = useLocation()
  return (
    <Stack gap={12} align="center" className="door-done">
      <Icon name="lock" />
      <b>{sentences.loginFirst}</b>
      <p>登录后回到这里，继续激活邮箱。</p>
      <PageLink to={loginUrlFrom(pathname + search)} className="button primary large">
        去登录
      </PageLink>
    </Stack>
  )
}

type State = { name: 'asking' } | { name: 'done'; email: string } | { name: 'failed'; error: unknown } | { name: 'empty' }

function Activation({ code }: { code: string }) {
  const [state, setState] = useState<State>(sixDigits.test(code) ? { name: 'asking' } : { name: 'empty' })
  const begun = useRef(false)
  const activate = useCallback(async (activation_code: string) => {
    setState({ name: 'asking' })
    try {
      const { email_masked } = await call(calls.verification.activateEmail, { body: { activation_code } })
      setState({ name: 'done', email: email_masked })
      void queries.invalidateQueries({ queryKey: userQuery.queryKey })
    } catch (error) {
      setState({ name: 'failed', error })
    }
  }, [])
  useEffect(() => {
    if (begun.current || !sixDigits.test(code)) return
    begun.current = true
    void activate(code)
  }, [code, activate])
  if (state.name === 'asking')
    return (
      <Stack gap={12} align="center" className="door-done" role="status">
        <span className="spinner" />
        <p>正在激活…</p>
      </Stack>
    )
  if (state.name === 'done')
    return (
      <Stack gap={12} align="center" className="door-done" role="status">
        <Icon name="check" />
        <b>邮箱 {state.email} 已激活</b>
        <PageLink to={profile} className="button primary large">
          返回个人资料
        </PageLink>
      </Stack>
    )
  return <Again error={state.name === 'failed' ? state.error : null} onCode={activate} />
}

const wrong = 11012

/** The link does not work any more: a new code, typed here. */
function Again({ error, onCode }: { error: unknown; onCode: (code: string) => Promise<void> }) {
  const [code, setCode] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const sending = useCodeSending({
    purpose: 'activate-email',
    target: 'own',
    send: (options) => reAuthed(() => call(calls.verification.emailCode, {}, options)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (sixDigits.test(code)) void onCode(code)
    else setMistake('请输入 6 位数字验证码')
  }
  const refused = error === null ? null : error instanceof CallError && error.code === wrong ? sentences.linkEnded : sentenceOf(error)
  return (
    <Stack gap={12} align="center" className="door-done">
      {refused !== null && (
        <div role="alert">
          <Icon name="warn" />
          <b>{refused}</b>
        </div>
      )}
      <p>激活码 5 分钟内有效，只能使用一次。可以重新发送，再把邮件里的 6 位激活码填在这里。</p>
      <form className="form above" onSubmit={submit} noValidate aria-label="输入激活码">
        <FormRow
          label="激活码"
          message={mistake ?? sending.message}
          done={sending.sentTo !== null && `激活码已发送至 ${sending.sentTo}，5 分钟内有效`}
          required
        >
          {(control) => (
            <CodeField
              {...control}
              value={code}
              onChange={(text) => {
                setCode(text)
                setMistake(null)
              }}
              asking={sending}
              action="重新发送"
              onSend={() => void sending.start()}
            />
          )}
        </FormRow>
        {sending.asksHuman && <HumanCheck onAnswer={(answer) => void sending.answer(answer)} />}
        <Button type="submit" look={['primary', 'large', 'wide']}>
          激活
        </Button>
      </form>
      <PageLink to={profile} className="link">
        返回个人资料
      </PageLink>
    </Stack>
  )
}
