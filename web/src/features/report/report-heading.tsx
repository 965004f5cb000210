import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { fills } from '@convexa/contract/enums/fill'
import { markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import type { ReportCore } from '@convexa/contract/report'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { shortened, sourcesOfRun } from '../data-status/source-text.ts'
import { costWords, rebalanceWords } from '../rule/rule-text.ts'

/** What the report is of, on what terms; `note` under it, `tools` at its right. */
export function ReportHeading({ report, note, tools }: { report: ReportCore; note?: ReactNode; tools: ReactNode }) {
  const { settings, parameters, metrics } = report
  const first = [`${metrics.start_date} ~ ${metrics.end_date}`, costWords(settings, markets[report.kind].dutied)]
  // A phone has room for those above alone; the others are among the assumptions too.
  const further = [
    `按${labelOf(fills, settings.fill)}成交`,
    ...(parameters ? [rebalanceWords(parameters.rebalance_method)] : []),
    ...(parameters && parameters.hold_method.hold_threshold > 0
      ? [`${ruleLabels.hold_threshold} ${parameters.hold_method.hold_threshold}`]
      : []),
    `数据：${shortened(sourcesOfRun(report))} ${report.data_version}`,
    `引擎 ${report.engine_version}`,
  ]
  return (
    <Row gap={8} className="report-heading">
      <div>
        <Row wrap className="report-name">
          <h1>{report.name}</h1>
          {isSynthetic(report.data_mode) && (
            <span className="badge demo">
              <Icon name="info" size="middle" />
              演示数据，模拟生成，非真实行情
            </span>
          )}
        </Row>
        <Row as="p" align="stretch" wrap className="report-terms">
          {first.map((term) => (
            <span key={term}>{term}</span>
          ))}
          {further.map((term) => (
            <span key={term} className="wide-only">
              {term}
            </span>
          ))}
          <span className="mono" title={`同样的参数、数据与引擎得到同样的编号：${report.params_hash}`}>
            #{report.params_hash.slice(0, 4)}
          </span>
        </Row>
        {note}
      </div>
      <span className="grow" />
      {report.partial && (
        <span className="badge warn">
          <Icon name="warn" size="middle" />
          结果不完整
        </span>
      )}
      <Row as="span" gap={8} className="report-tools">
        {tools}
      </Row>
    </Row>
  )
}
