import type { StrategySummary } from '@convexa/contract/saved-strategy'
import { missing } from '../../base/format.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { differenceOf, type ListDifference, useConfirmedLists } from '../current-list/confirmed-lists.ts'
import styles from './glance-cells.module.css'
import type { GlanceState } from './glance-queue.ts'
import { callRiskWords, changeWords } from './glance-text.ts'

/** The newest list of a strategy against the one that was confirmed here; null where no glance was computed. */
export function useDifference(id: string, glance: StrategySummary | null): ListDifference | null {
  const confirmed = useConfirmedLists(({ lists }) => lists[id])
  return glance && differenceOf(glance, confirmed)
}

/** `2 换 2`, a way into the drawer that says why; 无 where nothing differs. */
export function DifferenceCell({
  id,
  name,
  glance,
  none = '无',
  onOpen,
}: {
  id: string
  name: string
  glance: StrategySummary | null
  none?: string
  onOpen: () => void
}) {
  const difference = useDifference(id, glance)
  if (!difference) return <span className="text-3">{missing}</span>
  const { short, long } = changeWords(difference.removed.length, difference.added.length)
  const against = difference.since ? `与 ${difference.since} 已确认的名单相比` : '与前一交易日的名单相比'
  if (short === null)
    return (
      <span className={`text-2 ${styles.noDifference}`} title={`${against}，${long}`}>
        {none}
      </span>
    )
  return (
    <button type="button" className={styles.differenceCell} title={`${against}：${long}`} onClick={onOpen}>
      {short}
      <span className="hidden-text">
        （{name} 名单差异：{long}）
      </span>
    </button>
  )
}

export function CallRiskCell({ glance }: { glance: StrategySummary | null }) {
  const { short, long } = callRiskWords(glance?.call_risk ?? [])
  if (short === null)
    return (
      <span className="text-3" title={glance ? long : undefined}>
        {missing}
      </span>
    )
  return (
    <Row as="span" inline gap={4} className={`${styles.callRisk} warn`} title={long}>
      <Icon name="warn" size="middle" />
      {short}
    </Row>
  )
}

/** The shape of the curve; while it is computed anew, that. */
export function SparkCell({ glance, state, width = 96 }: { glance: StrategySummary | null; state: GlanceState; width?: number }) {
  if (state)
    return (
      <span className={`${styles.sparkCell} text-2`} role="status">
        {state === 'running' && <span className="spinner" />}
        {state === 'running' ? '刷新中' : '等待刷新'}
      </span>
    )
  if (!glance) return <span className="text-3">还没有概览</span>
  return (
    <span
      className={glance.stale ? `${styles.sparkCell} stale` : styles.sparkCell}
      title={`净值走势，截至 ${glance.as_of}${glance.stale ? '；数据或规则已更新，概览待刷新' : ''}`}
    >
      <Spark values={glance.sparkline} width={width} height={20} tone="plain" />
    </span>
  )
}
