import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { fixed, missing, percent, signed, signedPercent, tone } from '../../../base/format.ts'
import { Logo } from '../../../ui/icon.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { shortened, sourcesOfRun } from '../../data-status/source-text.ts'
import { interestWords } from '../../rule/interest-text.ts'
import { riskNotice } from '../files.ts'
import { heatOf, monthTable } from '../month-table.ts'
import { NavChart } from '../nav-chart.tsx'
import { Pieces } from '../pieces.tsx'
import { checkWords } from '../robustness/check-text.ts'
import { Chips } from '../robustness/verdict-chips.tsx'
import {
  chipsOfReport,
  firstLine,
  gapTone,
  recentLine,
  robustnessTitle,
  secondLine,
  trustLine,
  trustSentence,
} from '../robustness/verdict-text.ts'
import { hardestStretch, neverBought } from '../sentences.ts'
import { wantsLog } from '../series.ts'
import styles from './long-picture.module.css'

const months = Array.from({ length: 12 }, (_, i) => i + 1)

/** The report on one long sheet to be sent on: the numbers with the bad ones, what they rest on, the line of risk, a watermark. */
export function LongPicture({ report, benchName, site }: { report: ReportCore; benchName: string; site: string }) {
  const { metrics, benchmark_metrics: bench, curves, robustness, worth, settings } = report
  const demo = isSynthetic(report.data_mode)
  const idle = neverBought(report)
  const chips = idle || report.partial ? null : chipsOfReport(report)
  const figures = (
    [
      [
        metricLabel('annual_return'),
        signedPercent(metrics.annual_return),
        tone(metrics.annual_return),
        [`基准 ${signedPercent(bench.annual_return)}`, interestWords(report.left_out_interest)].filter(Boolean).join('，'),
      ],
      [
        metricLabel('max_drawdown'),
        signedPercent(metrics.max_drawdown),
        tone(metrics.max_drawdown),
        `基准 ${signedPercent(bench.max_drawdown)}`,
      ],
      [metricLabel('sharpe'), fixed(metrics.sharpe), '', `基准 ${fixed(bench.sharpe)}`],
      [metricLabel('turnover_annual'), metrics.turnover_annual === null ? missing : `${fixed(metrics.turnover_annual, 1)} 倍`, '', '单边'],
      [metricLabel('recent_1y'), signedPercent(metrics.recent_1y), tone(metrics.recent_1y), `基准 ${signedPercent(bench.recent_1y)}`],
    ] as const
  ).map(([name, value, look, note]) => (idle ? ([name, missing, '', '没有成交'] as const) : ([name, value, look, note] as const)))
  return (
    <article className="long-picture">
      <Watermark text={demo ? `${site} · 演示数据` : site} />
      <header>
        <Logo size={28} />
        <b>{site}</b>
        <span className="grow" />
        <span>历史回测报告</span>
      </header>
      <h1>{report.name}</h1>
      <p className="text-2">
        {metrics.start_date} ~ {metrics.end_date} · 基准 {benchName} · 数据 {shortened(sourcesOfRun(report))} {report.data_version} · 引擎{' '}
        {report.engine_version} · #{report.params_hash.slice(0, 4)}
      </p>
      {demo && <p className={styles.longDemo}>演示数据，模拟生成，非真实行情，不能用于交易。</p>}
      {worth && chips && (
        <section className={styles.longAnswer}>
          <p>
            <b>
              <Pieces pieces={firstLine(worth, settings.capital, metrics.days)} tone={gapTone(worth, settings.capital)} />
            </b>
            <Chips chips={chips} />
          </p>
          <p>
            <Pieces pieces={secondLine(worth, settings.capital, metrics.days)} /> {recentLine(worth)}
          </p>
          <p className="text-3">策略已扣交易成本，基准未扣</p>
        </section>
      )}
      <dl className={styles.longFigures}>
        {figures.map(([name, value, look, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={look}>{value}</dd>
            <dd>{note}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Pieces pieces={hardestStretch(report)} />
      </p>
      <h2>净值与回撤</h2>
      <NavChart
        curve={{
          dates: curves.dates,
          nav: curves.nav,
          bench: curves.bench.some((value) => value !== null) ? curves.bench : null,
          drawdown: curves.drawdown,
        }}
        names={{ strategy: '策略', bench: benchName }}
        label="净值与回撤"
        height={360}
        log={wantsLog(curves.nav)}
        oosStart={report.oos_start}
        watermark={null}
      />
      <h2>年度表现</h2>
      <Table
        dense
        columns={[
          { label: '年', cell: ({ period, partial }) => `${period}${partial ? '*' : ''}` },
          { label: '策略', numeric: true, look: (row) => tone(row.nav_return), cell: (row) => signedPercent(row.nav_return, 1) },
          { label: '基准', numeric: true, look: (row) => tone(row.bench_return), cell: (row) => signedPercent(row.bench_return, 1) },
          { label: '超额', numeric: true, look: (row) => tone(row.excess), cell: (row) => signedPercent(row.excess, 1) },
          { label: metricLabel('max_drawdown'), numeric: true, cell: (row) => signedPercent(row.max_drawdown, 1) },
        ]}
        rows={report.yearly}
        rowKey={({ period }) => period}
      />
      <h2>
        月度收益 <small>单位 %，* 为不足一年</small>
      </h2>
      <Table dense className="months" columns={[{ label: '年' }, ...months.map((month) => ({ label: `${month}月`, numeric: true }))]}>
        {monthTable(report.monthly, report.yearly, 'nav_return').map((row) => (
          <tr key={row.year}>
            <td>
              {row.year}
              {row.partial && '*'}
            </td>
            {row.months.map(({ value }, i) => (
              <td key={months[i]} className={`number ${heatOf(value)}`}>
                {value === null ? '—' : signed(value * 100, 1)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {!idle && (
        <>
          <h2>
            {robustnessTitle(report)} {chips && <small>{trustLine(report)}</small>}
          </h2>
          <ul className={styles.longChecks}>
            {robustness.checks.map(checkWords).map(({ key, ok, label, value, bar, sentence }) => (
              <li key={key}>
                <b>
                  {ok === null ? '○' : ok ? '✓' : '✕'} {label}
                </b>
                <span className="number">
                  {value} <small>{bar}</small>
                </span>
                <p>{sentence}</p>
              </li>
            ))}
          </ul>
          {chips && <p>{trustSentence(robustness)}</p>}
        </>
      )}
      <h2>口径与假设</h2>
      <dl className={styles.longAssumptions}>
        {report.assumptions.map(({ key, label, text }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <footer>
        {riskNotice}
        {!idle && ` 年化波动 ${percent(metrics.volatility, 1)}，最长回撤 ${fixed(metrics.longest_drawdown_days, 0)} 个交易日。`}
      </footer>
    </article>
  )
}

/** Pale words over all of it, slanting: cut a part out and it still says where it is from. */
function Watermark({ text }: { text: string }) {
  return (
    <svg className={styles.longWatermark} aria-hidden="true">
      <defs>
        <pattern id="long-watermark" width="320" height="220" patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">
          <text x="20" y="110">
            {text}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill="url(#long-watermark)" />
    </svg>
  )
}
