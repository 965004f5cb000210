import { calls } from '@convexa/contract/calls'
import type { LoginRecord } from '@convexa/contract/user'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { fingerprint } from '../../../state/fingerprint.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Row } from '../../../ui/layout.tsx'
import { Pager, pageStart } from '../../../ui/pager.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Footer } from '../../legal/footer.tsx'
import { useOwnUser } from '../own-user.ts'
import { type Login, loginColumns } from './login-columns.tsx'
import styles from './login-history.module.css'

const limit = 20

const loginsQuery = (offset: number) => ({
  queryKey: ['login-records', offset],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(calls.user.loginRecords, { query: { offset, limit } }, { signal }),
  staleTime: 0,
})

/** Login records: time, place, device, and a way to disown one. */
export function LoginHistoryPage() {
  const [query, setQuery] = useSearchParams()
  const offset = pageStart(query.get('offset'), limit)
  const { items, total, loading, error, retry } = useList(loginsQuery(offset))
  const { user } = useOwnUser()
  const disown = useDisown()
  const go = (to: number) => setQuery(to > 0 ? { offset: String(to) } : {})
  const earlier = offset > 0 ? () => go(Math.max(0, offset - limit)) : undefined
  const later = offset + limit < total ? () => go(offset + limit) : undefined
  useKeys({ ...(earlier && { previousPage: earlier }), ...(later && { nextPage: later }) })
  const logins = items.map((record, index): Login => ({ ...record, key: offset + index, here: record.fingerprint === fingerprint() }))
  return (
    <>
      <Page>
        <Card title="登录记录" note="最近一年；城市只在地址本身能说明时显示" bare>
          <DataTable
            label="登录记录"
            columns={loginColumns}
            rows={logins}
            rowKey={({ key }) => String(key)}
            rowClass={(login) => (isStrange(login) ? styles.strange : undefined)}
            {...(loading && { loading: limit })}
            instead={
              error ? (
                <ErrorBlock error={error} still="登录没有受影响，其他页面可以继续使用。" onRetry={retry} />
              ) : (
                <Empty icon="person" title="暂无登录记录" />
              )
            }
            menu={(login) =>
              !login.here &&
              !user?.demo && (
                <Button look={['small', 'ghost']} onClick={() => void disown(login)}>
                  不是我本人
                </Button>
              )
            }
            density="standard"
            cards
          />
          {total > 0 && !error && <Pager label="登录记录" offset={offset} shown={logins.length} total={total} limit={limit} onGo={go} />}
        </Card>
        <Row as="p" gap={8} align="stretch" className={`note ${styles.loginHistoryNote}`}>
          <Icon name="info" size="middle" />
          标成琥珀色的是第一次在这个账号上出现的设备。不认识的登录，请点“不是我本人”：其他设备会立即退出，接着修改密码。
        </Row>
      </Page>
      <Footer />
    </>
  )
}

/** A device that was new to the account, other than the one that asks. */
const isStrange = ({ known_device, here }: Login): boolean => !known_device && !here

/** Ends all other sessions at once, then leads to a new password. */
function useDisown(): (login: LoginRecord) => Promise<void> {
  const navigate = useNavigate()
  return async ({ device, ip_masked: ip }) => {
    const meant = await confirm({
      title: '这次登录不是你本人？',
      text: `${device || '未知设备'}（${ip}）。其他设备会立即退出登录，接着请修改密码，让对方不能再登录。`,
      action: '修改密码并退出其他设备',
      icon: 'warn',
    })
    if (!meant) return
    try {
      await call(calls.authorize.endOthers, undefined)
      toast.done('其他设备已退出登录')
      await navigate('/personal/profile/password')
    } catch (error) {
      toast.error(sentenceOf(error))
    }
  }
}
