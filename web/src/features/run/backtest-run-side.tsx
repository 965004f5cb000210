import { useMemo } from 'react'
import { signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Table } from '../../ui/table/table.tsx'
import { monthReturns } from '../report/series.ts'
import type { Difference } from '../rule/backtest-run-difference.ts'
import { isActive, type RunState } from './backtest-run.ts'
import styles from './backtest-run-view.module.css'

/** What this run changes against the one before, and which try of its family it is. */
export function Changed({ changed, first, trial }: { changed: readonly Difference[]; first: boolean; trial: number | null }) {
  return (
    <Card
      title="与上次运行不同"
      note={[changed.length > 0 && `${changed.length} 处`, trial !== null && `第 ${trial} 次尝试`].filter(Boolean).join(' · ')}
      foot="同一组因子试得越多，越容易碰到运气。尝试次数会计入报告里的检查。"
      bare
    >
      {changed.length === 0 ? (
        <p className={styles.same}>{first ? '这是本机在这个市场的第一次回测。' : '与上次运行的条件相同。'}</p>
      ) : (
        <dl className={styles.changed}>
          {changed.map(({ label, before, after }) => (
            <div key={`${label} ${before} ${after}`}>
              <dt>{label}</dt>
              <dd>
                <s>{before}</s>
                <Icon name="right" size="small" />
                <b>{after}</b>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

/** Returns by month, the newest first, as they are played back. */
export function Months({ run }: { run: RunState }) {
  const { dates, nav, bench } = run.curve
  const months = useMemo(() => monthReturns(dates, nav, bench).reverse().slice(0, 60), [dates, nav, bench])
  return (
    <Card className={styles.months} title="逐月收益" note="按月份倒序，随回放更新" bare>
      <ScrollBox label="逐月收益表" className={styles.monthsFrame}>
        <Table
          dense
          columns={[
            { label: '月份' },
            { label: '策略', numeric: true },
            { label: '基准', numeric: true },
            { label: '超额', numeric: true },
          ]}
        >
          {months.map(({ month, nav: own, bench: other, open }) => {
            const excess = other === null ? null : (1 + own) / (1 + other) - 1
            return (
              <tr key={month}>
                <td>
                  {month}
                  {open && run.phase !== 'done' && <span className="text-3"> 未完</span>}
                </td>
                <td className={`number ${tone(own)}`}>{signedPercent(own)}</td>
                <td className={`number ${tone(other)}`}>{signedPercent(other)}</td>
                <td className={`number ${tone(excess)}`}>{signedPercent(excess)}</td>
              </tr>
            )
          })}
          {months.length === 0 && (
            <tr>
              <td colSpan={4} className="text-3">
                {isActive(run) ? '等待第一个月…' : '没有算出任何月份'}
              </td>
            </tr>
          )}
        </Table>
      </ScrollBox>
    </Card>
  )
}

/** What the run had to say besides its numbers. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Card plain className={styles.warnings} label="提示">
      <h3>
        <Icon name="warn" />
        {warnings.length} 条提示
      </h3>
      <ScrollBox label="提示内容" className={styles.warningList}>
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </ScrollBox>
    </Card>
  )
}
