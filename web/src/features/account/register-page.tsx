import { accountLabel } from '@convexa/contract/account'
import { calls } from '@convexa/contract/calls'
import { dataModes } from '@convexa/contract/enums/data-mode'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { useSite } from '../../api/site.ts'
import { loginUrlFrom } from '../../state/return-url.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormRow } from '../../ui/form/form-row.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Steps } from '../../ui/steps.tsx'
import { toast } from '../../ui/toast.tsx'
import { Agreement } from '../legal/agreement.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { CodeRow } from './code-row.tsx'
import { forgetCode, lastTarget, useCodeSending } from './code-sending.ts'
import { useCompleteLogin } from './complete-login.ts'
import { FormError } from './form-error.tsx'
import { NewPasswordRows } from './new-password-rows.tsx'

const purpose = 'register'
const steps = [
  { key: 'account', title: '账号' },
  { key: 'done', title: '完成' },
] as const
const places = { 11003: 'code', 11006: 'account', 11007: 'password', 11008: 'password' } as const
const taken = 11009
const account = first<string, unknown>(rules.required(accountLabel), rules.account)

export function RegisterPage() {
  const redirect = useSearchParams()[0].get('redirect')
  const { data_mode: mode } = useSite()
  return (
    <AuthLayout title="注册">
      <Steps label="注册步骤" steps={steps} now={0} />
      <RegisterForm redirect={redirect} />
      <p className="door-other">
        已有账号？
        <PageLink to={loginUrlFrom(redirect ?? '/')} className="link">
          去登录
        </PageLink>
      </p>
      {Object.values(mode).includes('demo') && (
        <p className="register-demo">
          <span className="badge demo">
            <Icon name="info" size="middle" />
            {dataModes.demo.label}
          </span>
          注册后进入演示模式，行情由模型模拟生成，非真实行情。
        </p>
      )}
    </AuthLayout>
  )
}

function RegisterForm({ redirect }: { redirect: string | null }) {
  const enter = useCompleteLogin()
  const [last] = useState(() => lastTarget(purpose))
  const form = useForm({
    first: { account: last, code: '', password: '', password2: '', agree: false },
    rules: {
      account,
      code: first<string, unknown>(rules.required('验证码'), rules.code),
      password: (text, all) => rules.required('密码')(text, all) ?? rules.password(all.account)(text, all),
      password2: (text, all) => rules.required('确认密码')(text, all) ?? rules.password2(all.password)(text, all),
      agree: rules.agree,
    },
    submit: async ({ account, code, password }) => {
      const token = await call(calls.verification.register, {
        body: { target: account.trim(), verification_code: code, password, agree: true },
      })
      forgetCode(purpose)
      toast.done('注册成功')
      await enter(token, true, redirect)
    },
    places,
  })
  const target = form.values.account.trim()
  const sending = useCodeSending({
    purpose,
    target,
    send: (options) => call(calls.verification.registerCode, { params: { target } }, options),
  })
  const known = form.refusal instanceof CallError && form.refusal.code === taken
  return (
    <Form {...form.props} look="above" aria-label="注册">
      <FormError
        error={form.refusal}
        way={
          known && (
            <PageLink to={loginUrlFrom(redirect ?? '/')} state={{ account: target }} className="link">
              去登录
            </PageLink>
          )
        }
      />
      <FormRow label="手机号/邮箱" message={form.message('account')} required>
        {(control) => (
          <TextField
            {...control}
            {...form.bind('account')}
            autoComplete="username"
            inputMode="email"
            placeholder="请输入手机号或邮箱"
            autoFocus
          />
        )}
      </FormRow>
      <CodeRow
        bound={form.bind('code')}
        message={form.message('code')}
        sending={sending}
        ready={target !== '' && account(target, null) === null}
      />
      <NewPasswordRows form={form} label="设置密码" />
      <Agreement bound={form.bind('agree')} message={form.message('agree')} />
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在注册…' : '注册'}
      </Button>
    </Form>
  )
}
