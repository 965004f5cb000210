import type { Report, ReportCore } from '@convexa/contract/report'
import { Card } from '../../ui/card.tsx'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { DataFoot } from '../../ui/data-foot.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveText } from '../../ui/table/sheet.ts'
import { shortened, sourcesOfRun } from '../data-status/source-text.ts'
import styles from './assumptions.module.css'
import { fileNameOf } from './files.ts'

/** Of a rule that another engine has run before: both versions. */
const engineWords = (own: string, { engine_version, finished_at }: NonNullable<Report['earlier_engine']>): string =>
  `本次由引擎 ${own} 计算；同一规则在 ${finished_at.slice(0, 10)} 由引擎 ${engine_version} 计算过，数字可能因引擎的修正而不同，当时的报告不变`

/** What the numbers rest on, and the whole report as a file. */
export function AssumptionsCard({ report }: { report: ReportCore }) {
  return (
    <Card
      title="口径与假设"
      note="它们决定了数字，看不懂可以先跳过"
      tools={
        <FileButton
          look={['small']}
          icon="download"
          onClick={() => saveText(`${fileNameOf(report)}.json`, JSON.stringify(report, null, 2), 'application/json')}
        >
          下载 JSON
        </FileButton>
      }
      bare
    >
      <dl className="assumptions">
        {report.assumptions.map((one) => (
          <div key={one.key}>
            <dt>{one.label}</dt>
            <dd>{one.text}</dd>
          </div>
        ))}
        {report.earlier_engine && (
          <div>
            <dt>引擎</dt>
            <dd>{engineWords(report.engine_version, report.earlier_engine)}</dd>
          </div>
        )}
      </dl>
      {report.warnings.length > 0 && (
        <div className={styles.reportWarnings}>
          <h3>
            <Icon name="warn" size="middle" />
            运行中的 {report.warnings.length} 条提示
          </h3>
          <ScrollBox label="提示内容" className={`note ${styles.reportWarningList}`}>
            <ul>
              {report.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </ScrollBox>
        </div>
      )}
      <DataFoot source={shortened(sourcesOfRun(report))} note={`${report.data_version} · 截至 ${report.metrics.end_date} 收盘`} />
    </Card>
  )
}
