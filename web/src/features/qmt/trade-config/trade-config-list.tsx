import type { TradingConfig } from '@convexa/contract/qmt'
import { Badge } from '../../../ui/tag.tsx'
import styles from './trade-config.module.css'

type Listed = Pick<TradingConfig, 'id' | 'name' | 'start_time' | 'end_time' | 'dry_run'>

/** The user's trading configs; the one that is open is marked. */
export const TradeConfigList = ({
  items,
  current,
  onOpen,
}: {
  items: readonly Listed[]
  current: string | null
  onOpen: (id: string) => void
}) => (
  <ul className={styles.tradeList}>
    {items.map(({ id, name, start_time: start, end_time: end, dry_run: dry }) => (
      <li key={id}>
        <button type="button" aria-current={id === current || undefined} onClick={() => onOpen(id)}>
          <b>{name}</b>
          <small>
            {start} – {end}
          </small>
          <Badge look={dry ? 'plain' : 'warn'}>{dry ? '只演练' : '真实委托'}</Badge>
        </button>
      </li>
    ))}
  </ul>
)
