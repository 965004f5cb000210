import { metricLabel } from '@convexa/contract/enums/metric'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { KeyValues } from '../../ui/key-values.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Footer } from '../legal/footer.tsx'
import { metricGroups, writeMetric } from '../report/metric-rows.ts'
import { questionQuery } from '../report/report-queries.ts'
import { ReportSkeleton } from '../report/report-skeleton.tsx'
import { runNameOf } from '../run/backtest-run-names.ts'
import { runPath } from '../run/backtest-run-shown.ts'
import { useRuns } from '../run/backtest-run-store.ts'

const shown = metricGroups.flatMap(({ keys }) => keys)

/** A run whose report is kept no more: its question and figures, and the way to a new one. `sentence`: why. */
export function ReducedRun({ id, sentence }: { id: string; sentence: string }) {
  const market = useMarket()
  const { data, error, refetch } = useQuery(questionQuery(id))
  const start = useRuns((state) => state.start)
  const navigate = useNavigate()
  if (error)
    return (
      <main id="main" className="report">
        <ErrorBlock error={error} still={sentence} onRetry={() => void refetch()} />
      </main>
    )
  if (!data) return <ReportSkeleton />
  const { kind, settings, metrics, note, strategy_id: strategy, group_id: group } = data
  const parameters = data.parameters ?? null
  const name = strategy || group ? data.name : (runNameOf(id) ?? data.name)
  const again = () => {
    const of = { ...(strategy && { strategyId: strategy }), ...(group && { groupId: group }) }
    void navigate(runPath(market.path, start({ kind, name, note: note ?? '', parameters, settings, ...of })))
  }
  const change = () => {
    if (!parameters) return
    useStrategies.getState().set(market.id, { name, edited: false, parameters, settings, range: null })
    void navigate(`${market.path}/backtest`)
  }
  return (
    <>
      <PageTitle>{[name, '回测']}</PageTitle>
      <main id="main" className="report">
        <h1 className="hidden-text">{name}</h1>
        <Card
          title={name}
          note={`${settings.start_date} ~ ${settings.end_date}`}
          tools={
            <Row as="span" gap={8}>
              {parameters && (
                <Button look={['small']} icon="pencil" onClick={change}>
                  改条件再跑
                </Button>
              )}
              {(parameters || group) && (
                <Button look={['small', 'primary']} icon="refresh" onClick={again}>
                  重新运行
                </Button>
              )}
            </Row>
          }
        >
          <p role="status">{sentence}。</p>
          {note && <p className="note">备注：{note}</p>}
          {data.spark && <Spark values={data.spark} width={320} height={64} tone="plain" />}
          {metrics && <KeyValues rows={shown.map((key) => [metricLabel(key), writeMetric(key, metrics[key])] as const)} />}
        </Card>
      </main>
      <Footer />
    </>
  )
}
