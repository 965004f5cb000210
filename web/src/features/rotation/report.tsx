import type { Settings } from '@convexa/contract/backtest'
import { ruleName } from '@convexa/engine/report'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { Card } from '../../ui/card.tsx'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { Footer } from '../legal/footer.tsx'
import { OwnReport } from '../report/own-report.tsx'
import { reportName } from '../report/report-name.ts'
import { reportQuery } from '../report/report-queries.ts'
import { ReportSkeleton } from '../report/report-skeleton.tsx'
import { useFactors } from '../rule/factors.ts'
import { runNameOf } from '../run/backtest-run-names.ts'
import { runPath } from '../run/backtest-run-shown.ts'
import { useRuns } from '../run/backtest-run-store.ts'

// Opened rarely: a report that is kept no more.
const ReducedRun = lazyWithFallback(async () => (await import('./reduced-run.tsx')).ReducedRun, Gone)

/** The server's word for an object that is not there, or not this user's. */
const missing = 40004
/** …and for an address that is no id at all. */
const wrong = 40000

/** The data of the run are kept no more, or its report is not. */
const gone = 21012

/** The stored report of a run. */
export function ReportPage() {
  const market = useMarket()
  const id = useParams()['backtest_id'] ?? ''
  const { data, error, refetch } = useQuery(reportQuery(market.id, id))
  const { factors } = useFactors(market.id)
  const { data: options } = useQuery(strategyOptionsQuery)
  const start = useRuns((state) => state.start)
  const navigate = useNavigate()
  if (error instanceof CallError && (error.code === missing || error.code === wrong)) return <Gone />
  if (error instanceof CallError && error.code === gone)
    return (
      <Suspense fallback={<ReportSkeleton />}>
        <ReducedRun key={id} id={id} sentence={sentenceOf(error)} />
      </Suspense>
    )
  if (error)
    return (
      <main id="main" className="report">
        <ErrorBlock error={error} still="报告已保存在服务器，可以稍后再看。" onRetry={() => void refetch()} />
      </main>
    )
  if (!data) return <ReportSkeleton />
  // What was saved has the name it was given; else this browser may know its draft's, else it is called by its rule.
  const saved = data.strategy_id ?? data.group_id
  const ruled = data.parameters && factors.list.length > 0 ? ruleName(data.parameters, factors.nameOf) : reportName(data)
  const name = saved ? data.name : (runNameOf(id) ?? ruled)
  const { parameters, settings } = data
  const withRule = (to: string) => {
    if (!parameters) return
    useStrategies.getState().set(market.id, { name, edited: false, parameters, settings, range: null })
    void navigate(`${market.path}/${to}`)
  }
  const longer = fiveYearsBack(settings, options?.ranges[market.id] ?? null)
  const runLonger = () => {
    if (!parameters || !longer) return
    const request = { kind: market.id, name, note: '', parameters, settings: { ...settings, ...longer } }
    void navigate(runPath(market.path, start({ ...request, ...(data.strategy_id && { strategyId: data.strategy_id }) })))
  }
  const owner = parameters && {
    onAgain: () => withRule('backtest'),
    onLonger: longer ? runLonger : null,
    onScores: (date: string) => withRule(`history?date=${date}`),
  }
  return (
    <>
      <PageTitle>{[name, '回测报告']}</PageTitle>
      <OwnReport key={id} stored={data} name={name} rule={owner ?? null} />
      <Footer />
    </>
  )
}

/** The range of a run made five years long, as far as the data go; null where they do not reach further back than the run. */
function fiveYearsBack({ start_date, end_date }: Settings, range: { start: string } | null): Pick<Settings, 'start_date'> | null {
  if (!range) return null
  const wanted = `${Number(end_date.slice(0, 4)) - 5}${end_date.slice(4)}`
  const start = wanted > range.start ? wanted : range.start
  return start < start_date ? { start_date: start } : null
}

function Gone() {
  const { path, backtestTitle } = useMarket()
  return (
    <main id="main" className="report">
      <PageTitle>回测不存在</PageTitle>
      <Card plain>
        <Empty
          icon="search"
          title="这份回测不存在或已被删除"
          actions={
            <Link className="button primary" to={`${path}/backtest`}>
              去{backtestTitle}
            </Link>
          }
        >
          链接可能不完整，或者它属于另一个账号、另一个市场。
        </Empty>
      </Card>
    </main>
  )
}
