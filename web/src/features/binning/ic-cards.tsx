import { useMemo } from 'react'
import { dayWords } from '../../base/dates.ts'
import { fixed, percent, signed } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { lineFacts } from '../../ui/chart/facts.ts'
import { mostOf } from '../../ui/chart/heat.ts'
import { HeatLegend, HeatMap } from '../../ui/chart/heat-map.tsx'
import { barsOption } from '../../ui/chart/kinds/bars.ts'
import { bareEndRoom, linesOption } from '../../ui/chart/kinds/lines.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import styles from './binning.module.css'
import type { BinningPart } from './binning-part.ts'
import { cumulated, yearsOf } from './binning-text.ts'

/** Rank IC month by month as bars, and its running sum below on the same range. */
export function IcCard({ question, result, watermark }: BinningPart) {
  const look = useChartTheme()
  const { ic_monthly: months, rank_ic: ic } = result
  const names = useMemo(() => months.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`), [months])
  const bars = useMemo(
    () =>
      barsOption(
        {
          names,
          values: months.map(({ value }) => value),
          // Hardly any month is beyond 0.2: one decimal would write two marks alike.
          format: (value) => fixed(value, 2),
          ticks: 3,
          signed: true,
          room: bareEndRoom,
          watermark: null,
        },
        look,
        (index) => tip(names[index] ?? '', [{ mark: 'none', name: '月均 Rank IC', value: signed(months[index]?.value, 3) }]),
      ),
    [names, months, look],
  )
  const sums = useMemo(() => cumulated(ic.values), [ic.values])
  const line = useMemo(
    () =>
      linesOption(
        {
          ...{ dates: ic.dates, format: (value: number) => fixed(value, 1), base: 0, watermark, patterns: false, bareEnds: true },
          lines: [{ name: '累计', role: 'strategy', values: sums }],
        },
        look,
        (index) =>
          tip(dayWords(ic.dates[index] ?? ''), [
            { mark: 'none', name: '当日 Rank IC', value: signed(ic.values[index], 3) },
            { mark: '', name: '累计', value: fixed(sums[index], 2) },
          ]),
      ),
    [ic, sums, watermark, look],
  )
  return (
    <ChartCard
      title="IC 时序"
      note="月均 Rank IC（柱）与累计（线）"
      {...chartFiles({ name: question.factorName, title: 'IC 时序', demo: watermark !== null }, () => [
        ['日期', 'Rank IC', '累计'],
        ...ic.dates.map((date, i) => [date, ic.values[i], sums[i]]),
      ])}
      foot={`日 Rank IC 为正的占 ${percent(ic.win_rate, 1)}，绝对值大于 0.02 的占 ${percent(ic.abs_above_002, 1)}；普通 IC 均值 ${fixed(result.ic.mean, 3)}。`}
      table={() => (
        <ScrollBox label="月均 IC 表" className={styles.table}>
          <Table
            dense
            columns={[
              { label: '月份', cell: (_, i) => names[i] },
              { label: '月均 Rank IC', numeric: true, cell: ({ value }) => signed(value, 3) },
            ]}
            rows={months}
            rowKey={(_, i) => names[i]}
          />
        </ScrollBox>
      )}
    >
      <div className="body">
        <ChartBox
          option={bars}
          shape="ic-months"
          label={`月均 Rank IC，共 ${months.length} 个月`}
          height={150}
          points={months.length}
          describe={(index) => `${names[index]} 月均 Rank IC ${signed(months[index]?.value, 3)}`}
        />
        <ChartBox
          option={line}
          shape="ic-sum"
          label={lineFacts('累计 Rank IC', ic.dates, sums, (value) => fixed(value, 2))}
          height={150}
          points={ic.dates.length}
          describe={(index) => `${ic.dates[index]} 累计 ${fixed(sums[index], 2)}`}
        />
      </div>
    </ChartCard>
  )
}

const monthNames = Array.from({ length: 12 }, (_, i) => String(i + 1))

/** Year by month, red where larger values were followed by larger returns. */
export function MonthsCard({ question, result }: BinningPart) {
  const rows = yearsOf(result.ic_monthly)
  const most = mostOf(result.ic_monthly.map(({ value }) => value))
  const scale = { kind: 'signed' as const, most }
  return (
    <Card
      bare
      title="IC 月度"
      note={`负值表示${question.factorName}越低，后 ${question.body.forward_days[0]} 日收益越高`}
      tools={<HeatLegend scale={scale} low={<span>−{fixed(most * 0.66)} 以下</span>} high={<span>+{fixed(most * 0.66)} 以上</span>} />}
    >
      <HeatMap
        label="IC 月度表"
        corner="年"
        columns={[...monthNames, '全年']}
        rows={rows}
        scale={scale}
        format={(value) => signed(value, 2)}
      />
    </Card>
  )
}
