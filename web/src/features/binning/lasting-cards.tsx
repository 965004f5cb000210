import { useMemo } from 'react'
import { fixed, percent } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { barFacts } from '../../ui/chart/facts.ts'
import { HeatMap } from '../../ui/chart/heat-map.tsx'
import { barsOption } from '../../ui/chart/kinds/bars.ts'
import { tip } from '../../ui/chart/tip.ts'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import type { BinningPart } from './binning-part.ts'
import { shortName } from './verdict-card.tsx'

/** How the information wanes with the days ahead. */
export function DecayCard({ question, result, watermark }: BinningPart) {
  const look = useChartTheme()
  const { decay, half_life: half } = result
  const names = useMemo(() => decay.map(({ days }) => `${days} 日`), [decay])
  const values = useMemo(() => decay.map(({ rank_ic }) => rank_ic), [decay])
  const chosen = decay.findIndex(({ days }) => days === question.body.forward_days[0])
  const option = useMemo(
    () =>
      barsOption(
        { names, values, format: (value) => fixed(value, 3), labels: true, watermark, ...(chosen >= 0 ? { chosen } : {}) },
        look,
        (index) =>
          tip(`前瞻 ${names[index]}`, [
            { mark: 'none', name: 'Rank IC', value: fixed(decay[index]?.rank_ic, 3) },
            { mark: 'none', name: 'IC', value: fixed(decay[index]?.ic, 3) },
          ]),
      ),
    [names, values, chosen, decay, watermark, look],
  )
  return (
    <ChartCard
      title="衰减"
      note="Rank IC 均值，按前瞻天数"
      {...chartFiles({ name: question.factorName, title: '衰减', demo: watermark !== null }, () => [
        ['前瞻(日)', 'Rank IC', 'IC'],
        ...decay.map(({ days, ic, rank_ic }) => [days, rank_ic, ic]),
      ])}
      foot={half === null ? '观察的期间内没有衰减到一半。' : `旧值的 Rank IC 约 ${fixed(half, 0)} 个交易日减半。`}
      table={() => (
        <Table
          dense
          columns={[
            { label: '前瞻', cell: ({ days }) => <>{days} 日</> },
            { label: 'Rank IC', numeric: true, cell: ({ rank_ic }) => fixed(rank_ic, 3) },
            { label: 'IC', numeric: true, cell: ({ ic }) => fixed(ic, 3) },
          ]}
          rows={decay}
          rowKey={({ days }) => days}
        />
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape={`decay ${decay.length}`}
          label={`IC 衰减，${barFacts(names, values, (value) => fixed(value, 3))}`}
          height={300}
          points={decay.length}
          describe={(index) => `前瞻 ${names[index]}，Rank IC ${fixed(values[index], 3)}`}
        />
      </div>
    </ChartCard>
  )
}

/** Transition matrix: share of each bin's securities in each bin of the next formation. */
export function TransitionCard({ question, result }: BinningPart) {
  const names = result.bins.map(({ label }) => shortName(label))
  const rows = result.transition.map((row, i) => ({
    name: names[i] ?? '',
    values: row.map((value) => (value === null ? null : value * 100)),
  }))
  return (
    <Card
      bare
      title="箱间迁移"
      note={`${question.body.rebalance_days} 日后 · % · 秩自相关 ${fixed(result.autocorrelation)}`}
      foot={`留在原箱的比例越高，换手越低；每期平均换手 ${percent(meanOf(result.bins.map(({ turnover }) => turnover)), 0)}。`}
    >
      <HeatMap
        label="箱间迁移表"
        corner="从 \ 到"
        columns={names}
        rows={rows}
        scale={{ kind: 'sequence', low: 0, high: 100 }}
        format={(value) => fixed(value, 1)}
      />
    </Card>
  )
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
}
