import { calls } from '@convexa/contract/calls'
import { sentences } from '@convexa/contract/rules/sentences'
import type { Channel } from '@convexa/contract/verification'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form/form-row.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { Agreement } from '../legal/agreement.tsx'
import { AccountRows, accountRule, channelOf } from './account-rows.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { CodeRow } from './code-row.tsx'
import { forgetCode, lastTarget, useCodeSending } from './code-sending.ts'
import { useCompleteLogin } from './complete-login.ts'
import { FormError } from './form-error.tsx'

const purpose = 'bind-wechat'
const places = { 11003: 'code', 11006: 'account' } as const
/** Nothing on this page mends these: it takes a new scan, or the password. */
const ended: ReadonlySet<number> = new Set([11020, 11023])
const againBy = '/login?way=wechat'

/** After the first scan: which account the WeChat opens from now on, or a new one. */
export function BindWechatPage() {
  const [search] = useSearchParams()
  const [tickets] = useState({ wx_openid: search.get('wx_openid') ?? '', wx_unionid: search.get('wx_unionid') ?? '' })
  const [over, setOver] = useState(tickets.wx_openid === '' || tickets.wx_unionid === '')
  return (
    <AuthLayout title="绑定账号">
      {over ? (
        <Stack gap={12} align="center" className="door-done" role="alert">
          <Icon name="warn" />
          <b>{sentences.bindingLost}</b>
          <PageLink to={againBy} className="button primary large">
            重新扫码
          </PageLink>
        </Stack>
      ) : (
        <BindForm
          tickets={tickets}
          redirect={search.get('redirect')}
          remember={search.get('remember') === '1'}
          onEnd={() => setOver(true)}
        />
      )}
    </AuthLayout>
  )
}

function BindForm({
  tickets,
  redirect,
  remember,
  onEnd,
}: {
  tickets: { wx_openid: string; wx_unionid: string }
  redirect: string | null
  remember: boolean
  onEnd: () => void
}) {
  const enter = useCompleteLogin()
  const [last] = useState(() => lastTarget(purpose))
  const form = useForm({
    first: { account: last, channel: channelOf(last) ?? ('sms' as Channel), code: '', agree: false },
    rules: { account: accountRule, code: first<string, unknown>(rules.required('验证码'), rules.code), agree: rules.agree },
    submit: async ({ account, code }) => {
      const body = { ...tickets, verification_code: code }
      const token = await call(calls.wechat.bind, { params: { target: account.trim() }, body }).catch((error: unknown) => {
        if (error instanceof CallError && ended.has(error.code)) onEnd()
        throw error
      })
      forgetCode(purpose)
      await enter(token, remember, redirect)
    },
    places,
  })
  const target = form.values.account.trim()
  const query = { channel: form.values.channel }
  const send = (options: { headers: Record<string, string> }) => call(calls.wechat.bindCode, { params: { target }, query }, options)
  const sending = useCodeSending({ purpose, target, send })
  return (
    <>
      <p className="door-lead">微信已授权，还差一步：绑定或创建你的账号</p>
      <Form {...form.props} look="above" aria-label="绑定账号">
        <FormError error={form.refusal} way={otherWay(form.refusal)} />
        <AccountRows form={form} />
        <CodeRow
          bound={form.bind('code')}
          message={form.message('code')}
          sending={sending}
          ready={target !== '' && accountRule(target, form.values) === null}
        />
        <Agreement bound={form.bind('agree')} message={form.message('agree')} />
        <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
          {form.busy ? '正在绑定…' : '绑定并登录'}
        </Button>
        <p className="form-hint">没有账号？会用该手机号或邮箱自动创建。</p>
      </Form>
    </>
  )
}

/** What is bound otherwise is unbound after a login by password. */
const otherWay = (error: unknown) =>
  error instanceof CallError && (error.code === 11022 || error.code === 11013) ? (
    <PageLink to="/login" className="link">
      用密码登录
    </PageLink>
  ) : null
