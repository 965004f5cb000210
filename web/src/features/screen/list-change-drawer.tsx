import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import type { ReactNode } from 'react'
import { Drawer } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import type { ListChange, NamedCode } from '../current-list/list-change.ts'
import styles from './list-change-drawer.module.css'
import { ScreenStamp } from './screen-stamp.tsx'
import { useListChange } from './use-list-change.ts'

const ways = {
  out: { title: '移出', mark: 'minus' },
  excluded: { title: '剔除', mark: 'minus' },
  gone: { title: '没有行情', mark: 'minus' },
  new: { title: '新进', mark: 'plus' },
} as const
const order = ['out', 'excluded', 'gone', 'new'] as const

/** 名单差异: the list of a rule now against one of before, each change with its reason. It says what differs, never what to do. */
export function ListChangeDrawer({
  kind,
  name,
  parameters,
  previous,
  since,
  changedOn = null,
  footer,
  onClose,
}: {
  kind: MarketId
  name: string
  parameters: Parameters
  previous: readonly NamedCode[]
  /** Day of that list; null: the trading day before the newest. */
  since: string | null
  /** The day on which the rule became another, where that was after the list. */
  changedOn?: string | null
  /** What can be done with the list that the screen gave. */
  footer?: (now: ScreenResult | null) => ReactNode
  onClose: () => void
}) {
  const { result, changes, day, error, retry } = useListChange(kind, parameters, previous, since, changedOn)
  const before = new Set(previous.map(({ code }) => code))
  const kept = result?.list_items.filter(({ selected, code }) => selected && before.has(code)) ?? []
  return (
    <Drawer
      title={`名单差异 · ${name}`}
      note={day ? `与 ${day} 的名单相比` : '与此前的名单相比'}
      tools={isSynthetic(result?.data_mode) && <DemoBadge />}
      width={520}
      footer={footer?.(result)}
      onClose={onClose}
    >
      <Stack gap={16} className={styles.listChange}>
        {error && <ErrorBlock error={error} still="已有的概览不受影响。" onRetry={retry} />}
        {!result && !error && <Waiting />}
        {result && (
          <Row as="p" wrap className={styles.listChangeSum}>
            <b>
              {previous.length} 只 → {result.selected} 只
            </b>
            <span>
              重合 {kept.length} 只{changes.length === 0 && '，没有差异'}
            </span>
            <span className="grow" />
            <ScreenStamp result={result} />
          </Row>
        )}
        {order.map((way) => (
          <Changes key={way} way={way} rows={changes.filter((one) => one.way === way)} />
        ))}
        {result && changes.length === 0 && (
          <Empty icon="check" title="名单没有差异">
            按最新数据筛选，入选的与此前的名单完全相同。
          </Empty>
        )}
        {kept.length > 0 && (
          <details className={styles.listChangeKept}>
            <summary>继续在名单里 {kept.length} 只</summary>
            <ul>
              {kept.map(({ code, name: one, rank }) => (
                <li key={code}>
                  <b>{one}</b>
                  <span className="mono">{code}</span>
                  <span>名次 {rank}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        <p className="note">差异只由规则与数据算出，用来核对，不构成买卖建议。</p>
      </Stack>
    </Drawer>
  )
}

function Changes({ way, rows }: { way: ListChange['way']; rows: readonly ListChange[] }) {
  if (rows.length === 0) return null
  const { title, mark } = ways[way]
  return (
    <section className={`${styles.listChangePart} ${way}`} aria-label={title}>
      <h3>
        {title} {rows.length}
      </h3>
      <ul>
        {rows.map(({ code, name, why }) => (
          <li key={code}>
            <Icon name={mark} size="small" />
            <b>{name}</b>
            <span className="mono">{code}</span>
            <span className={`note ${styles.listChangeWhy}`}>{why}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Waiting = () => (
  <ul aria-hidden="true">
    {[92, 84, 88, 76].map((width) => (
      <li key={width}>
        <span className="skeleton" style={{ width: `${width}%` }} />
      </li>
    ))}
  </ul>
)
