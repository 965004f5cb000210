import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { count, fixed, percent, signedPercent } from '../../../base/format.ts'
import { Card } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { neverBought } from '../sentences.ts'
import { type CheckWords, checkWords, needsGrid, trialWords } from './check-text.ts'
import { type Checking, GridLine } from './grid-line.tsx'
import { LuckTable } from './luck-table.tsx'
import styles from './robustness.module.css'
import { Chip } from './verdict-chips.tsx'
import { chipsOfReport, robustnessTitle, trustLine, trustSentence } from './verdict-text.ts'

/** 靠谱吗: its headline, the checks behind it, and what another draw of the same days would have given. */
export function RobustnessCard({ report, checking }: { report: ReportCore; checking?: Checking | undefined }) {
  const { robustness } = report
  const idle = neverBought(report)
  const chips = report.partial ? null : chipsOfReport(report)
  const title = robustnessTitle(report)
  const asking = checking?.state === 'asking'
  return (
    <Card
      title={title}
      badge={
        <>
          {!idle && chips && <Chip chip={chips[1]} />}
          <span className="text-3">{trialWords(report)}</span>
        </>
      }
      tools={!idle && chips && <span className="text-2">{trustLine(report)}</span>}
      bare
    >
      {idle ? (
        <p className="body text-2">全程没有买入任何证券，没有可检验的结果。</p>
      ) : (
        <>
          <div className={styles.robustChecks}>
            {robustness.checks.map((check) => (
              <Check key={check.key} words={checkWords(check)} running={asking && check.ok === null && needsGrid(check.key)} />
            ))}
          </div>
          {checking && <GridLine checking={checking} />}
          <div className={styles.robustMore}>
            <Bands report={report} />
            <LuckTable report={report} />
          </div>
          <div className="foot">{trustSentence(robustness)}</div>
        </>
      )}
    </Card>
  )
}

function Check({ words: { label, ok, value, bar, sentence, todo, meter }, running }: { words: CheckWords; running: boolean }) {
  const look = ok === null ? 'open' : ok ? 'passed' : 'failed'
  return (
    <article className={styles.check} data-state={look}>
      <h3>
        {ok === null ? (
          <Badge look={running ? 'info' : 'plain'}>{running ? '补算中' : '没查'}</Badge>
        ) : (
          <Badge look={ok ? 'ok' : 'warn'}>{checkMark(ok)}</Badge>
        )}
        {label}
      </h3>
      <Row as="p" gap={12} align="baseline" className={styles.checkValue}>
        <b>{value}</b> <span>{bar}</span>
      </Row>
      <span className={`meter ${styles.checkMeter}`} aria-hidden="true">
        {meter && <i style={{ width: `${meter.at * 100}%` }} />}
        {meter && <u style={{ left: `${meter.bar * 100}%` }} />}
      </span>
      <p>{running ? '正在用参数网格补算。' : sentence}</p>
      <p className="text-3">{todo}</p>
    </article>
  )
}

const checkMark = (ok: boolean) => (
  <>
    <Icon name={ok ? 'check' : 'warn'} size="small" />
    {ok ? '通过' : '没通过'}
  </>
)

/** What the same days in another order would have given: low, middle, high. */
function Bands({ report }: { report: ReportCore }) {
  const { bootstrap } = report.robustness
  const rows = bootstrap
    ? ([
        [
          metricLabel('annual_return'),
          bootstrap.annual_return,
          report.metrics.annual_return,
          (value: number | null) => signedPercent(value, 1),
        ],
        [metricLabel('sharpe'), bootstrap.sharpe, report.metrics.sharpe, (value: number | null) => fixed(value)],
        [
          metricLabel('max_drawdown'),
          bootstrap.max_drawdown,
          report.metrics.max_drawdown,
          (value: number | null) => signedPercent(value, 1),
        ],
      ] as const)
    : []
  return (
    <section>
      <h3 className="subhead">
        打乱次序重演 1,000 次
        {bootstrap && (
          <span>
            每 {bootstrap.block_days} 个交易日一块，有放回重排 {count(bootstrap.n)} 次
          </span>
        )}
      </h3>
      {bootstrap ? (
        <div className="table-frame">
          <Table
            dense
            columns={[
              { label: '指标', cell: ([name]) => name },
              {
                label: '本次',
                numeric: true,
                look: () => 'medium',
                cell: ([, , own, write]) => write(own),
              },
              { label: '偏差（5%）', numeric: true, cell: ([, [low], , write]) => write(low) },
              { label: '居中', numeric: true, cell: ([, [, middle], , write]) => write(middle) },
              { label: '偏好（95%）', numeric: true, cell: ([, [, , high], , write]) => write(high) },
            ]}
            rows={rows}
            rowKey={([name]) => name}
          />
        </div>
      ) : (
        <p className="text-2">不足 60 个交易日，不做重排。</p>
      )}
      <p className="note">
        同样的日子换个先后，二十次里约有十八次落在两端之间。真实夏普大于 0 的把握（不计尝试次数）{percent(report.robustness.psr, 1)}。
      </p>
    </section>
  )
}
