import { useEffect, useMemo } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'
import { answeredDay, historyRuns } from '../history/history-run.ts'
import { HistoryView, useHistoryAddress } from '../history/history-view.tsx'
import { Footer } from '../legal/footer.tsx'
import { sendable } from '../rule/draft.ts'
import { ownVersionsIn, useFactors } from '../rule/factors.ts'
import { useDraft } from '../rule/use-draft.ts'
import { Workbench } from './workbench.tsx'
import './screen.css'

/** 历史筛选: the list of a day of the past, and what came after. */
export function HistoryPage() {
  const { id: kind } = useMarket()
  const { draft, range } = useDraft()
  const { factors } = useFactors(kind)
  const run = historyRuns[kind]()
  const last = run.pending ?? run.failed?.question ?? run.answered?.question
  const address = useHistoryAddress(range, last?.dates ?? [])
  useEffect(fetchChartSoon, [])
  const dates = address.dates ?? (address.date ? [address.date] : [])
  const action = {
    label: '回看名单',
    busy: run.pending !== null,
    run: (parameters: Parameters<typeof run.ask>[0]['parameters']) =>
      dates.length > 0 && run.ask({ parameters, dates, own: ownVersionsIn(parameters, factors) }),
  }
  const counted = useMemo(() => {
    const one = address.dates === null ? address.date : null
    return answeredDay({ answered: run.answered }, one, draft && sendable(draft.parameters), factors)
  }, [run.answered, address.dates, address.date, draft, factors])
  return (
    <Workbench action={action} counted={counted}>
      {draft && <HistoryView draft={draft} address={address} range={range} />}
      <span className="grow" />
      <Footer />
    </Workbench>
  )
}
