import { calls } from '@convexa/contract/calls'
import type { WechatTickets } from '@convexa/contract/wechat'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { loginUrlFrom } from '../../state/return-url.ts'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useCompleteLogin } from './complete-login.ts'
import { useHumanCheck } from './use-human-check.tsx'
import { endScan, type Scan } from './wechat-scan.ts'

const stale = '登录状态已失效，请重新扫码'
const refused = '你取消了微信授权'
const unbound = 11021

/** Where WeChat leads back to: nothing is asked of the server unless the scan was begun in this tab. */
export function WechatCallbackPage() {
  const [search] = useSearchParams()
  const [failure, setFailure] = useState<string | null>(null)
  const [redirect, setRedirect] = useState<string | null>(null)
  const navigate = useNavigate()
  const enter = useCompleteLogin()
  const { send, panel } = useHumanCheck()
  const begun = useRef(false)

  useEffect(() => {
    // The code is good once; so is the state.
    if (begun.current) return
    begun.current = true
    const scan = endScan(search.get('state'))
    const code = search.get('code')
    if (!scan) return setFailure(stale)
    setRedirect(scan.redirect)
    if (!code) return setFailure(refused)
    const bind = (tickets: WechatTickets) => navigate(bindAddress(tickets, scan), { replace: true })
    send((options) => call(calls.authorize.byWechatWeb, { body: { code, state: scan.state } }, options))
      .then((token) => enter(token, scan.remember, scan.redirect))
      .catch((error: unknown) => {
        if (error instanceof CallError && error.code === unbound) void bind(error.data as WechatTickets)
        else setFailure(sentenceOf(error))
      })
  }, [search, navigate, enter, send])

  return (
    <AuthLayout title="微信登录">
      {failure === null ? (
        <Stack gap={12} align="center" className="door-done" role="status">
          <span className="spinner" />
          <p>正在登录…</p>
          {panel}
        </Stack>
      ) : (
        <Stack gap={12} align="center" className="door-done" role="alert">
          <Icon name="warn" />
          <b>{failure}</b>
          <PageLink to={scanAgain(redirect)} className="button primary large">
            重新扫码
          </PageLink>
          <PageLink to={loginUrlFrom(redirect ?? '/')} className="link">
            用密码登录
          </PageLink>
        </Stack>
      )}
    </AuthLayout>
  )
}

const scanAgain = (redirect: string | null) => {
  const login = loginUrlFrom(redirect ?? '/')
  return `${login}${login.includes('?') ? '&' : '?'}way=wechat`
}

/** The tickets are sealed for the server and good once, within ten minutes. */
function bindAddress({ wx_openid, wx_unionid }: WechatTickets, { redirect, remember }: Scan): string {
  const query = new URLSearchParams({ wx_openid, wx_unionid, ...(redirect && { redirect }), ...(remember && { remember: '1' }) })
  return `/bind-wechat?${query}`
}
