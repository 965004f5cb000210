import { dataModes } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { GroupDetail } from '@convexa/contract/strategy-group'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useIsDemo } from '../../../api/site.ts'
import { fixed, percent, signedPercent } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { lineFacts } from '../../../ui/chart/facts.ts'
import { HeatMap } from '../../../ui/chart/heat-map.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { chartFiles } from '../../report/chart-files.ts'
import { asPercent } from '../../report/files.ts'
import { NavChart } from '../../report/nav-chart.tsx'
import { reportQuery } from '../../report/report-queries.ts'
import { useBenchName } from '../../rule/bench-name.ts'
import { runsQuery } from '../../rule/strategy-queries.ts'
import { reportPath } from '../run-columns.tsx'
import styles from './group.module.css'
import { basketOf } from './group-basket.ts'

type Listed = GroupDetail['combined_list'][number]

/** Above this share of all, one security decides much of the group. */
const heavy = 0.1

const BasketDialog = lazyDialog(async () => (await import('../../basket/basket-dialog.tsx')).BasketDialog)

/** 合并名单: what the members list together, the heaviest first, and who brings it. */
export function CombinedCard({ kind, group, onRefresh }: { kind: MarketId; group: GroupDetail; onRefresh: () => void }) {
  const names = useMemo(() => new Map(group.members.map(({ strategy_id: id, strategy_name: name }) => [id, name])), [group.members])
  const columns: TableColumn<Listed>[] = [
    {
      key: 'name',
      label: '证券',
      width: 160,
      card: 'title',
      cell: ({ code, name }) => (
        <span className={styles.combinedName}>
          <span className="medium">{name}</span>
          <span className="mono text-3">{code}</span>
        </span>
      ),
    },
    {
      key: 'from',
      label: '来自',
      width: 160,
      className: () => 'text-2 combined-from',
      cell: ({ from, weight }) => (
        <>
          {from.map((id) => names.get(id) ?? '已删除的成员').join('、')}
          {weight > heavy && <small className={`${styles.combinedNote} warn`}>单券超过 {percent(heavy, 0)}</small>}
        </>
      ),
    },
    { key: 'weight', label: '合计权重', width: 72, numeric: true, card: 'lead', cell: ({ weight }) => percent(weight) },
  ]
  const [basketOpen, setBasketOpen] = useState(false)
  const shared = group.combined_list.filter(({ from }) => from.length > 1).length
  return (
    <Card
      title="合并名单"
      note={group.combined_list.length > 0 ? `${group.combined_list.length} 只，${shared} 只重复` : undefined}
      tools={
        <Button look={['small', 'ghost']} icon="download" disabled={group.combined_list.length === 0} onClick={() => setBasketOpen(true)}>
          导出篮子
        </Button>
      }
      foot={
        group.combined_list.length > 0 && (
          <>
            权重取各成员概览那天的目标权重，乘以它的资金占比。
            {group.data_note && <span className="warn">{group.data_note}。</span>}
          </>
        )
      }
      bare
    >
      {basketOpen && (
        <Suspense>
          <BasketDialog source={basketOf(kind, group)} onRefresh={onRefresh} onClose={() => setBasketOpen(false)} />
        </Suspense>
      )}
      <DataTable
        label="合并名单"
        columns={columns}
        rows={group.combined_list}
        rowKey={({ code, from }) => `${code} ${from.join()}`}
        height={420}
        instead={
          <Empty icon="columns" title="还没有名单">
            成员生成概览后，这里把它们的名单合在一起。
          </Empty>
        }
        cards
      />
    </Card>
  )
}

