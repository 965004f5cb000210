import type { Report } from '@convexa/contract/report'
import { useState } from 'react'
import { signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { UnderwaterLine } from './underwater-line.tsx'
import './periods.css'

/** The deepest falls, how long each went down and how long it took to come back. */
export function DrawdownsCard({ report, rows, onZoom }: { report: Report; rows: number; onZoom: (from: string, to: string) => void }) {
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
        <table className="table compact drawdowns">
          <thead>
            <tr>
              <th>峰</th>
              <th>谷</th>
              <th className="number">幅度</th>
              <th className="number">下跌(日)</th>
              <th className="number">恢复(日)</th>
              <th className="number">当时基准</th>
              <th className="number wide-only">形状</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={`${one.peak} ${one.trough}`}>
                <td>
                  <button type="button" className="plain" title="在净值图中放大这一段" onClick={() => onZoom(one.peak, one.end ?? last)}>
                    {short(one.peak)}
                  </button>
                </td>
                <td>{short(one.trough)}</td>
                <td className="number medium">{signedPercent(one.depth, 1)}</td>
                <td className="number">{one.down_days}</td>
                <td className="number">{one.recover_days ?? <span className="text-2">未恢复</span>}</td>
                <td className={`number ${tone(one.bench_return)}`}>{signedPercent(one.bench_return, 1)}</td>
                <td className="number wide-only">
                  <Spark values={shape(one.peak, one.end ?? last)} />
                </td>
              </tr>
            ))}
            {shown.length === 0 && (
              <tr>
                <td colSpan={7} className="text-3">
                  没有回撤
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {shown.length > 0 && <UnderwaterLine report={report} />}
    </Card>
  )
}
