import type { Kind } from '@convexa/contract/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { chartFiles } from '../../quant/chart-files.ts'
import { useFactors } from '../../quant/factors.ts'
import { asPercent } from '../../quant/report/files.ts'
import { NavChart } from '../../quant/report/nav-chart.tsx'
import { reportQuery } from '../../quant/report/report-queries.ts'
import { useIsDemo } from '../../state/site.ts'
import type { CardState } from '../../ui/card-state.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { lineFacts } from '../../ui/chart/facts.ts'
import { dateTime } from '../../ui/dates.ts'
import { fixed, signedPercent } from '../../ui/format.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { trackingQuery } from '../strategy-queries.ts'
import { followedCurve, followedFacts } from './followed.ts'
import { ranAs } from './ran-as.ts'

const height = 300

/** 样本外跟踪: what the rule did since it was saved, written day by day and never changed, beside what is said of these days now. */
export function TrackingCard({ kind, strategy }: { kind: Kind; strategy: StrategyDetail }) {
  const { id, glance } = strategy
  const { data, error, refetch, isPending } = useQuery(trackingQuery(kind, id))
  const run = glance?.backtest_id
  const report = useQuery({ ...reportQuery(kind, run ?? ''), enabled: run !== undefined }).data
  const demo = useIsDemo(kind)
  const { factors } = useFactors(kind)
  // A run of another version, or of an edited copy, says nothing about this rule.
  const history = report?.parameters && ranAs(strategy, report.parameters, report.settings, factors.nameOf) ? report : null
  const curve = useMemo(() => (data ? followedCurve(history, data) : null), [history, data])
  const facts = data ? followedFacts(data) : null
  const since = data ? `自 ${data.saved_at.slice(0, 10)} 保存第 ${data.version} 版起` : ''
  const state: CardState | null = error
    ? { kind: 'error', error, still: '概览与规则不受影响。', onRetry: () => void refetch() }
    : isPending
      ? { kind: 'loading' }
      : !curve || curve.dates.length === 0
        ? {
            kind: 'empty',
            icon: 'calendar',
            title: `${since}还没有新的交易日`,
            text: '每次刷新概览，新的交易日会被记下；写下之后不再改。跑一次回测后，这里会先画出保存前的历史。',
          }
        : curve.dates.length < 2
          ? {
              kind: 'empty',
              icon: 'calendar',
              title: `已记下 ${curve.dates[0]}`,
              text: '一天还画不成线：下一个交易日收盘后从这里画起。跑一次回测后，这里会先画出保存前的历史。',
            }
          : null
  const from = curve?.start ?? null
  const three = (value: number) => fixed(value, 3)
  return (
    <ChartCard
      title="样本外跟踪"
      note={`${since} · 起点 = 1.00 · 已扣成本`}
      legend={[
        { name: history ? (facts ? '回测，之后为当时记录' : '回测') : '当时记录', mark: '' },
        ...(facts ? [{ name: '按现在的数据重算', mark: 'bench' as const }] : []),
      ]}
      {...(state && { state, height })}
      {...chartFiles({ name: strategy.strategy_name, title: '样本外跟踪', terms: [since, '已扣成本'], demo }, () => [
        ['日期', '净值', '按现在的数据重算', '回撤(%)'],
        ...(curve?.dates ?? []).map((date, i) => [date, curve?.nav[i], curve?.now[i], asPercent(curve?.drawdown[i])]),
      ])}
      table={() =>
        curve && (
          <DataTable
            label="样本外跟踪表"
            columns={[
              { key: 'date', label: '日期', width: 84, cell: ({ date }) => date },
              { key: 'nav', label: '当时记录', width: 72, numeric: true, cell: ({ nav }) => fixed(nav, 4) },
              { key: 'now', label: '按现在重算', width: 72, numeric: true, cell: ({ now }) => fixed(now, 4) },
              { key: 'change', label: '名单变化', width: 120, cell: ({ words }) => words },
              { key: 'when', label: '记录于', width: 112, cell: ({ at, late }) => `${at}${late ? '（补记）' : ''}` },
            ]}
            rows={[...(data?.days ?? [])]
              .reverse()
              .slice(0, 60)
              .map((day) => ({
                date: day.date,
                nav: data?.nav[data.dates.indexOf(day.date)] ?? null,
                now: data?.now[data.dates.indexOf(day.date)] ?? null,
                words: `新进 ${day.added.length} 移出 ${day.removed.length}，持有 ${day.codes.length}`,
                at: dateTime(day.recorded_at).slice(0, 16),
                late: !day.on_time,
              }))}
            rowKey={({ date }) => date}
            instead="保存以来还没有记录"
          />
        )
      }
      foot={
        facts ? (
          <>
            样本外 {facts.days} 个交易日，{signedPercent(facts.total)}；其中 {facts.onTime} 天当日记下
            {facts.onTime < facts.days && `，${facts.days - facts.onTime} 天补记`}。
            {facts.parted
              ? `${facts.parted.date} 起与现在的算法不同：当时 ${fixed(facts.parted.told, 4)}，现在 ${fixed(facts.parted.now, 4)}，数据或引擎改过这段历史。`
              : '与按现在的数据重算一致。'}
          </>
        ) : (
          '样本外指保存之后：规则已定，数据还没有发生。它不能被改写，也不说明以后。'
        )
      }
    >
      {curve && curve.dates.length > 0 && (
        <div className="body">
          <NavChart
            curve={{ dates: curve.dates, nav: curve.nav, bench: facts ? curve.now : null, drawdown: curve.drawdown }}
            // Nothing is recorded before the first day after the saving: until then it is a backtest and no more.
            names={{ strategy: facts ? '当时记录' : '回测', bench: '现在重算' }}
            label={lineFacts('样本外跟踪', curve.dates, curve.nav, three)}
            height={height}
            watermark={demo ? '演示数据' : null}
            oosStart={from}
          />
        </div>
      )}
    </ChartCard>
  )
}
