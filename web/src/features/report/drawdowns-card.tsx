import type { ReportCore } from '@convexa/contract/report'
import { useState } from 'react'
import { signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { Table } from '../../ui/table/table.tsx'
import styles from './periods.module.css'
import { UnderwaterLine } from './underwater-line.tsx'

/** The deepest falls, how long each went down and how long it took to come back. */
export function DrawdownsCard({ report, rows, onZoom }: { report: ReportCore; rows: number; onZoom: (from: string, to: string) => void }) {
  const [all, setAll] = useState(false)
  const shown = all ? report.drawdowns : report.drawdowns.slice(0, rows)
  const { dates, drawdown } = report.curves
  const shape = (from: string, to: string) => drawdown.slice(dates.indexOf(from), dates.indexOf(to) + 1).map((value) => value ?? 0)
  const last = dates.at(-1) ?? ''
  const short = (date: string) => date.slice(2)
  return (
    <Card
      className="column"
      title="回撤清单"
      note={<>按幅度，最深 {shown.length} 次</>}
      tools={
        report.drawdowns.length > rows && (
          <button type="button" className="link size-12" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? '收起' : `看全部 ${report.drawdowns.length} 次`}
          </button>
        )
      }
      foot="恢复天数比幅度更考验人。"
      bare
    >
      <div className="table-frame">
        <Table
          dense
          className={styles.drawdowns}
          columns={[
            {
              label: '峰',
              cell: (one) => (
                <button type="button" className="plain" title="在净值图中放大这一段" onClick={() => onZoom(one.peak, one.end ?? last)}>
                  {short(one.peak)}
                </button>
              ),
            },
            { label: '谷', cell: (one) => short(one.trough) },
            { label: '幅度', numeric: true, look: () => 'medium', cell: (one) => signedPercent(one.depth, 1) },
            { label: '下跌(日)', numeric: true, cell: (one) => one.down_days },
            { label: '恢复(日)', numeric: true, cell: (one) => one.recover_days ?? <span className="text-2">未恢复</span> },
            { label: '当时基准', numeric: true, look: (one) => tone(one.bench_return), cell: (one) => signedPercent(one.bench_return, 1) },
            { label: '形状', numeric: true, className: 'wide-only', cell: (one) => <Spark values={shape(one.peak, one.end ?? last)} /> },
          ]}
          rows={shown}
          rowKey={(one) => `${one.peak} ${one.trough}`}
        >
          {shown.length === 0 && (
            <tr>
              <td colSpan={7} className="text-3">
                没有回撤
              </td>
            </tr>
          )}
        </Table>
      </div>
      {shown.length > 0 && <UnderwaterLine report={report} />}
    </Card>
  )
}
