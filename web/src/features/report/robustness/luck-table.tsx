import type { ReportCore } from '@convexa/contract/report'
import { count, fixed } from '../../../base/format.ts'
import { Table } from '../../../ui/table/table.tsx'
import { luckRows, luckYears, rowOfTrials } from './luck.ts'

/** What luck alone is expected to show after so many trials, and where this run stands. */
export function LuckTable({ report }: { report: ReportCore }) {
  const { robustness, metrics } = report
  const own = rowOfTrials(robustness.trials)
  return (
    <section>
      <h3 className="subhead">
        瞎试也能得到的夏普
        <span>真实夏普为 0、各次互不相关时，试 N 次里最好的一次</span>
      </h3>
      <Table
        dense
        columns={[
          { label: '尝试次数' },
          ...luckYears.map((years) => ({ label: `${years} 年`, numeric: true })),
          { label: '低于 1 至少要', title: '数据长于这么多年，瞎试的最好成绩才低于 1', numeric: true },
        ]}
      >
        {luckRows.map(({ trials, values, leastYears }) => (
          <tr key={trials} className={trials === own ? 'current' : undefined}>
            <td>{count(trials)}</td>
            {values.map((value, i) => (
              <td key={luckYears[i]} className="number">
                {fixed(value)}
              </td>
            ))}
            <td className="number">{fixed(leastYears, 1)} 年</td>
          </tr>
        ))}
      </Table>
      <p className="note">
        本次：{fixed(metrics.days / 242, 1)} 年、{count(robustness.trials)} 次，门槛 {fixed(robustness.luck_threshold)}，夏普{' '}
        {fixed(metrics.sharpe)}
        。尝试之间往往相关，真正的次数更少，所以它是上限参考，不是判决。
      </p>
    </section>
  )
}
