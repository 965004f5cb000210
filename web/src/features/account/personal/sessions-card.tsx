import type { Session } from '@convexa/contract/authorize'
import { calls } from '@convexa/contract/calls'
import { call } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { queries } from '../../../api/queries.ts'
import { useAction } from '../../../api/use-action.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import type { CardState } from '../../../ui/card-state.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toast.tsx'
import styles from './profile.module.css'
import { SettingRow } from './setting-row.tsx'

const sessionsQuery = {
  queryKey: ['sessions'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(calls.authorize.sessions, undefined, { signal }),
  staleTime: 0,
}

/** Where one is logged in now: each device can be logged out, and all others at once. */
export function SessionsCard() {
  const { items, loading, error, retry } = useList(sessionsQuery)
  const { busy, refused, run } = useAction()
  const ending = (act: () => Promise<string>) => () =>
    void run(async () => {
      try {
        toast.done(await act())
      } finally {
        await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      }
    })
  const state: CardState = error
    ? { kind: 'error', error, still: '登录没有受影响，其他页面可以继续使用。', onRetry: retry }
    : loading && items.length === 0
      ? { kind: 'loading', rows: 2 }
      : { kind: 'ready' }
  return (
    <Card title="已登录的设备" note="不认识的设备请立即退出，再修改密码" state={state} bare>
      <ul>
        {items.map((session) => (
          <SettingRow
            key={session.session_id}
            name={session.device || '未知设备'}
            acts={
              session.current ? (
                <Badge look="brand">当前设备</Badge>
              ) : (
                <Button look={['small']} disabled={busy} onClick={ending(() => endOne(session))}>
                  退出
                  <span className="hidden-text">{nameOf(session)}</span>
                </Button>
              )
            }
          >
            <span>{[session.os, session.browser].filter(Boolean).join(' · ') || '浏览器没有说明'}</span>
            <span className="size-12 text-3">
              {[session.ip_masked, session.city].filter(Boolean).join(' ')}
              {` · ${dateTime(session.login_at).slice(0, 16)} 登录 · ${dateTime(session.active_at).slice(0, 16)} 使用过`}
            </span>
          </SettingRow>
        ))}
        {items.length > 1 && (
          <SettingRow
            name="其他设备"
            acts={
              <Button look={['small']} disabled={busy} onClick={ending(endOthers)}>
                退出其他设备
              </Button>
            }
          >
            <span className="size-12 text-3">这台设备保持登录</span>
          </SettingRow>
        )}
      </ul>
      <div className={styles.leavingRefused}>
        <FieldError>{refused}</FieldError>
      </div>
    </Card>
  )
}

const nameOf = ({ device, browser }: Session): string => [device || '未知设备', browser].filter(Boolean).join(' ')

async function endOne(session: Session): Promise<string> {
  await call(calls.authorize.endSession, { params: { id: session.session_id } })
  return `已退出${nameOf(session)}`
}

async function endOthers(): Promise<string> {
  const { logged_out_devices: ended } = await call(calls.authorize.endOthers, undefined)
  return ended > 0 ? `已退出其他 ${ended} 台设备` : '没有其他设备在登录'
}
