import { dataModes } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { useIsDemo } from '../../../api/site.ts'
import { fixed } from '../../../base/format.ts'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { lineFacts } from '../../../ui/chart/facts.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { chartFiles } from '../../report/chart-files.ts'
import { asPercent } from '../../report/files.ts'
import { NavChart } from '../../report/nav-chart.tsx'
import { reportQuery } from '../../report/report-queries.ts'
import { reportBenchName } from '../../rule/bench-name.ts'
import { useFactors } from '../../rule/factors.ts'
import { trackingQuery } from '../../rule/strategy-queries.ts'
import styles from './detail.module.css'
import { daysBefore } from './followed.ts'
import { ranAs } from './ran-as.ts'

const title = '回测期（保存前）'

/** The days of its last run before the rule was saved, in grey: they were seen when it was made. Nothing without such a run. */
export function BeforeSavingCard({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { data } = useQuery(trackingQuery(kind, strategy.id))
  const run = strategy.glance?.backtest_id
  const report = useQuery({ ...reportQuery(kind, run ?? ''), enabled: run !== undefined }).data
  const demo = useIsDemo(kind)
  const { factors } = useFactors(kind)
  // A run of another version, or of an edited copy, says nothing about this rule.
  if (!data || !report?.parameters || !ranAs(strategy, report.parameters, report.settings, factors.nameOf)) return null
  const { curves } = report
  const days = daysBefore(curves.dates, data.saved_at.slice(0, 10))
  if (days < 2) return null
  const until = <T,>(values: readonly T[]): T[] => values.slice(0, days)
  const dates = until(curves.dates)
  const nav = until(curves.nav)
  const bench = curves.bench.some((value) => value !== null) ? until(curves.bench) : null
  const benchName = reportBenchName(report)
  return (
    <div className={styles.beforeSaving}>
      <ChartCard
        title={title}
        note={`${dates[0]} ~ ${dates.at(-1)} · 起点 = 1.00 · 已扣成本`}
        legend={[{ name: '回测', mark: '' }, ...(bench ? [{ name: benchName, mark: 'bench' as const }] : [])]}
        {...chartFiles({ name: strategy.strategy_name, title, terms: ['已扣成本'], demo }, () => [
          ['日期', '净值', benchName, '回撤(%)'],
          ...dates.map((date, i) => [date, nav[i], bench?.[i], asPercent(curves.drawdown[i])]),
        ])}
        table={() => (
          <DataTable
            label={`${title}表`}
            columns={[
              { key: 'date', label: '日期', width: 84, cell: (row) => row.date },
              { key: 'nav', label: '回测', width: 72, numeric: true, cell: (row) => fixed(row.nav, 4) },
              { key: 'bench', label: benchName, width: 84, numeric: true, cell: (row) => fixed(row.beside, 4) },
            ]}
            rows={dates
              .map((date, i) => ({ date, nav: nav[i] ?? null, beside: bench?.[i] ?? null }))
              .slice(-60)
              .reverse()}
            rowKey={(row) => row.date}
            instead="没有保存前的日子"
          />
        )}
        foot="规则是看着这段历史定下的：它不是记录，只作对照。"
      >
        <div className="body">
          <NavChart
            curve={{ dates, nav, bench, drawdown: until(curves.drawdown) }}
            names={{ strategy: '回测', bench: benchName }}
            label={lineFacts(title, dates, nav, (value) => fixed(value, 3))}
            height={220}
            watermark={demo ? dataModes.demo.label : null}
          />
        </div>
      </ChartCard>
    </div>
  )
}
