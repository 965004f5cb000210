import { metricLabel } from '@convexa/contract/enums/metric'
import type { MetricKey } from '@convexa/contract/metrics'
import type { ReportCore } from '@convexa/contract/report'
import { fixed, missing, percent, signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { riskSentence } from '../legal/risk-sentence.ts'
import { interestWords } from '../rule/interest-text.ts'
import { Definition } from './definition.tsx'
import { Pieces } from './pieces.tsx'
import { Answers } from './robustness/answers.tsx'
import type { Checking } from './robustness/grid-line.tsx'
import { costDrag, hardestStretch, neverBought } from './sentences.ts'
import './conclusion.css'

/** Both answers, five numbers and the hardest stretch: the bad number and the recent one stand beside the good one. */
export function Conclusion({
  report,
  checking,
  onLonger,
}: {
  report: ReportCore
  checking?: Checking | undefined
  onLonger?: (() => void) | undefined
}) {
  const { metrics, benchmark_metrics: bench } = report
  const drag = costDrag(report)
  const interest = interestWords(report.left_out_interest)
  const short = (date: string | null) => (date ? date.slice(2) : missing)
  const idle = neverBought(report)
  const figures: { metric: MetricKey; label: string; value: string; unit?: string; tone?: string; notes: readonly string[] }[] = [
    {
      metric: 'annual_return',
      label: metricLabel('annual_return'),
      value: signedPercent(metrics.annual_return),
      tone: tone(metrics.annual_return),
      notes:
        metrics.annual_return === null && metrics.days < 20
          ? ['样本不足，未年化']
          : [
              `基准 ${signedPercent(bench.annual_return)}`,
              // One excess on the page: that of the answer, over what the answer names.
              ...(report.worth ? [] : [`超额 ${signedPercent(metrics.excess_annual)}`]),
              ...(interest ? [interest] : []),
            ],
    },
    {
      metric: 'max_drawdown',
      label: metricLabel('max_drawdown'),
      value: signedPercent(metrics.max_drawdown),
      tone: tone(metrics.max_drawdown),
      notes: [
        metrics.max_drawdown_end === null
          ? `基准 ${signedPercent(bench.max_drawdown, 1)}`
          : `${short(metrics.max_drawdown_start)} 至 ${short(metrics.max_drawdown_end)}`,
      ],
    },
    {
      metric: 'sharpe',
      label: metricLabel('sharpe'),
      value: fixed(metrics.sharpe),
      notes: [`基准 ${fixed(bench.sharpe)}`, `波动 ${percent(metrics.volatility, 1)}`],
    },
    {
      metric: 'turnover_annual',
      label: metricLabel('turnover_annual'),
      value: fixed(metrics.turnover_annual, 1),
      unit: '倍',
      notes: [drag === null ? '单边' : `成本约 ${percent(Math.max(0, drag), 1)}/年`],
    },
    {
      metric: 'recent_1y',
      label: metricLabel('recent_1y'),
      value: signedPercent(metrics.recent_1y),
      tone: tone(metrics.recent_1y),
      notes: [metrics.recent_1y === null ? '区间不足一年' : `基准 ${signedPercent(bench.recent_1y)}`],
    },
  ]
  const numbers = idle ? figures.map((one) => ({ ...one, value: missing, tone: 'flat', notes: ['没有成交'] })) : figures
  return (
    <Card plain className="conclusion" label="结论">
      {!idle && <Answers report={report} checking={checking} onLonger={onLonger} />}
      <div className="conclusion-numbers">
        {numbers.map((one) => (
          <Definition
            key={one.metric}
            report={report}
            metric={one.metric}
            value={`${one.value}${one.unit && one.value !== missing ? ` ${one.unit}` : ''}`}
            className="conclusion-number"
          >
            <span>{one.label}</span>
            <b className={one.tone === 'flat' ? '' : one.tone}>
              {one.value}
              {one.unit && one.value !== missing && <u>{one.unit}</u>}
            </b>
            <small>
              {one.notes.map((note) => (
                <span key={note}>{note}</span>
              ))}
            </small>
          </Definition>
        ))}
      </div>
      <p className="conclusion-sentence">
        <Icon name="info" />
        <Pieces pieces={hardestStretch(report)} />
      </p>
      <p className="conclusion-risk">{riskSentence}</p>
    </Card>
  )
}
