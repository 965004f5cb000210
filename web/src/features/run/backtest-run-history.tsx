import type { BacktestListItem } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import { runStatus, runStatuses } from '@convexa/contract/enums/run-status'
import { labelOf } from '@convexa/contract/enums/table'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { dateTime } from '../../base/dates.ts'
import { fixed, signedPercent, tone } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { Card } from '../../ui/card.tsx'
import { DataFoot } from '../../ui/data-foot.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { Table } from '../../ui/table/table.tsx'
import { sourcesOfRuns } from '../data-status/source-text.ts'
import { runName } from './backtest-run-names.ts'
import styles from './backtest-run-setup.module.css'

const shown = 12

const historyQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['backtests', kind],
    queryFn: ({ signal }) => call(calls.quant.backtestList, { query: { kind, offset: 0, limit: shown } }, { signal }),
    staleTime: 5_000,
  })

/** Which trial of its family a run of this tab is, known once the server has it; null of a group. */
export function useTrialNumber(kind: MarketId, runId: string | null): number | null {
  const { data } = useQuery({
    queryKey: ['trial', kind, runId],
    queryFn: ({ signal }) => call(calls.quant.backtestList, { query: { kind, offset: 0, limit: shown } }, { signal }),
    enabled: runId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.list_items.find(({ backtest_id }) => backtest_id === runId)?.trial_no ?? null
}

/** The newest runs of a market, each a way to its report. */
export function RunHistory({ kind }: { kind: MarketId }) {
  const { data, error, refetch } = useQuery(historyQuery(kind))
  const phone = usePhone()
  return (
    <Card
      className={styles.runHistory}
      title="最近回测"
      note={
        data &&
        data.total > 0 && (
          <>{data.total > shown ? `最近 ${shown} 次，共 ${data.total} 次` : `共 ${data.total} 次`} · 最好的一次不等于将来的样子</>
        )
      }
      tools={
        data &&
        data.total > shown && (
          <Link className="link size-12" to="/personal/backtest-history">
            全部记录
          </Link>
        )
      }
      bare
    >
      {error ? (
        <div className="body">
          <ErrorBlock error={error} still="可以照常运行新的回测。" onRetry={() => void refetch()} />
        </div>
      ) : data && data.list_items.length === 0 ? (
        <Empty icon="chart" title="还没有运行过回测">
          左侧确认条件与成本，按「运行回测」，曲线会一天一天算出来。
        </Empty>
      ) : phone && data ? (
        <ul className={styles.runCards}>
          {data.list_items.map((item) => (
            <HistoryCard key={item.backtest_id} item={item} />
          ))}
        </ul>
      ) : (
        <div className="table-frame">
          <Table
            dense
            columns={[
              { label: '时间' },
              { label: '名称与备注' },
              { label: '区间' },
              { label: '年化', numeric: true },
              { label: metricLabel('max_drawdown'), numeric: true },
              { label: '夏普', numeric: true },
              { label: metricLabel('recent_1y'), numeric: true },
              { label: '状态' },
            ]}
          >
            {data ? data.list_items.map((item) => <HistoryRow key={item.backtest_id} item={item} />) : <Waiting />}
          </Table>
        </div>
      )}
      {data && data.list_items.length > 0 && !error && (
        <DataFoot source={sourcesOfRuns(data.list_items)} note="每次运行所用的版本写在它的报告里" />
      )}
    </Card>
  )
}

const reportPath = ({ kind, backtest_id }: BacktestListItem): string => `${markets[kind].path}/backtest/${backtest_id}`

/** Two lines on a phone: what and when, then how it did. */
function HistoryCard({ item }: { item: BacktestListItem }) {
  const { metrics, status } = item
  const words = (
    <>
      <span className="line">
        <b className="medium">{runName(item)}</b>
        <span className="grow" />
        <span className="text-3">{dateTime(item.created_at).slice(5, 16)}</span>
      </span>
      <span className="line size-12 text-2">
        {status === runStatus.done ? (
          <>
            <span>
              年化 <b className={tone(metrics?.annual_return)}>{signedPercent(metrics?.annual_return)}</b>
            </span>
            <span>回撤 {signedPercent(metrics?.max_drawdown)}</span>
            <span>夏普 {fixed(metrics?.sharpe)}</span>
          </>
        ) : (
          <span>{labelOf(runStatuses, status)}</span>
        )}
      </span>
      {item.note && <span className="size-12 text-3">{item.note}</span>}
    </>
  )
  return <li>{status === runStatus.done ? <Link to={reportPath(item)}>{words}</Link> : <div>{words}</div>}</li>
}

function HistoryRow({ item }: { item: BacktestListItem }) {
  const name = runName(item)
  const { metrics } = item
  const done = item.status === runStatus.done
  return (
    <tr>
      <td className="text-2">{dateTime(item.created_at).slice(5, 16)}</td>
      <td className={styles.runHistoryName}>
        {done ? (
          <Link className="link medium" to={reportPath(item)}>
            {name}
          </Link>
        ) : (
          <span className="medium">{name}</span>
        )}
        {item.note && <span className="text-3"> {item.note}</span>}
      </td>
      <td className="text-2">
        {item.settings.start_date} ~ {item.settings.end_date}
      </td>
      <td className={`number ${tone(metrics?.annual_return)}`}>{signedPercent(metrics?.annual_return)}</td>
      <td className="number">{signedPercent(metrics?.max_drawdown)}</td>
      <td className="number">{fixed(metrics?.sharpe)}</td>
      <td className={`number ${tone(metrics?.recent_1y)}`}>{signedPercent(metrics?.recent_1y)}</td>
      <td className={done ? 'ok' : 'text-2'}>{labelOf(runStatuses, item.status)}</td>
    </tr>
  )
}

const widths = [72, 160, 152, 50, 48, 32, 46, 28]
const Waiting = () =>
  [0, 1, 2, 3, 4].map((row) => (
    <tr key={row}>
      {widths.map((width) => (
        <td key={`${row} ${width}`}>
          <span className="skeleton" style={{ width }} />
        </td>
      ))}
    </tr>
  ))
