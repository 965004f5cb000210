import type { Report } from '@convexa/contract/backtest'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { shownMarkets } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import type { ChartPen } from '../../ui/chart/chart-box.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fillWords } from '../words.ts'
import { AssumptionsCard } from './assumptions-card.tsx'
import { useBenchName } from './bench-name.ts'
import { Conclusion } from './conclusion.tsx'
import { ContributionsCard } from './contributions-card.tsx'
import { DayCard } from './day-card.tsx'
import { DrawdownsCard } from './drawdowns-card.tsx'
import { MetricsCard } from './metrics-card.tsx'
import { NavCard } from './nav-card.tsx'
import { MonthlyCard, YearlyCard } from './periods-card.tsx'
import { costWords, rebalanceWords } from './rule-words.ts'
import { jumpTo, Sections } from './sections.tsx'
import { TimelineCard } from './timeline-card.tsx'
import { TradesCard } from './trades-card.tsx'
import './report.css'
import './report-phone.css'

/** A stored report, from the conclusion to the assumptions; a beginner may stop after the first card. */
export function ReportView({ report: stored, name, onAgain }: { report: Report; name: string; onAgain: () => void }) {
  // The name that is on the page is also that of saved files.
  const report = useMemo(() => ({ ...stored, name }), [stored, name])
  const benchName = useBenchName(report.settings.benchmark)
  const pen = useRef<ChartPen>(null)
  const [search, setSearch] = useState('')
  const [query, setQuery] = useSearchParams()
  const { dates } = report.curves
  const asked = query.get('day')
  const day = asked && dates.includes(asked) ? asked : (dates.at(-1) ?? '')

  const choose = useCallback(
    (date: string) => {
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          next.set('day', date)
          return next
        },
        { replace: true, preventScrollReset: true },
      )
    },
    [setQuery],
  )
  const showDay = useCallback(
    (date: string) => {
      choose(date)
      jumpTo('day')
    },
    [choose],
  )
  const showSecurity = useCallback((code: string) => {
    setSearch(code)
    jumpTo('trades')
  }, [])
  const zoom = useCallback((from: string, to: string) => {
    pen.current?.zoomTo(from, to)
    jumpTo('overview')
  }, [])

  return (
    <main id="main" className="report">
      <Heading report={report} onAgain={onAgain} />
      <Conclusion report={report} />
      <Sections />
      <div className="report-pair">
        <NavCard report={report} benchName={benchName} onDay={showDay} pen={pen} />
        <YearlyCard report={report} onZoom={zoom} />
      </div>
      <div className="report-pair months-pair">
        <MonthlyCard report={report} onDay={showDay} />
        <DrawdownsCard report={report} rows={Math.min(10, Math.max(5, report.yearly.length))} onZoom={zoom} />
      </div>
      <div className="report-pair">
        <TimelineCard report={report} onDay={showDay} />
        <ContributionsCard report={report} onSecurity={showSecurity} />
      </div>
      <DayCard report={report} day={day} onDay={choose} onSecurity={showSecurity} />
      <TradesCard report={report} search={search} onSearch={setSearch} onDay={showDay} />
      <MetricsCard report={report} />
      <AssumptionsCard report={report} />
    </main>
  )
}

function Heading({ report, onAgain }: { report: Report; onAgain: () => void }) {
  const { settings, parameters, metrics } = report
  const terms = [
    `${metrics.start_date} ~ ${metrics.end_date}`,
    costWords(settings, shownMarkets[report.kind].dutied),
    `${fillWords[settings.fill]}撮合`,
    ...(parameters ? [rebalanceWords(parameters.rebalance_method)] : []),
    ...(parameters && parameters.hold_method.hold_threshold > 0 ? [`排名差 ${parameters.hold_method.hold_threshold}`] : []),
    `数据 ${report.data_version}`,
    `引擎 ${report.engine_version}`,
  ]
  return (
    <div className="report-heading">
      <div>
        <h1>{report.name}</h1>
        <p className="report-terms">
          {terms.map((term) => (
            <span key={term}>{term}</span>
          ))}
          <span className="mono" title={`同样的参数、数据与引擎得到同样的编号：${report.params_hash}`}>
            #{report.params_hash.slice(0, 4)}
          </span>
        </p>
        {report.note && <p className="note">备注：{report.note}</p>}
      </div>
      <span className="grow" />
      {report.data_mode === 'demo' && (
        <span className="badge demo">
          <Icon name="info" size="middle" />
          演示数据，模拟生成，非真实行情
        </span>
      )}
      {report.partial && (
        <span className="badge warn">
          <Icon name="warn" size="middle" />
          结果不完整
        </span>
      )}
      <Button look={['small']} icon="pencil" onClick={onAgain}>
        改条件再跑
      </Button>
    </div>
  )
}
