import { dataModes } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIsDemo } from '../../../api/site.ts'
import { fixed, signedPercent } from '../../../base/format.ts'
import type { CardState } from '../../../ui/card-state.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { lineFacts } from '../../../ui/chart/facts.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { chartFiles } from '../../report/chart-files.ts'
import { asPercent } from '../../report/files.ts'
import { NavChart } from '../../report/nav-chart.tsx'
import { trackingQuery } from '../../rule/strategy-queries.ts'
import { fallOf, followedFacts, waitingWords, writtenWords } from './followed.ts'
import { newEngineText } from './new-engine.ts'

const height = 300

/**
 * 保存后的表现: what the rule did since it was saved, written day by day and never changed, beside the market. Days before are no record:
 * they stand apart, in grey (`BeforeSavingCard`).
 */
export function TrackingCard({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { data, error, refetch, isPending } = useQuery(trackingQuery(kind, strategy.id))
  const demo = useIsDemo(kind)
  const facts = data ? followedFacts(data) : null
  const engine = data ? newEngineText(kind, data, strategy.kept_meanings) : null
  const drawdown = useMemo(() => fallOf(data?.nav ?? []), [data])
  const waiting = data ? waitingWords(data) : null
  const saved = data?.saved_at.slice(0, 10) ?? ''
  const since = data ? `自 ${saved} 保存第 ${data.version} 版起` : ''
  const state: CardState | null = error
    ? { kind: 'error', error, still: '概览与规则不受影响。', onRetry: () => void refetch() }
    : isPending
      ? { kind: 'loading' }
      : !data || data.dates.length === 0
        ? {
            kind: 'empty',
            icon: 'calendar',
            title: `从 ${saved} 起记录，下一个交易日收盘后出现第一天`,
            text: `${since}，新的交易日逐日记下，写下之后不再改。${waiting ? `${waiting}。` : ''}`,
          }
        : data.dates.length < 2
          ? {
              kind: 'empty',
              icon: 'calendar',
              title: `已记下 ${data.dates[0]}`,
              text: `${since}。一天还画不成线：下一个交易日收盘后从这里画起。${waiting ? `${waiting}。` : ''}`,
            }
          : null
  const three = (value: number) => fixed(value, 3)
  const market = data?.market
  // Where data or engine have changed what these days tell, that line is drawn too; else it would lie under the record.
  const again = facts?.parted && data ? [{ name: recomputed, values: data.now }] : []
  return (
    <ChartCard
      title={title}
      note={`${since} · 起点 = 1.00 · 已扣成本`}
      legend={[
        { name: '当时记录', mark: '' },
        ...(market ? [{ name: market.label, mark: 'bench' as const }] : []),
        ...again.map(({ name }) => ({ name, mark: '' as const, colour: 'var(--text-3)' })),
      ]}
      {...(state && { state, height })}
      {...chartFiles({ name: strategy.strategy_name, title, terms: [since, '已扣成本'], demo }, () => [
        ['日期', '净值', market?.label ?? '市场', recomputed, '回撤(%)'],
        ...(data?.dates ?? []).map((date, i) => [date, data?.nav[i], market?.nav[i], data?.now[i], asPercent(drawdown[i])]),
      ])}
      table={() =>
        data && (
          <DataTable
            label={`${title}表`}
            columns={[
              { key: 'date', label: '日期', width: 84, cell: ({ date }) => date },
              { key: 'nav', label: '当时记录', width: 72, numeric: true, cell: ({ nav }) => fixed(nav, 4) },
              { key: 'market', label: market?.label ?? '市场', width: 84, numeric: true, cell: ({ beside }) => fixed(beside, 4) },
              { key: 'now', label: '按现在重算', width: 72, numeric: true, cell: ({ now }) => fixed(now, 4) },
              { key: 'change', label: '名单变化', width: 120, cell: ({ words }) => words },
              { key: 'when', label: '记录于', width: 112, cell: ({ at }) => at },
            ]}
            rows={data.days
              .map((day, i) => ({
                date: day.date,
                nav: data.nav[i] ?? null,
                beside: market?.nav[i] ?? null,
                now: data.now[i] ?? null,
                words: `新进 ${day.added.length} 移出 ${day.removed.length}，持有 ${day.codes.length}`,
                at: writtenWords(day),
              }))
              .slice(-60)
              .reverse()}
            rowKey={({ date }) => date}
            instead="保存以来还没有记录"
          />
        )
      }
      foot={
        facts ? (
          <>
            保存后 {facts.days} 个交易日，{signedPercent(facts.total)}
            {market && facts.market !== null && `；同期${market.label} ${signedPercent(facts.market)}`}。其中 {facts.onTime} 天当日记下
            {facts.onTime < facts.days && `，${facts.days - facts.onTime} 天补记`}
            {facts.unfinished > 0 && `，${facts.unfinished} 天记录时数据未到齐`}。{waiting && `${waiting}。`}
            {facts.parted
              ? `${facts.parted.date} 起与现在的算法不同：当时 ${fixed(facts.parted.recorded, 4)}，现在 ${fixed(facts.parted.now, 4)}，数据或引擎改过这段历史。`
              : '与按现在的数据重算一致。'}
            {engine}
          </>
        ) : (
          '这里只有保存之后的日子：规则已定，数据还没有发生。写下之后不能改写，也不代表未来。'
        )
      }
    >
      {data && data.dates.length > 1 && (
        <div className="body">
          <NavChart
            curve={{ dates: data.dates, nav: data.nav, bench: market?.nav ?? null, drawdown, measures: again }}
            names={{ strategy: '当时记录', bench: market?.label ?? '' }}
            label={lineFacts(title, data.dates, data.nav, three)}
            height={height}
            watermark={demo ? dataModes.demo.label : null}
          />
        </div>
      )}
    </ChartCard>
  )
}

const title = '保存后的表现'
const recomputed = '按现在的数据重算'
