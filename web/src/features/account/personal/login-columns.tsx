import type { LoginMethod, LoginRecord } from '@convexa/contract/user'
import { dateTime } from '../../../base/dates.ts'
import { missing } from '../../../base/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { Badge } from '../../../ui/tag.tsx'
import styles from './login-history.module.css'

export interface Login extends LoginRecord {
  /** Its place in the whole list. */
  key: number
  /** By this browser. */
  here: boolean
}

const methods: Record<LoginMethod, string> = { password: '密码', wechat: '微信' }

export const loginColumns: readonly TableColumn<Login>[] = [
  {
    key: 'time',
    label: '时间',
    width: 140,
    card: 'title',
    cell: ({ login_at }) => <time dateTime={login_at}>{dateTime(login_at)}</time>,
  },
  { key: 'method', label: '方式', width: 32, cell: ({ method }) => methods[method] },
  {
    key: 'device',
    label: '设备',
    width: 96,
    cell: ({ device, here, known_device }) => (
      <span className="line">
        {device || '未知设备'}
        {here && <Badge look="brand">本机</Badge>}
        {!here && !known_device && <Badge look="warn">新设备</Badge>}
      </span>
    ),
  },
  {
    key: 'system',
    label: '系统/浏览器',
    width: 140,
    cell: ({ os, browser }) => [os, browser].filter(Boolean).join(' · ') || missing,
  },
  { key: 'ip', label: 'IP', width: 100, cell: ({ ip_masked }) => <span className="mono">{ip_masked}</span> },
  { key: 'city', label: '城市', width: 48, cell: ({ city }) => city ?? missing },
  {
    key: 'result',
    label: '结果',
    width: 48,
    card: 'lead',
    cell: ({ success }) =>
      success ? (
        <Row as="span" inline gap={4} className={`${styles.loginResult} ok`}>
          <Icon name="check" size="middle" />
          成功
        </Row>
      ) : (
        <Row as="span" inline gap={4} className={`${styles.loginResult} danger`}>
          <Icon name="warn" size="middle" />
          失败
        </Row>
      ),
  },
]
