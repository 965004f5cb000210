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

export function StatusCell({ status }: { status: RunStatus }) {
  const { icon, look } = signs[status]
  return (
    <Row as="span" inline gap={4} className={`${styles.runStatus} ${look}`}>
      <Icon name={icon} size="middle" />
      {labelOf(runStatuses, status)}
    </Row>
  )
}
