import type { ReportCore } from '@convexa/contract/report'
import { judged } from '@convexa/engine/report'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ChartHandle } from '../../ui/chart/chart-box.tsx'
import { LinkedCharts } from '../../ui/chart/linked-charts.tsx'
import { Stack } from '../../ui/layout.tsx'
import { reportBenchName } from '../rule/bench-name.ts'
import { AssumptionsCard } from './assumptions-card.tsx'
import { Conclusion } from './conclusion.tsx'
import { DeepPart, loadDeepSoon } from './deep-part.tsx'
import { DrawdownsCard } from './drawdowns-card.tsx'
import { LazyPart, showAll } from './lazy-part.tsx'
import { CostlyCard, LedgerCard } from './ledger-part.tsx'
import { MetricsCard } from './metrics-card.tsx'
import { NavCard } from './nav-card.tsx'
import { MonthlyCard, YearlyCard } from './periods-card.tsx'
import { fillParts, gainParts } from './report-queries.ts'
import type { Checking } from './robustness/grid-line.tsx'
import { useGridOf } from './robustness/grid-of-report.ts'
import { jumpTo, Sections } from './sections.tsx'
import { merged, type ReportRange } from './what-if/what-if.ts'
import { nothingLeftOut, WhatIfCard } from './what-if/what-if-card.tsx'
import './report.css'
import './report-phone.css'
import './report-print.css'

/**
 * A stored report, from the conclusion to the assumptions; a beginner may stop after the first card. `shared` is how somebody else reads it:
 * without what only its owner can ask the server for. The heading is made of what the page shows, so that what it saves is the same.
 */
export function ReportView({
  report: stored,
  heading,
  onScores,
  shared = false,
  checking,
  onLonger,
}: {
  report: ReportCore
  heading: (report: ReportCore) => ReactNode
  /** Leads to the scores of a day, factor by factor. */
  onScores?: ((date: string) => void) | undefined
  shared?: boolean
  /** What its check grid is doing; absent where none is asked for. */
  checking?: Checking | undefined
  /** Runs the rule over five years. */
  onLonger?: (() => void) | undefined
}) {
  const report = useMemo(() => judged(stored), [stored])
  const grid = useGridOf(report)
  const benchName = reportBenchName(report)
  const pen = useRef<ChartHandle>(null)
  const [search, setSearch] = useState('')
  const [leftOut, setLeftOut] = useState(nothingLeftOut)
  const [query, setQuery] = useSearchParams()
  const { dates } = report.curves
  const requestedDay = query.get('day')
  const day = requestedDay && dates.includes(requestedDay) ? requestedDay : (dates.at(-1) ?? '')

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
  const leaveOut = useCallback(
    (stretch: ReportRange) => setLeftOut((before) => ({ ...before, stretches: merged([...before.stretches, stretch]) })),
    [],
  )
  const leaveBest = useCallback((best: number) => setLeftOut((before) => ({ ...before, best })), [])
  useEffect(loadDeepSoon, [])
  // What is printed is the whole of it.
  useEffect(() => {
    window.addEventListener('beforeprint', showAll)
    return () => window.removeEventListener('beforeprint', showAll)
  }, [])
  const rows = Math.min(10, Math.max(5, report.yearly.length))
  const top = useMemo(
    () => (
      <>
        <div className="report-pair overview-pair">
          <NavCard report={report} benchName={benchName} onDay={showDay} pen={pen} leftOut={leftOut.stretches} onLeaveOut={leaveOut} />
          <YearlyCard report={report} onZoom={zoom} />
        </div>
        <WhatIfCard report={report} leftOut={leftOut} onChange={setLeftOut} />
        <div className="report-pair months-pair">
          <MonthlyCard report={report} onDay={showDay} />
          <DrawdownsCard report={report} rows={rows} onZoom={zoom} />
        </div>
      </>
    ),
    [report, benchName, leftOut, rows, showDay, leaveOut, zoom],
  )

  return (
    <main id="main" className="report">
      {heading(report)}
      <Conclusion report={report} checking={checking} onLonger={onLonger} />
      <Sections />
      <LinkedCharts>
        {top}
        {report.group && <DeepPart height={420}>{({ MembersCard }) => <MembersCard report={report} onDay={showDay} />}</DeepPart>}
        <DeepPart id="holdings" height={420}>
          {({ TimelineCard }) => (
            <LedgerCard title="持仓时间线" height={420} report={report} parts={fillParts}>
              {(whole) => <TimelineCard report={whole} onDay={showDay} />}
            </LedgerCard>
          )}
        </DeepPart>
        <DeepPart id="day" height={460}>
          {({ DayCard }) => (
            <CostlyCard title="某日持仓" height={460}>
              {() => <DayCard report={report} day={day} onDay={choose} onSecurity={showSecurity} onScores={onScores} shared={shared} />}
            </CostlyCard>
          )}
        </DeepPart>
        <DeepPart id="trades" height={620}>
          {({ TradesCard }) => (
            <LedgerCard title="交易" height={620} report={report} parts={fillParts}>
              {(whole) => <TradesCard report={whole} search={search} onSearch={setSearch} onDay={showDay} />}
            </LedgerCard>
          )}
        </DeepPart>
        <DeepPart id="contributions" height={820}>
          {({ ContributionsCard, GroupsCard, ConcentrationCard }) => (
            <div className="report-pair halves">
              <ContributionsCard report={report} onSecurity={showSecurity} />
              <Stack gap={16} className="report-stack">
                <GroupsCard report={report} />
                <LedgerCard title="集中度" height={280} report={report} parts={gainParts}>
                  {(whole) => <ConcentrationCard report={whole} best={leftOut.best} onBest={leaveBest} />}
                </LedgerCard>
              </Stack>
            </div>
          )}
        </DeepPart>
        <LazyPart id="risk" height={480}>
          {() => <MetricsCard report={report} />}
        </LazyPart>
        <DeepPart height={380}>{({ DistributionCard }) => <DistributionCard report={report} onDay={showDay} />}</DeepPart>
        <DeepPart height={540}>{({ RollingCard }) => <RollingCard report={report} benchName={benchName} onDay={showDay} />}</DeepPart>
        <DeepPart height={520}>{({ EventsCard }) => <EventsCard report={report} benchName={benchName} onZoom={zoom} />}</DeepPart>
        <DeepPart id="sensitivity" height={420}>
          {({ CostCard, CostSweepCard }) => (
            <div className="report-pair">
              <CostCard report={report} />
              <CostSweepCard report={report} />
            </div>
          )}
        </DeepPart>
        <DeepPart height={380}>{({ CapacityCard }) => <CapacityCard report={report} />}</DeepPart>
        <DeepPart height={320}>{({ TornadoCard }) => <TornadoCard report={report} shared={shared} />}</DeepPart>
        <DeepPart id="robustness" height={640}>
          {({ RobustnessCard }) => <RobustnessCard report={report} checking={checking} />}
        </DeepPart>
        {grid && <DeepPart height={360}>{({ GridHeatCard }) => <GridHeatCard report={report} grid={grid} />}</DeepPart>}
        <LazyPart id="assumptions" height={320}>
          {() => <AssumptionsCard report={report} />}
        </LazyPart>
      </LinkedCharts>
    </main>
  )
}
