import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { type MarketId, marketIds, markets } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { DataStamp } from '../../ui/data-stamp.tsx'
import { Row } from '../../ui/layout.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { DataLine } from '../data-status/data-line.tsx'
import { figuresQuery } from '../rule/strategy-queries.ts'
import { stripOf } from './strip-figures.ts'
import './market-strip.css'

/** Both markets in a line of figures; a market that fails says so in its own part. */
export const MarketStrip = () => (
  <div className="market-strip-box">
    <Card plain>
      <ScrollBox className="market-strip" label="市场">
        {marketIds.map((kind) => (
          <Figures key={kind} kind={kind} />
        ))}
      </ScrollBox>
    </Card>
    <Row align="stretch" wrap className="market-strip-sources">
      {marketIds.map((kind) => (
        <Source key={kind} kind={kind} />
      ))}
    </Row>
  </div>
)

function Source({ kind }: { kind: MarketId }) {
  const { data } = useQuery(figuresQuery(kind))
  if (!data) return null
  const { data_mode: mode, data_version: version, trade_date: date, data_time: time, realtime } = data
  return (
    <div>
      <b>{markets[kind].label}</b>
      <DataLine {...{ kind, mode, version, date, time, realtime }} />
    </div>
  )
}

function Figures({ kind }: { kind: MarketId }) {
  const { data, error, refetch } = useQuery(figuresQuery(kind))
  if (error)
    return (
      <Row align="stretch" className="market-strip-part failed">
        <ErrorBlock error={error} still={`${markets[kind].label}行情没有读到，其余内容不受影响。`} onRetry={() => void refetch()} />
      </Row>
    )
  return (
    <Row as="dl" align="stretch" className="market-strip-part" aria-label={markets[kind].label} aria-busy={!data}>
      {data
        ? stripOf(kind, data.items).map(({ key, label, main, tone, sub, more, history }) => (
            <div
              key={key}
              title={[more, history.length > 1 ? `曲线：近 ${history.length} 个交易日` : ''].filter(Boolean).join('\n') || undefined}
            >
              <dt>{label}</dt>
              <dd className={tone ?? undefined}>{main}</dd>
              <dd className="market-strip-sub">{sub}</dd>
              <dd className="market-strip-way">
                <Spark values={history} width={60} height={28} tone="plain" />
              </dd>
            </div>
          ))
        : ['a', 'b', 'c', 'd'].map((key) => (
            <div key={key}>
              <dt>
                <span className="skeleton" style={{ width: 56 }} />
              </dt>
              <dd>
                <span className="skeleton" style={{ width: 84, height: 20 }} />
              </dd>
              <dd className="market-strip-sub">
                <span className="skeleton" style={{ width: 72 }} />
              </dd>
            </div>
          ))}
    </Row>
  )
}

/** Of when the figures of a market are. */
export function FiguresStamp({ kind }: { kind: MarketId }) {
  const { data } = useQuery(figuresQuery(kind))
  if (!data) return null
  return (
    <DataStamp
      source={isSynthetic(data.data_mode) ? 'demo' : data.realtime ? 'live' : 'close'}
      time={data.data_time}
      date={data.trade_date}
      realtime={data.realtime}
      title={`数据版本 ${data.data_version}`}
    />
  )
}
