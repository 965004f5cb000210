import { fixed } from '../../base/format.ts'
import type { Draft } from '../../state/drafts.ts'
import { numbersOf } from '../quick-curve/live-numbers.ts'
import { useQuickCurve } from '../quick-curve/use-quick-curve.ts'
import type { DataRange } from '../rule/draft.ts'
import { useDraft } from '../rule/use-draft.ts'
import styles from './builder.module.css'

/** Daily rotation costs most of all: what it turned over in a year, as the small curve has it. Nothing before the screen is there (`ready`). */
export function DailyTurnover({ ready }: { ready: boolean }) {
  const { draft, range } = useDraft()
  return draft && ready ? <Told draft={draft} range={range} /> : null
}

function Told({ draft, range }: { draft: Draft; range: DataRange | null }) {
  const { result, stale, years } = useQuickCurve(draft, range)
  const turnover = result && numbersOf(result).strategy.turnover
  if (turnover === null) return null
  return (
    <p className={stale ? `${styles.rowNotes} stale` : styles.rowNotes} title="日均换手 × 242，单边；按速览的理想成交计算">
      预计年换手 ≈ {fixed(turnover, 1)} 倍（近 {years} 年）
    </p>
  )
}
