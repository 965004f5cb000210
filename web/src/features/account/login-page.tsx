import { accountLabel } from '@convexa/contract/account'
import { calls } from '@convexa/contract/calls'
import { dataModes } from '@convexa/contract/enums/data-mode'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Form, FormRow } from '../../ui/form/form-row.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useCompleteLogin } from './complete-login.ts'
import { FormError } from './form-error.tsx'
import { useHumanCheck } from './use-human-check.tsx'
import { WechatLoginPanel } from './wechat-login-panel.tsx'
import './login.css'

type Way = 'password' | 'wechat'
const ways = [
  { key: 'password', label: '密码登录' },
  { key: 'wechat', label: '微信扫码' },
] as const

export function LoginPage() {
  const { features, wechat_web: wechat } = useSite()
  const [search, setSearch] = useSearchParams()
  const [remember, setRemember] = useState(false)
  const redirect = search.get('redirect')
  const way: Way = search.get('way') === 'wechat' ? 'wechat' : 'password'
  const choose = (next: Way) =>
    setSearch(
      (now) => {
        now.delete('way')
        if (next === 'wechat') now.set('way', next)
        return now
      },
      { replace: true },
    )
  const { demo_login: demo } = features
  const kept = (
    <Checkbox name="remember" checked={remember} onChange={setRemember}>
      记住我
    </Checkbox>
  )
  return (
    <AuthLayout title="登录">
      {/* Before the site's texts are here there is one way; what is typed meanwhile stays. */}
      <Tabs label="登录方式" tabs={wechat ? ways : ways.slice(0, 1)} value={way} onChange={choose}>
        <div className="login-panel">
          {wechat && way === 'wechat' ? (
            <>
              <WechatLoginPanel wechat={wechat} path="/login/wechat-callback" keep={{ redirect, remember }} action="微信一键登录" />
              {kept}
            </>
          ) : (
            <PasswordForm kept={kept} remember={remember} />
          )}
        </div>
      </Tabs>
      <p className="door-other">
        还没有账号？
        <PageLink to={{ pathname: '/register', search: redirect ? `?redirect=${encodeURIComponent(redirect)}` : '' }} className="link">
          立即注册
        </PageLink>
      </p>
      {demo && (
        <>
          <Row gap={12} className="login-or">
            <span>或</span>
          </Row>
          <DemoButton account={demo.account} password={demo.password} />
        </>
      )}
    </AuthLayout>
  )
}

/** Logs in by password; `panel` is the human check where the server asks for it. Rejects with what the server said. */
function useLogin() {
  const enter = useCompleteLogin()
  const { send, panel } = useHumanCheck()
  const redirect = useSearchParams()[0].get('redirect')
  const login = async (account: string, password: string, remember: boolean) =>
    enter(await send((options) => call(calls.authorize.byPassword, { body: { account, password } }, options)), remember, redirect)
  return { login, panel }
}

/** The server's 11001, a wrong password, is said at the field, not in an alert. */
const places = { 11001: 'password' } as const

function PasswordForm({ kept, remember }: { kept: React.ReactNode; remember: boolean }) {
  const { login, panel } = useLogin()
  // Another page knows the account already: one that was just registered or given a new password.
  const known = (useLocation().state as { account?: string } | null)?.account ?? ''
  const form = useForm({
    first: { account: known, password: '' },
    rules: { account: first<string, unknown>(rules.required(accountLabel), rules.account), password: rules.required('密码') },
    submit: ({ account, password }) => login(account.trim(), password, remember),
    places,
  })
  return (
    <Form {...form.props} look="above" className="form above login-password" aria-label="密码登录">
      <FormError error={form.refusal} />
      <FormRow label="手机号/邮箱" message={form.message('account')} required>
        {(control) => (
          <TextField
            {...control}
            {...form.bind('account')}
            autoComplete="username"
            inputMode="email"
            placeholder="请输入手机号或邮箱"
            autoFocus={known === ''}
          />
        )}
      </FormRow>
      <FormRow label="密码" message={form.message('password')} required>
        {(control) => <PasswordField {...control} {...form.bind('password')} placeholder="8 至 128 位" />}
      </FormRow>
      {panel}
      <div className="login-remember">{kept}</div>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在登录…' : '登录'}
      </Button>
      <PageLink to="/forgot-password" state={{ account: form.values.account }} className="link login-forgot">
        忘记密码？
      </PageLink>
    </Form>
  )
}

function DemoButton({ account, password }: { account: string; password: string }) {
  const { login, panel } = useLogin()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const enter = async () => {
    setBusy(true)
    setError(null)
    await login(account, password, true).catch(setError)
    setBusy(false)
  }
  return (
    <>
      <Button look={['outline', 'large', 'wide']} disabled={busy} onClick={enter}>
        {busy ? '正在进入…' : '进入体验账号'}
      </Button>
      {panel}
      <FieldError id="demo-mistake">{error === null ? null : sentenceOf(error)}</FieldError>
      <p className="login-demo">
        <span className="badge demo">
          <Icon name="info" size="middle" />
          {dataModes.demo.label}
        </span>
        无需注册，直接使用全部工具；其中的内容只有你能看到，一天后清除。演示行情由模型模拟生成，非真实行情，不能用于交易。
      </p>
    </>
  )
}
