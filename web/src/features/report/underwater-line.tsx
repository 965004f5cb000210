import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useState } from 'react'
import { percent } from '../../base/format.ts'
import { Row } from '../../ui/layout.tsx'
import styles from './periods.module.css'
import { underwaterMonths } from './underwater.ts'

/** 「你会怎样」: how long one would have lived with a loss of so much. */
export function UnderwaterLine({ report }: { report: ReportCore }) {
  const deepest = Math.max(1, Math.floor(-(report.metrics.max_drawdown ?? 0) * 100))
  const [depth, setDepth] = useState(() => Math.min(10, Math.max(1, Math.round(deepest / 2))))
  const { dates, drawdown } = report.curves
  const underwater = useMemo(() => underwaterMonths(dates, drawdown, depth / 100), [dates, drawdown, depth])
  return (
    <Row wrap className={`card-line screen-only ${styles.underwaterLine}`}>
      <label>
        你会怎样：回撤
        <input
          type="range"
          min={1}
          max={deepest}
          value={Math.min(depth, deepest)}
          aria-label="回撤幅度"
          aria-valuetext={`${depth}%`}
          style={{ ['--done' as string]: `${((depth - 1) / Math.max(1, deepest - 1)) * 100}%` }}
          onChange={(event) => setDepth(Number(event.currentTarget.value))}
        />
        <b>{depth}%</b> 以上
      </label>
      <span>
        {underwater.months === 0 ? (
          '没有一个月'
        ) : (
          <>
            有 <b>{underwater.months}</b> 个月（{percent(underwater.share, 0)}），最长连续 <b>{underwater.longest}</b> 个月
          </>
        )}
      </span>
    </Row>
  )
}
