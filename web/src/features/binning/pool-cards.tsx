import { useMemo } from 'react'
import { dayWords } from '../../base/dates.ts'
import { count, fixed, percent } from '../../base/format.ts'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { lineFacts } from '../../ui/chart/facts.ts'
import { binsBetween, histogramOption } from '../../ui/chart/kinds/histogram.ts'
import { linesOption } from '../../ui/chart/kinds/lines.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Table } from '../../ui/table/table.tsx'
import { chartFiles } from '../report/chart-files.ts'
import styles from './binning.module.css'
import type { BinningPart } from './binning-part.ts'
import { useFactorFigures } from './factor-figures.ts'

/** How the factor's values lie: one look at sixty days spread over the range. */
export function DistributionCard({ question, result, watermark }: BinningPart) {
  const look = useChartTheme()
  const figures = useFactorFigures(question.body.factor)
  const { edges, counts, skew, kurtosis } = result.distribution
  const bins = useMemo(() => binsBetween(edges, counts), [edges, counts])
  // The outer bars hold what lies beyond them too.
  const rangeOf = useMemo(() => {
    const last = counts.length - 1
    return (index: number) => {
      if (last === 0) return '全部'
      if (index === 0) return `低于 ${figures(edges[1])}`
      return index === last ? `不低于 ${figures(edges[last])}` : `${figures(edges[index])} ~ ${figures(edges[index + 1])}`
    }
  }, [edges, counts, figures])
  const option = useMemo(
    () =>
      histogramOption({ bins, format: figures, unit: '次', watermark }, look, (index) =>
        tip(rangeOf(index), [{ mark: 'none', name: '出现', value: `${count(counts[index])} 次` }]),
      ),
    [bins, counts, rangeOf, figures, watermark, look],
  )
  return (
    <ChartCard
      title="因子分布"
      note="从区间里均匀抽取的交易日"
      {...chartFiles({ name: question.factorName, title: '因子分布', demo: watermark !== null }, () => [
        ['从', '到', '次数'],
        ...counts.map((value, i) => [i === 0 ? null : edges[i], i === counts.length - 1 ? null : edges[i + 1], value]),
      ])}
      foot={`偏度 ${fixed(skew)}，超额峰度 ${fixed(kurtosis)}；尾部很长时，等间距分箱的两端会很空。`}
      table={() => (
        <ScrollBox label="分布表" className={styles.table}>
          <Table
            dense
            columns={[
              { label: '范围', cell: (_, i) => rangeOf(i) },
              { label: '次数', numeric: true, cell: (value) => count(value) },
            ]}
            rows={counts}
            rowKey={(_, i) => edges[i]}
          />
        </ScrollBox>
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="distribution"
          label={`因子分布直方图，共 ${counts.length} 段`}
          height={220}
          points={counts.length}
          describe={(index) => `${rangeOf(index)}，${count(counts[index])} 次`}
        />
      </div>
    </ChartCard>
  )
}

/** The share of the pool that has a value, day by day. */
export function CoverageCard({ question, result, watermark }: BinningPart) {
  const look = useChartTheme()
  const { dates, values } = result.coverage
  const shares = useMemo(() => values.map((value) => (value === null ? null : value * 100)), [values])
  const option = useMemo(
    () =>
      linesOption(
        {
          ...{ dates, format: (value: number) => fixed(value, 1), unit: '%', ceiling: 100, watermark, patterns: false },
          lines: [{ name: '覆盖', role: 'strategy', values: shares }],
        },
        look,
        (index) => tip(dayWords(dates[index] ?? ''), [{ mark: '', name: '覆盖率', value: percent(values[index], 1) }]),
      ),
    [dates, shares, values, watermark, look],
  )
  const months = dates.flatMap((date, i) => (dates[i + 1]?.slice(0, 7) === date.slice(0, 7) ? [] : [i]))
  return (
    <ChartCard
      title="覆盖率"
      note="池内有因子值的证券占比 · %"
      {...chartFiles({ name: question.factorName, title: '覆盖率', demo: watermark !== null }, () => [
        ['日期', '覆盖率(%)'],
        ...dates.map((date, i) => [date, shares[i]]),
      ])}
      foot="覆盖率突然变化，往往是数据开始或中断；那一段的结论要打折扣。"
      table={() => (
        <ScrollBox label="覆盖率表" className={styles.table}>
          <Table
            dense
            columns={[
              { label: '月末', cell: (i) => dates[i] },
              { label: '覆盖率', numeric: true, cell: (i) => percent(values[i], 1) },
            ]}
            rows={months}
            rowKey={(i) => dates[i]}
          />
        </ScrollBox>
      )}
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="coverage"
          label={lineFacts('覆盖率', dates, shares, (value) => `${fixed(value, 1)}%`)}
          height={220}
          points={dates.length}
          describe={(index) => `${dates[index]} 覆盖率 ${percent(values[index], 1)}`}
        />
      </div>
    </ChartCard>
  )
}
