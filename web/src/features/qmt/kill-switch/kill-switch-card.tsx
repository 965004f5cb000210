import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queries } from '../../../api/queries.ts'
import { useAction } from '../../../api/use-action.ts'
import { dateTime, shanghai } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reAuthed } from '../../account/re-auth.ts'
import { useGuest } from '../guest.ts'
import { killSwitchQuery } from '../qmt-queries.ts'
import styles from './kill-switch-card.module.css'

/** One press stops all automatic trading; to go on the password is shown once more. */
export function KillSwitchCard() {
  const { data, error, isFetching, failureCount, dataUpdatedAt, refetch } = useQuery(killSwitchQuery)
  const { busy, refused, run } = useAction()
  const guest = useGuest()
  // It may have been pressed elsewhere since; to stop must be possible whatever was read last.
  const old = error !== null || (isFetching && failureCount > 0)
  const read = shanghai(dataUpdatedAt)
  const set = (on: boolean) =>
    run(async () => {
      const outcome = await reAuthed(() => call(calls.qmt.setKillSwitch, { body: { on } })).catch((failure: unknown) => {
        // An answer that was lost may have been a yes.
        void refetch()
        throw failure
      })
      // An answer that was asked for before must not say the opposite.
      await queries.cancelQueries({ queryKey: killSwitchQuery.queryKey })
      queries.setQueryData(killSwitchQuery.queryKey, outcome)
    })
  const stop = async () => {
    if (await set(true)) toast.done('已急停，客户端在下一次心跳时停止下单')
  }
  const goOn = async () => {
    const meant = await confirm({
      title: '恢复自动交易？',
      text: '已启用的运行配置会从客户端的下一次拉取起继续执行。恢复前要验证一次身份。',
      action: '恢复',
      icon: 'play',
    })
    if (meant && (await set(false))) toast.done('自动交易已恢复')
  }
  return (
    <Card
      title="急停"
      note="对全部账户与运行配置生效"
      state={data || error ? { kind: 'ready' } : { kind: 'loading', rows: 3 }}
      foot="急停后客户端撤掉未成交的委托，不再下新单；已成交的持仓不会自动卖出。"
    >
      {(data || error) && (
        <Stack gap={12} align="start">
          {data ? (
            <>
              <p className={data.on ? `${styles.killSwitchState} danger` : styles.killSwitchState} role="status">
                <Icon name={data.on ? 'warn' : 'shield'} />
                <b>{data.on ? '已急停' : '自动交易未停止'}</b>
              </p>
              {old && (
                <p className="size-12 warn" role="alert">
                  没有读到最新状态，以上是 {`${read.date.slice(5)} ${read.time}`} 的状态，可能已在别处改变。
                </p>
              )}
              <p className="size-12 text-2">
                {data.on
                  ? `${data.since ? `${dateTime(data.since)} 起停止，` : ''}演练的确认与导出也已停用。`
                  : guest
                    ? '体验账号没有可以停止的自动交易。'
                    : '按下后立即生效，不再询问；客户端最晚在下一次心跳时听到。'}
              </p>
            </>
          ) : (
            <ErrorBlock
              error={error}
              still="急停状态没有读到，仍可以立即停止，也可以直接关闭电脑上的客户端。"
              onRetry={() => void refetch()}
            />
          )}
          {data?.on && (
            <Button disabled={busy} onClick={() => void goOn()}>
              恢复自动交易
            </Button>
          )}
          {(!data?.on || old) && (
            <Button look={['destructive']} icon="warn" disabled={busy || guest} onClick={() => void stop()}>
              {busy && !data?.on ? '正在停止…' : '立即停止全部自动交易'}
            </Button>
          )}
          <FieldError>{refused}</FieldError>
        </Stack>
      )}
    </Card>
  )
}
