import { calls } from '@convexa/contract/calls'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { queries, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { copyrightYears, useSite } from '../../state/site.ts'
import { ownPath } from '../../state/way-back.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
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

/** Logs in, keeps the tokens and goes where the user wanted to go. */
function useLogin() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const login = async (account: string, password: string, remember: boolean) => {
    setBusy(true)
    setError(null)
    try {
      const token = await call(calls.authorize.byPassword, { body: { account, password } })
      useAuth.getState().setToken(token, remember)
      queries.clear()
      if (!token.user) await queries.fetchQuery(userQuery).then(useAuth.getState().setUser, () => {})
      await navigate(ownPath(search.get('redirect')), { replace: true })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return { login, busy, error }
}

const isAccount = (text: string) => /^1[3-9]\d{9}$/.test(text) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
/** The server's 11001: said at the field, not in an alert. */
const wrongPassword = 11001

function PasswordForm() {
  const { login, busy, error } = useLogin()
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [touched, setTouched] = useState({ account: false, password: false })
  const form = useRef<HTMLFormElement>(null)

  const mistakes = {
    account: account.trim() === '' ? '请填写手机号或邮箱' : isAccount(account.trim()) ? null : '请输入正确的手机号或邮箱',
    password: password === '' ? '请填写密码' : null,
  }
  const refused = error instanceof CallError && error.code === wrongPassword
  const accountMistake = touched.account ? mistakes.account : null
  const passwordMistake = touched.password && mistakes.password ? mistakes.password : refused ? error.message : null

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTouched({ account: true, password: true })
    const first = mistakes.account ? 'account' : mistakes.password ? 'password' : null
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    else void login(account.trim(), password, remember)
  }
  const onKey = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {error !== null && !refused && (
        <div className="alert" role="alert">
          <Icon name="warn" />
          <b>{sentenceOf(error)}</b>
        </div>
      )}
      <label htmlFor="account">手机号/邮箱</label>
      <input
        id="account"
        name="account"
        className="login-input"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="请输入手机号或邮箱"
        // biome-ignore lint/a11y/noAutofocus: the page is for nothing else
        autoFocus
        value={account}
        aria-invalid={accountMistake !== null}
        aria-describedby="account-mistake"
        onChange={(event) => setAccount(event.currentTarget.value)}
        onBlur={() => account && setTouched((before) => ({ ...before, account: true }))}
      />
      <FieldError id="account-mistake">{accountMistake}</FieldError>
      <label htmlFor="password">密码</label>
      <div className="login-password">
        <input
          id="password"
          name="password"
          className="login-input"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          placeholder="8 至 128 位"
          value={password}
          aria-invalid={passwordMistake !== null}
          aria-describedby="password-mistake"
          onChange={(event) => setPassword(event.currentTarget.value)}
          onKeyDown={onKey}
          onKeyUp={onKey}
        />
        <button type="button" aria-label={shown ? '隐藏密码' : '显示密码'} aria-pressed={shown} onClick={() => setShown(!shown)}>
          <Icon name="eye" />
        </button>
      </div>
      <FieldError id="password-mistake">{passwordMistake}</FieldError>
      {capsLock && <p className="login-hint">大写锁定已开启</p>}
      <div className="login-remember">
        <label className="checkbox">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
          记住我
        </label>
      </div>
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={busy}>
        {busy ? '正在登录…' : '登录'}
      </Button>
    </form>
  )
}

function DemoButton({ account, password }: { account: string; password: string }) {
  const { login, busy, error } = useLogin()
  return (
    <>
      <Button look={['outline', 'large', 'wide']} disabled={busy} onClick={() => login(account, password, true)}>
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
