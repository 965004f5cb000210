import type { FactorMeta } from '@convexa/contract/factor'
import { Row } from '../../ui/layout.tsx'
import { valueText } from '../rule/factors.ts'
import { type FactorColumn, histogramOf } from './cross-section.ts'
import styles from './factor-picker-dialog.module.css'

/** Today's spread in a row: a small histogram between the least, the median and the most. */
export function FactorSpread({ factor, column }: { factor: FactorMeta; column: FactorColumn | undefined }) {
  if (!column) return <Row as="span" gap={8} className={styles.spread} />
  const values = column.filter((value) => value !== null).sort((a, b) => a - b)
  const histogram = histogramOf(column, 16)
  if (!histogram || values.length === 0)
    return (
      <Row as="span" gap={8} className={`${styles.spread} text-3`}>
        当日无值
      </Row>
    )
  const most = Math.max(...histogram.counts)
  const [low, middle, high] = [values[0], values[Math.floor((values.length - 1) / 2)], values.at(-1)].map((value) =>
    valueText(factor, value ?? null),
  )
  return (
    <Row as="span" gap={8} className={styles.spread} data-spread title={`当日 最小 ${low} · 中位 ${middle} · 最大 ${high}`}>
      <svg width="64" height="18" viewBox="0 0 64 18" aria-hidden="true">
        {histogram.counts.map((count, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other identity
            key={index}
            x={index * 4}
            width="3"
            y={18 - (count / most) * 18}
            height={(count / most) * 18}
          />
        ))}
      </svg>
      <small>{middle}</small>
    </Row>
  )
}
