import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useState } from 'react'
import { percent, signedPercent, tone } from '../../../base/format.ts'
import { Row } from '../../../ui/layout.tsx'
import { capacityAt, capitalName, capitalSteps, tooLittleFilled } from './cost.ts'
import styles from './sensitivity.module.css'

/** A slider over the capital, and what the curve says of so much money. */
export function CapacityLine({ report: { capacity, settings } }: { report: ReportCore }) {
  const steps = useMemo(() => capitalSteps(capacity[0]?.capital ?? 10, capacity.at(-1)?.capital ?? 10), [capacity])
  const own = steps.findLastIndex((wan) => wan <= settings.capital)
  const [at, setAt] = useState(Math.max(0, own))
  const wan = steps[at] ?? settings.capital
  const { annual, unfilled } = capacityAt(capacity, wan)
  const words = `${capitalName(wan)}元，年化约 ${signedPercent(annual)}，想买而没买到的约 ${percent(unfilled, 1)}`
  return (
    <Row wrap className={`card-line screen-only ${styles.capacityLine}`}>
      <label>
        换成这么多钱
        <input
          type="range"
          min={0}
          max={steps.length - 1}
          value={at}
          aria-label="资金"
          aria-valuetext={words}
          style={{ '--done': `${(at / Math.max(1, steps.length - 1)) * 100}%` } as Record<string, string>}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
        />
        <b>{capitalName(wan)}元</b>
      </label>
      <span>
        年化约 <b className={tone(annual)}>{signedPercent(annual)}</b>
      </span>
      <span>
        未成交约 <b className={unfilled !== null && unfilled > 1 - tooLittleFilled ? 'warn' : undefined}>{percent(unfilled, 1)}</b>
      </span>
      <span className="text-3">按相邻两档内插</span>
    </Row>
  )
}
