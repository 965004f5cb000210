import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo, useRef, useState } from 'react'
import { fixed, percent, signedPercent } from '../../../base/format.ts'
import { Card } from '../../../ui/card.tsx'
import type { ChartHandle } from '../../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { ScrollBox } from '../../../ui/chart/scroll-box.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { TimeLines } from '../time-lines.tsx'
import styles from './risk.module.css'
import { benchRolling, shareOf } from './rolling.ts'

const wholePercent = (value: number) => percent(value, 0)
const signedWhole = (value: number) => signedPercent(value, 0)
const one = (value: number) => fixed(value, 1)
const two = (value: number) => fixed(value)

/** The same figures over a window that moves: does it hold at any time, or only over the whole. */
export function RollingCard({ report, benchName, onDay }: { report: ReportCore; benchName: string; onDay: (date: string) => void }) {
  const windows = report.rolling.map(({ window }) => window)
  const [wanted, setWanted] = useState(250)
  const window = windows.includes(wanted) ? wanted : (windows.at(-1) ?? 0)
  const own = report.rolling.find((row) => row.window === window)
  const benches = useMemo(() => benchRolling(report), [report])
  const bench = benches.find((row) => row.window === window)
  const pen = useRef<ChartHandle>(null)
  const lines = useMemo(() => {
    const pair = (key: 'return_' | 'sharpe' | 'volatility') => [
      ...(bench ? [{ name: benchName, role: 'bench' as const, values: bench[key] }] : []),
      { name: '策略', role: 'strategy' as const, values: own?.[key] ?? [] },
    ]
    return {
      return_: pair('return_'),
      sharpe: pair('sharpe'),
      volatility: pair('volatility'),
      beta: [
        { name: metricLabel('beta'), role: 'strategy' as const, values: own?.beta ?? [] },
        { name: '相关', values: own?.correlation ?? [] },
      ],
    }
  }, [own, bench, benchName])
  if (!own) {
    return (
      <Card title="滚动指标" bare>
        <p className="body text-2">区间不足 60 个交易日，不计算滚动指标。</p>
      </Card>
    )
  }
  const won = shareOf(own.return_, (value) => value > 0)
  const beaten = bench
    ? shareOf(own.return_, (value, i) => {
        const its = bench.return_[i]
        return its === null || its === undefined ? null : value > its
      })
    : null
  const watermark = isSynthetic(report.data_mode) ? dataModes.demo.label : null
  const common = { dates: own.dates, watermark, oosStart: report.oos_start, onPick: onDay }
  const spanWords = window === 250 ? '一年' : `${window} 个交易日`
  return (
    <ChartCard
      title="滚动指标"
      note={`窗口 ${window} 个交易日 · ${own.dates[0]} 起`}
      legend={[{ name: '策略', mark: '' }, ...(bench ? [{ name: benchName, mark: 'bench' as const }] : [])]}
      tools={
        <Segmented
          label="窗口（交易日）"
          value={window}
          choices={windows.map((value) => ({ value, label: String(value) }))}
          onChange={setWanted}
        />
      }
      pen={pen}
      fileName={fileNameOf(report, `滚动${window}日收益`)}
      caption={captionOf(report, `滚动 ${window} 日收益`, `基准 ${benchName}`)}
      csv={() =>
        csvOf(
          report,
          ['日期', '收益(%)', '基准收益(%)', '夏普', '波动(%)', metricLabel('beta'), '相关'],
          own.dates.map((date, i) => [
            date,
            asPercent(own.return_[i]),
            asPercent(bench?.return_[i]),
            own.sharpe[i] ?? null,
            asPercent(own.volatility[i]),
            own.beta[i] ?? null,
            own.correlation[i] ?? null,
          ]),
        )
      }
      table={() => <RollingTable row={own} />}
      foot={`任意一天买入并持有${spanWords}，赚钱的比例是 ${percent(won, 0)}${beaten === null ? '' : `，跑赢基准的比例是 ${percent(beaten, 0)}`}；这是历史统计，不说明以后。`}
    >
      <div className={styles.rolling}>
        <article>
          <h3 className="subhead">
            滚动收益
            <span>
              高于 0 的比例 {percent(won, 0)}
              {beaten !== null && ` · 高于基准 ${percent(beaten, 0)}`}
            </span>
          </h3>
          <TimeLines title="滚动收益" lines={lines.return_} format={signedWhole} base={0} height={172} pen={pen} {...common} />
        </article>
        <article>
          <h3 className="subhead">
            滚动夏普<span>无风险利率 0</span>
          </h3>
          <TimeLines title="滚动夏普" lines={lines.sharpe} format={one} base={0} height={172} {...common} />
        </article>
        <article>
          <h3 className="subhead">
            滚动波动<span>年化</span>
          </h3>
          <TimeLines title="滚动波动" lines={lines.volatility} format={wholePercent} height={172} {...common} />
        </article>
        <article>
          <h3 className="subhead">
            Beta 与相关<span>对{benchName}</span>
          </h3>
          <TimeLines title="Beta 与相关" lines={lines.beta} format={two} base={1} named height={172} {...common} />
        </article>
      </div>
    </ChartCard>
  )
}

/** Month ends are enough to read; the file has every day. */
function RollingTable({ row }: { row: Report['rolling'][number] }) {
  const ends = row.dates.flatMap((date, i) => (row.dates[i + 1]?.slice(0, 7) === date.slice(0, 7) ? [] : [i]))
  return (
    <ScrollBox label="滚动指标表" className="chart-table scroll">
      <Table
        dense
        columns={[
          { label: '月末', cell: (i) => row.dates[i] },
          { label: '收益', numeric: true, cell: (i) => signedPercent(row.return_[i]) },
          { label: '夏普', numeric: true, cell: (i) => fixed(row.sharpe[i]) },
          { label: '波动', numeric: true, cell: (i) => percent(row.volatility[i]) },
          { label: metricLabel('beta'), numeric: true, cell: (i) => fixed(row.beta[i]) },
          { label: '相关', numeric: true, cell: (i) => fixed(row.correlation[i]) },
        ]}
        rows={ends.toReversed()}
        rowKey={(i) => row.dates[i]}
      />
    </ScrollBox>
  )
}
