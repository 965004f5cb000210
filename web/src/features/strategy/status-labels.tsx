import type { BacktestListItem } from '@convexa/contract/backtest'
import { type RunStatus, runStatuses } from '@convexa/contract/enums/run-status'
import { labelOf } from '@convexa/contract/enums/table'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import styles from './run-columns.module.css'

/** The icon and colour of each status beside its label: never a colour alone. */
const signs: Record<RunStatus, { icon: IconName; look: 'ok' | 'warn' | 'danger' | 'text-2' }> = {
  0: { icon: 'more', look: 'text-2' },
  1: { icon: 'play', look: 'text-2' },
  2: { icon: 'check', look: 'ok' },
  3: { icon: 'warn', look: 'danger' },
  4: { icon: 'cross', look: 'text-2' },
  5: { icon: 'warn', look: 'warn' },
  6: { icon: 'warn', look: 'warn' },
}

const reduced: (typeof signs)[RunStatus] = { icon: 'info', look: 'text-2' }

/** A run whose report is kept no more says so in the place of 完成. */
export function StatusCell({ run: { status, complete } }: { run: Pick<BacktestListItem, 'status' | 'complete'> }) {
  const { icon, look } = complete ? signs[status] : reduced
  return (
    <Row as="span" inline gap={4} className={`${styles.runStatus} ${look}`}>
      <Icon name={icon} size="middle" />
      {complete ? labelOf(runStatuses, status) : '仅参数与指标'}
    </Row>
  )
}
