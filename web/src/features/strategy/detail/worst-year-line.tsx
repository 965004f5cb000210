import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { signedPercent, tone } from '../../../base/format.ts'
import { reportQuery } from '../../report/report-queries.ts'
import { useBenchName } from '../../rule/bench-name.ts'
import { useFactors } from '../../rule/factors.ts'
import styles from './detail.module.css'
import { ranAs } from './ran-as.ts'
import { worstYear } from './worst-year.ts'

/** What to expect of a bad year, and what market that was: of the newest run of the rule as it is saved; nothing without one. */
export function WorstYearLine({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const run = strategy.glance?.backtest_id
  const report = useQuery({ ...reportQuery(kind, run ?? ''), enabled: run !== undefined }).data
  const { factors } = useFactors(kind)
  const bench = useBenchName(report?.settings.benchmark ?? '')
  const worst = useMemo(() => (report?.curves ? worstYear(report.curves) : null), [report])
  if (!worst || !report?.parameters || !ranAs(strategy, report.parameters, report.settings, factors.nameOf)) return null
  return (
    <p className={styles.glanceWorst}>
      最难的 12 个月：{worst.from} 至 {worst.to}，<b className={tone(worst.total)}>{signedPercent(worst.total)}</b>
      {worst.bench !== null && (
        <>
          ；同期{bench} <b className={tone(worst.bench)}>{signedPercent(worst.bench)}</b>
        </>
      )}
      。<span className="text-3">取自最近一次回测，已扣成本</span>
    </p>
  )
}
