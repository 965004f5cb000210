import { calls } from '@convexa/contract/calls'
import type { User } from '@convexa/contract/user'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useLeave } from '../../run/leave.ts'
import { keepUser, reloadUser, restoreAccount } from '../own-user.ts'
import { reAuthed } from '../re-auth.ts'
import styles from './profile.module.css'
import { SettingRow } from './setting-row.tsx'

/** Ways out: of this browser, of all devices, of the site for good. */
export function LeavingCard({ user }: { user: User | null }) {
  const leave = useLeave()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const doing = (act: () => Promise<unknown>) => async () => {
    setBusy(true)
    setRefused(null)
    await act().catch((error: unknown) => setRefused(sentenceOf(error)))
    setBusy(false)
  }
  const own = user !== null && !user.demo
  return (
    <Card title="退出与注销" bare>
      <ul>
        <SettingRow
          name="退出登录"
          acts={
            <Button look={['small']} disabled={busy} onClick={doing(leave)}>
              退出登录
            </Button>
          }
        >
          <span className="size-12 text-3">只退出这台设备</span>
        </SettingRow>
        {own && (
          <SettingRow
            name="全部设备"
            acts={
              <Button
                look={['small', 'destructive']}
                icon="warn"
                disabled={busy}
                onClick={doing(async () => {
                  if (await endAll()) await leave()
                })}
              >
                退出全部设备
              </Button>
            }
          >
            <span className="size-12 text-3">包括这台设备，需要重新登录</span>
          </SettingRow>
        )}
        {own && (
          <SettingRow
            name="注销账号"
            acts={
              user.deletion_at ? (
                <Button look={['small']} icon="undo" disabled={busy} onClick={doing(restoreAccount)}>
                  撤销注销
                </Button>
              ) : (
                <Button look={['small', 'destructive']} icon="bin" disabled={busy} onClick={doing(() => askDeletion(user))}>
                  注销账号
                </Button>
              )
            }
          >
            <span className={user.deletion_at ? 'size-12 warn' : 'size-12 text-3'}>
              {user.deletion_at ? `将于 ${dateTime(user.deletion_at).slice(0, 16)} 注销` : '7 天冷静期内可以撤销'}
            </span>
          </SettingRow>
        )}
      </ul>
      <div className={styles.leavingRefused}>
        <FieldError>{refused}</FieldError>
      </div>
    </Card>
  )
}

/** All but this one; the caller logs this one out. @returns false when it was not meant */
async function endAll(): Promise<boolean> {
  const meant = await confirm({
    title: '退出全部设备？',
    text: '所有设备（包括这台）都会立即退出登录，需要重新登录才能使用。',
    action: '全部退出',
    icon: 'warn',
  })
  if (meant) await call(calls.authorize.endOthers, undefined)
  return meant
}

async function askDeletion(user: User): Promise<void> {
  const meant = await confirm({
    title: `注销账号「${user.nickname}」？`,
    text: '7 天后，策略、回测、分享等全部数据都会被删除，不能恢复；登录记录按法律要求保留满 6 个月以上。其他设备会立即退出。7 天内登录可以撤销。',
    action: '注销账号',
    icon: 'bin',
  })
  if (!meant) return
  const { deletion_at } = await reAuthed(() => call(calls.user.remove, undefined))
  keepUser({ ...user, deletion_at })
  await reloadUser()
  toast.info(`账号将于 ${deletion_at.slice(0, 10)} 注销，在此之前可以撤销`)
}
