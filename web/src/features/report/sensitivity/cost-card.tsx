import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useRef } from 'react'
import { dayWords } from '../../../base/dates.ts'
import { fixed, percent, signedPercent, tone } from '../../../base/format.ts'
import { Card } from '../../../ui/card.tsx'
import { ChartBox, type ChartHandle } from '../../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../../ui/chart/chart-theme.ts'
import { ScrollBox } from '../../../ui/chart/scroll-box.tsx'
import { tip } from '../../../ui/chart/tip.ts'
import { Table } from '../../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { costDrag } from '../sentences.ts'
import { costSentence, finalValue, ownRate } from './cost.ts'
import { costOption } from './cost-option.ts'
import styles from './sensitivity.module.css'

/** How much was traded each month, and what costs took of it. */
export function CostCard({ report }: { report: ReportCore }) {
  const { curves, gross_nav: gross, monthly, metrics } = report
  const look = useChartTheme()
  const pen = useRef<ChartHandle>(null)
  const watermark = isSynthetic(report.data_mode) ? dataModes.demo.label : null
  const option = useMemo(() => {
    const months = monthly.map(({ end, turnover }) => ({ end, turnover: turnover ?? 0 }))
    const words = (index: number) => {
      const date = curves.dates[index] ?? ''
      const month = monthly.find(({ period }) => date.startsWith(period))
      return tip(dayWords(date), [
        { mark: '', name: '扣成本', value: fixed(curves.nav[index], 3) },
        { mark: 'none', name: '不扣成本', value: fixed(gross[index], 3) },
        { mark: 'none', name: '当月换手', value: `${fixed(month?.turnover)} 倍` },
      ])
    }
    return costOption({ dates: curves.dates, net: curves.nav, gross, months, watermark }, look, words)
  }, [curves, gross, monthly, watermark, look])
  const drag = costDrag(report)
  const before = drag === null || metrics.annual_return === null ? null : metrics.annual_return + drag
  return (
    <ChartCard
      title="换手与成本"
      note={`上：每月单边换手(倍) · 全期年均 ${fixed(metrics.turnover_annual, 1)} 倍`}
      legend={[
        { name: '扣成本', mark: '' },
        { name: '不扣成本', mark: '', colour: look.text3 },
      ]}
      pen={pen}
      fileName={fileNameOf(report, '换手与成本')}
      caption={captionOf(report, '换手与成本')}
      csv={() =>
        csvOf(
          report,
          ['日期', '扣成本净值', '不扣成本净值', '当日换手(%)', '当日成本(元)'],
          curves.dates.map((date, i) => [date, curves.nav[i], gross[i], asPercent(curves.turnover[i]), curves.cost[i]]),
        )
      }
      table={() => (
        <ScrollBox label="每月换手表" className="chart-table scroll">
          <Table
            dense
            columns={[
              { label: '月份', cell: (row) => row.period },
              { label: '换手(倍)', numeric: true, cell: (row) => fixed(row.turnover) },
              { label: '当月收益', numeric: true, look: (row) => tone(row.nav_return), cell: (row) => signedPercent(row.nav_return) },
            ]}
            rows={monthly.toReversed()}
            rowKey={(row) => row.period}
          />
        </ScrollBox>
      )}
      foot={
        drag === null
          ? '区间太短，不折算每年的成本。'
          : `成本平均每年吃掉年化 ${fixed(Math.max(0, drag) * 100)} 个百分点（${signedPercent(before)} → ${signedPercent(metrics.annual_return)}）。`
      }
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="cost"
          label={`换手与成本：扣成本期末 ${fixed(curves.nav.at(-1), 3)}，不扣成本 ${fixed(gross.at(-1), 3)}。左右键逐日。`}
          height={300}
          points={curves.dates.length}
          describe={(index) => `${curves.dates[index]}，扣成本 ${fixed(curves.nav[index], 3)}，不扣成本 ${fixed(gross[index], 3)}`}
          span={{ from: curves.dates[0] ?? '', to: curves.dates.at(-1) ?? '' }}
          pen={pen}
        />
      </div>
    </ChartCard>
  )
}

/** The same rule at other rates. */
export function CostSweepCard({ report }: { report: ReportCore }) {
  const { cost_sweep: sweep, metrics, benchmark_metrics: bench } = report
  const own = ownRate(report)
  const most = Math.max(0, ...sweep.map((row) => row.annual_return ?? 0))
  return (
    <Card
      className="column"
      title="成本敏感"
      note="佣金与滑点合计换成同一费率，税费不变"
      foot={<>{costSentence(report) ?? '没有可比的费率。'} 实际成交价与收盘价的差也算在里面。</>}
      bare
    >
      {sweep.length === 0 ? (
        <p className="body text-2">轮动次数与持有只数过多，没有计算成本敏感。</p>
      ) : (
        <div className="table-frame">
          <Table
            columns={[
              {
                label: '单边成本',
                look: () => 'medium',
                cell: ({ rate }, i) => (
                  <>
                    {percent(rate)}
                    {i === own && <span className="text-3"> 当前</span>}
                  </>
                ),
              },
              {
                label: '年化',
                numeric: true,
                look: ({ annual_return: annual }) => tone(annual),
                cell: ({ annual_return: annual }) => signedPercent(annual),
              },
              { label: '夏普', numeric: true, cell: ({ sharpe }) => fixed(sharpe) },
              { label: metricLabel('max_drawdown'), numeric: true, cell: ({ max_drawdown: fall }) => signedPercent(fall) },
              { label: '期末净值', numeric: true, cell: ({ annual_return: annual }) => fixed(finalValue(annual, metrics.days), 3) },
              {
                label: '年化的长短',
                head: null,
                className: styles.sweepBeside,
                cell: ({ annual_return: annual }) => (
                  <span className={`meter ${styles.sweepBar}`}>
                    <i style={{ width: `${most > 0 ? (Math.max(0, annual ?? 0) / most) * 100 : 0}%` }} />
                  </span>
                ),
              },
            ]}
            rows={sweep}
            rowKey={({ rate }) => rate}
            rowClass={(_, i) => (i === own ? 'current' : undefined)}
          >
            <tr>
              <td className="text-2">基准</td>
              <td className={`number ${tone(bench.annual_return)}`}>{signedPercent(bench.annual_return)}</td>
              <td className="number">{fixed(bench.sharpe)}</td>
              <td className="number">{signedPercent(bench.max_drawdown)}</td>
              <td className="number">{fixed(finalValue(bench.annual_return, metrics.days), 3)}</td>
              <td className={`text-3 ${styles.sweepBeside}`}>不计成本</td>
            </tr>
          </Table>
        </div>
      )}
    </Card>
  )
}
