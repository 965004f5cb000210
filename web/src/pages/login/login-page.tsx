import { calls } from '@convexa/contract/calls'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { queries, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { copyrightYears, useSite } from '../../state/site.ts'
import { ownPath } from '../../state/way-back.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Form, FormRow } from '../../ui/form/form-row.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Icon, type IconName, Logo } from '../../ui/icon.tsx'
import { riskSentence } from '../layout/risk.ts'
import { Convexity } from './convexity.tsx'
import './login.css'

const words: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'filter', title: '写一条规则，当场看到名单。', text: '每改一个条件，剩余只数立即更新。' },
  { icon: 'chart', title: '逐日回放，每笔都说得出原因。', text: '买入、移出与剔除逐条留痕，成本与停牌计入。' },
  { icon: 'shield', title: '同一数据，同一结果。', text: '每份报告都带数据版本与引擎版本，可以重算核对。' },
]

export function LoginPage() {
  const site = useSite()
  const { demo_login: demo } = site.features
  return (
    <main className="login" id="main">
      <section className="login-why">
        <div className="login-brand">
          <Logo size={32} />
          {site.name}
        </div>
        <div className="login-words">
          <Convexity />
          <h1>把想法变成可验证的规则</h1>
          <ul>
            {words.map(({ icon, title, text }) => (
              <li key={title}>
                <Icon name={icon} />
                <span>
                  <b>{title}</b>
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </div>
        <p className="login-risk">{riskSentence}</p>
      </section>
      <section className="login-door">
        <div className="login-form">
          <h2>登录</h2>
          <PasswordForm />
          {demo && (
            <>
              <div className="login-or">
                <span>或</span>
              </div>
              <DemoButton account={demo.account} password={demo.password} />
            </>
          )}
        </div>
        <footer>
          <span>
            © {copyrightYears(new Date().getFullYear())} {site.copyright}
          </span>
          {site.icp && (
            <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
              {site.icp}
            </a>
          )}
          {site.beian && (
            <a href="https://beian.mps.gov.cn/" target="_blank" rel="noopener noreferrer">
              {site.beian}
            </a>
          )}
        </footer>
      </section>
    </main>
  )
}

/** Logs in, keeps the tokens and goes where the user wanted to go. Rejects with what the server said. */
function useLogin() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async (account: string, password: string, remember: boolean) => {
    const token = await call(calls.authorize.byPassword, { body: { account, password } })
    useAuth.getState().setToken(token, remember)
    queries.clear()
    if (!token.user) await queries.fetchQuery(userQuery).then(useAuth.getState().setUser, () => {})
    await navigate(ownPath(search.get('redirect')), { replace: true })
  }
}

/** The server's 11001, a wrong password, is said at the field, not in an alert. */
const places = { 11001: 'password' } as const

function PasswordForm() {
  const login = useLogin()
  const form = useForm({
    first: { account: '', password: '', remember: false },
    rules: { account: first<string, unknown>(rules.required('手机号或邮箱'), rules.account), password: rules.required('密码') },
    submit: ({ account, password, remember }) => login(account.trim(), password, remember),
    places,
  })
  const remember = form.bind('remember')
  return (
    <Form {...form.props} look="above">
      {form.refusal !== null && (
        <div className="alert" role="alert">
          <Icon name="warn" />
          <b>{sentenceOf(form.refusal)}</b>
        </div>
      )}
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
      <FormRow label="密码" message={form.message('password')} required>
        {(control) => <PasswordField {...control} {...form.bind('password')} placeholder="8 至 128 位" />}
      </FormRow>
      <div className="login-remember">
        <Checkbox name={remember.name} checked={remember.value} onChange={remember.onChange}>
          记住我
        </Checkbox>
      </div>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在登录…' : '登录'}
      </Button>
    </Form>
  )
}

function DemoButton({ account, password }: { account: string; password: string }) {
  const login = useLogin()
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
      <FieldError id="demo-mistake">{error === null ? null : sentenceOf(error)}</FieldError>
      <p className="login-demo">
        <span className="badge demo">
          <Icon name="info" size="middle" />
          演示数据
        </span>
        无需注册，直接使用全部工具。演示行情由模型模拟生成，非真实行情，不能用于交易。
      </p>
    </>
  )
}
