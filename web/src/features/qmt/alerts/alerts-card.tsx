import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { alertsChanged, alertsQuery } from '../qmt-queries.ts'
import styles from './alerts-card.module.css'

/** 提醒: what happened in automatic trading, the newest first; nothing is shown where nothing ever did. */
export function AlertsCard() {
  const { data } = useQuery(alertsQuery)
  const { busy, run } = useAction()
  const newest = data?.list_items[0]
  if (!data || !newest) return null
  const read = async () => {
    if (await run(() => call(calls.alerts.read, { body: { up_to: newest.id } }))) await alertsChanged()
  }
  return (
    <Card
      title="提醒"
      note={data.unread > 0 ? `${data.unread} 条未读` : '没有未读的'}
      bare
      fold="qmt-alerts"
      tools={
        data.unread > 0 && (
          <Button look={['small']} disabled={busy} onClick={() => void read()}>
            全部标为已读
          </Button>
        )
      }
    >
      <ul className={styles.qmtAlerts}>
        {data.list_items.map(({ id, title, text, at, read }) => (
          <li key={id} className={read ? undefined : styles.unread}>
            <p>
              <b>{title}</b>
              {!read && <span className="hidden-text">（未读）</span>}
              <time className="text-3" dateTime={at}>
                {dateTime(at).slice(0, 16)}
              </time>
            </p>
            <p className="text-2">{text}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
