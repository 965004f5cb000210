import type { Report } from '@convexa/contract/report'
import { shownMarkets } from '../../../market/market-context.tsx'
import { fixed, percent, signedPercent } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { neverBought } from '../sentences.ts'
import { type CheckWords, checkCounts, checkWords, needsGrid, trialWords, verdictSentence, verdictWord } from './check-words.ts'
import { LuckTable } from './luck-table.tsx'
import './robustness.css'

/** Whether it may have been luck: the verdict, the six checks behind it, and what another draw of the same days would have given. */
export function RobustnessCard({ report, shared }: { report: Report; shared: boolean }) {
  const { robustness } = report
  const { judged, all, passed } = checkCounts(robustness)
  const idle = neverBought(report)
  return (
    <section className="card" aria-label="稳健性">
      <header>
        <h2>稳健性</h2>
        {!idle && <Badge look={robustness.verdict === 'high' ? 'ok' : 'warn'}>稳健度 {verdictWord(robustness)}</Badge>}
        <span className="text-3">{trialWords(report)}</span>
        <span className="grow" />
        <span className="text-3">
          {judged} 项可判断，{passed} 项通过{judged < all && `，${all - judged} 项缺数据`}
        </span>
      </header>
      {idle ? (
        <p className="body text-2">全程没有买入任何证券，没有可检验的结果。</p>
      ) : (
        <>
          <div className="robust-checks">
            {robustness.checks.map((check) => (
              <Check
                key={check.key}
                words={checkWords(check, report.kind === 'cb')}
                grid={!shared && report.kind === 'cb' && check.ok === null && needsGrid(check.key)}
              />
            ))}
          </div>
          <div className="robust-more">
            <Bands report={report} />
            <LuckTable report={report} />
          </div>
          <div className="foot">{verdictSentence(robustness)}</div>
        </>
      )}
    </section>
  )
}

function Check({ words: { label, ok, value, bar, sentence, todo, meter }, grid }: { words: CheckWords; grid: boolean }) {
  const look = ok === null ? 'open' : ok ? 'passed' : 'failed'
  return (
    <article className={`check ${look}`}>
      <h3>
        {ok === null ? <Badge>未检验</Badge> : <Badge look={ok ? 'ok' : 'warn'}>{verdictMark(ok)}</Badge>}
        {label}
      </h3>
      <p className="check-value">
        <b>{value}</b> <span>{bar}</span>
      </p>
      <span className="check-meter" aria-hidden="true">
        {meter && <i style={{ width: `${meter.at * 100}%` }} />}
        {meter && <u style={{ left: `${meter.bar * 100}%` }} />}
      </span>
      <p>{sentence}</p>
      <p className="text-3">
        {todo}
        {grid && (
          <>
            {' '}
            <PageLink className="link" to={`${shownMarkets.cb.path}/grid`}>
              去参数网格
            </PageLink>
          </>
        )}
      </p>
    </article>
  )
}

const verdictMark = (ok: boolean) => (
  <>
    <Icon name={ok ? 'check' : 'warn'} size="small" />
    {ok ? '通过' : '未通过'}
  </>
)

/** What the same days in another order would have given: low, middle, high. */
function Bands({ report }: { report: Report }) {
  const { bootstrap } = report.robustness
  const rows = bootstrap
    ? ([
        ['年化收益', bootstrap.annual_return, report.metrics.annual_return, (value: number | null) => signedPercent(value, 1)],
        ['夏普比率', bootstrap.sharpe, report.metrics.sharpe, (value: number | null) => fixed(value)],
        ['最大回撤', bootstrap.max_drawdown, report.metrics.max_drawdown, (value: number | null) => signedPercent(value, 1)],
      ] as const)
    : []
  return (
    <section>
      <h3>
        换一种排列会怎样
        {bootstrap && (
          <span>
            每 {bootstrap.block_days} 个交易日一块，有放回重排 {bootstrap.n} 次
          </span>
        )}
      </h3>
      {bootstrap ? (
        <div className="table-frame">
          <table className="table compact">
            <thead>
              <tr>
                <th>指标</th>
                <th className="number">本次</th>
                <th className="number">偏差（5%）</th>
                <th className="number">居中</th>
                <th className="number">偏好（95%）</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, [low, middle, high], own, write]) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td className="number medium">{write(own)}</td>
                  <td className="number">{write(low)}</td>
                  <td className="number">{write(middle)}</td>
                  <td className="number">{write(high)}</td>
                </tr>
              ))}
            </tbody>
          </table>
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