/** 相关矩阵: daily returns of the last year, member against member. */
export function CorrelationCard({ group }: { group: GroupDetail }) {
  const names = group.members.map(({ strategy_name: name }) => name)
  const known = group.correlation.flat().some((value) => value !== null)
  const pairs = group.correlation.flatMap((row, i) => row.slice(0, i).map((value, j) => ({ i, j, value })))
  const [closest] = pairs.filter(({ value }) => value !== null).sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  return (
    <Card
      title="相关矩阵"
      note="近一年日收益"
      bare
      foot={
        closest && `最相近：「${names[closest.i]}」与「${names[closest.j]}」${fixed(closest.value)}。越接近 1，同涨同跌越多，分散越少。`
      }
    >
      {known ? (
        <HeatMap
          label="成员日收益相关矩阵"
          corner=""
          columns={names.map((_, i) => String(i + 1))}
          rows={group.correlation.map((values, i) => ({ name: `${i + 1} ${names[i]}`, values }))}
          scale={{ kind: 'sequence', low: 0, high: 1 }}
          format={(value) => fixed(value)}
          half
        />
      ) : (
        <Empty icon="columns" title="还没有可比的日收益">
          成员都有概览后显示。
        </Empty>
      )}
    </Card>
  )
}

const done = 2
const height = 280

/** 组合净值: of the newest finished run; without one, what to do to have it. */
export function GroupNavCard({ kind, group }: { kind: MarketId; group: GroupDetail }) {
  const runs = useQuery(runsQuery({ group_id: group.id, status: done, offset: 0, limit: 1 }))
  const run = runs.data?.list_items[0]
  const report = useQuery({ ...reportQuery(kind, run?.backtest_id ?? ''), enabled: run !== undefined })
  const bench = useBenchName(run?.settings.benchmark ?? '')
  const demo = useIsDemo(kind)
  const curves = report.data?.curves
  const curve = curves && { dates: curves.dates, nav: curves.nav, bench: curves.bench, drawdown: curves.drawdown }
  if (!run || !curve)
    return (
      <Card
        title="组合净值"
        {...(runs.error
          ? { state: { kind: 'error', error: runs.error, still: '成员与名单不受影响。', onRetry: () => void runs.refetch() } }
          : report.error
            ? { state: { kind: 'error', error: report.error, onRetry: () => void report.refetch() } }
            : runs.isPending || run
              ? { state: { kind: 'loading' } }
              : {
                  state: {
                    kind: 'empty',
                    icon: 'chart',
                    title: '还没有整体回测过',
                    text: '成员各跑各的规则，净值按占比相加；运行组合回测之后，这里画组合的净值与回撤。',
                  },
                })}
      />
    )
  return (
    <ChartCard
      title="组合净值"
      note={`${curve.dates[0]} ~ ${curve.dates.at(-1)} · 起点 = 1.00 · 已扣成本`}
      {...chartFiles({ name: group.group_name, title: '组合净值', terms: ['起点 = 1.00', '已扣成本'], demo }, () => [
        ['日期', '净值', bench, '回撤(%)'],
        ...curve.dates.map((date, i) => [date, curve.nav[i], curve.bench[i], asPercent(curve.drawdown[i])]),
      ])}
      legend={[
        { name: group.group_name, mark: '' },
        { name: bench, mark: 'bench' },
      ]}
      tools={
        <PageLink className="link size-12" to={reportPath({ kind, backtest_id: run.backtest_id })}>
          看报告
        </PageLink>
      }
      table={() => (
        <DataTable
          label="组合净值表"
          columns={[
            { key: 'date', label: '日期', width: 84, cell: (i: number) => curve.dates[i] },
            { key: 'nav', label: '净值', width: 64, numeric: true, cell: (i: number) => fixed(curve.nav[i], 4) },
            { key: 'drawdown', label: '回撤', width: 64, numeric: true, cell: (i: number) => signedPercent(curve.drawdown[i]) },
          ]}
          rows={curve.dates
            .map((_, i) => i)
            .slice(-60)
            .reverse()}
          rowKey={String}
        />
      )}
    >
      <div className="body">
        <NavChart
          curve={curve}
          names={{ strategy: '组合', bench }}
          label={lineFacts(group.group_name, curve.dates, curve.nav, (value) => fixed(value, 3))}
          height={height}
          watermark={demo ? dataModes.demo.label : null}
        />
      </div>
    </ChartCard>
  )
}
