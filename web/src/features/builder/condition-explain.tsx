import { operandsOf, operators } from '@convexa/contract/enums/operator'
import type { FilterFactor } from '@convexa/contract/strategy'
import { count, percent } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Row } from '../../ui/layout.tsx'
import { type Factors, valueText } from '../rule/factors.ts'
import { filterText } from '../rule/summary.ts'
import styles from './builder.module.css'
import { cutsOf, histogramOf, meetsOf, useFactorColumns } from './cross-section.ts'

const [width, height] = [320, 56]

/** 解释: how the factor is spread over the market today, and where the condition cuts. */
export function ConditionExplain({ row, factors }: { row: FilterFactor; factors: Factors }) {
  const { id: kind, securityNoun: noun } = useMarket()
  const column = useFactorColumns(kind, [row.factor_key]).get(row.factor_key)
  const factor = factors.of(row.factor_key)
  if (!column)
    return (
      <div className={styles.conditionExplain}>
        <span className="skeleton" style={{ width: '90%' }} />
      </div>
    )
  const histogram = histogramOf(column)
  if (!histogram) return <p className={styles.conditionExplain}>最新一天没有{noun}有这个因子的值。</p>
  const { low, high, counts } = histogram
  const cuts = cutsOf(row, column)
  const most = Math.max(...counts)
  const x = (value: number) => Math.min(width, Math.max(0, high > low ? ((value - low) / (high - low)) * width : width / 2))
  const bar = width / counts.length
  const { meets, of, absent } = meetsOf(row, column)
  // By percentile the cut is already a value of this day.
  const { atShare } = operators[row.operation]
  const judged = atShare === null ? row : { operation: atShare, value: cuts[0] ?? Number.NaN }
  const step = (high - low) / counts.length
  const shaded = (index: number) => operandsOf(judged.operation) !== 'none' && meetsOf(judged, [low + (index + 0.5) * step]).meets > 0
  const verb = row.action === 'keep' ? '只保留' : '剔除'
  return (
    <figure className={styles.conditionExplain}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${factors.nameOf(row.factor_key)}当日分布`}
      >
        {counts.map((one, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other identity
            key={index}
            className={shaded(index) ? styles.hit : undefined}
            x={index * bar + 0.5}
            width={bar - 1}
            y={height - (one / most) * height}
            height={(one / most) * height}
          />
        ))}
        {cuts.map((cut) => (
          <line key={cut} x1={x(cut)} x2={x(cut)} y1="0" y2={height} />
        ))}
      </svg>
      <Row align="stretch" className={styles.conditionExplainEnds}>
        <span>{valueText(factor, low)}</span>
        {cuts.length > 0 && <b>{cuts.map((cut) => valueText(factor, cut)).join(' – ')}</b>}
        <span>{valueText(factor, high)}</span>
      </Row>
      <figcaption>
        当日 {count(of)} 只{noun}中，「{filterText(row, factors)}」的有 <b>{count(meets)}</b> 只（{percent(of > 0 ? meets / of : null, 1)}
        ），{verb}
        它们；
        {absent > 0 && `另有 ${count(absent)} 只没有值，${row.action === 'keep' ? '一并剔除' : '不受影响'}；`}
        各条件依次生效，条件右侧的数是轮到它时剔除的只数。
      </figcaption>
    </figure>
  )
}
