import { calls } from '@convexa/contract/calls'
import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../api/client.ts'
import { closedDatesQuery } from '../api/queries.ts'
import type { ShownMarket } from '../market/market-context.tsx'
import { useSite } from '../state/site.ts'
import { Drawer } from '../ui/drawer.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, ErrorBlock } from '../ui/states.tsx'
import { DemoBadge } from '../ui/tag.tsx'
import { useFactors } from './factors.ts'
import { changesOf, type ListChange, type NamedCode, tradingDayBefore } from './list-change.ts'
import { ScreenStamp } from './screen-stamp.tsx'
import './list-change-drawer.css'

const ways = {
  out: { title: '移出', mark: 'minus' },
  excluded: { title: '剔除', mark: 'minus' },
  gone: { title: '没有行情', mark: 'minus' },
  new: { title: '新进', mark: 'plus' },
} as const
const order = ['out', 'excluded', 'gone', 'new'] as const

/** 名单差异: the list of a rule now against one of before, each change with its reason. It says what differs, never what to do. */
export function ListChangeDrawer({
  kind,
  name,
  parameters,
  previous,
  since,
  footer,
  onClose,
}: {
  kind: ShownMarket['kind']
  name: string
  parameters: Parameters
  previous: readonly NamedCode[]
  /** Day of that list; null: the trading day before the newest. */
  since: string | null
  /** What can be done with the list that the screen gave. */
  footer?: (now: ScreenResult | null) => ReactNode
  onClose: () => void
}) {
  const { now, earlier, day } = useTwoDays(kind, parameters, previous, since)
  const { factors } = useFactors(kind)
  const result = now.data ?? null
  const changes = result ? changesOf(result, previous, earlier, factors) : []
  const before = new Set(previous.map(({ code }) => code))
  const kept = result?.list_items.filter(({ selected, code }) => selected && before.has(code)) ?? []
  return (
    <Drawer
      title={`名单差异 · ${name}`}
      note={day ? `与 ${day} 的名单相比` : '与此前的名单相比'}
      tools={result?.data_mode === 'demo' && <DemoBadge />}
      width={520}
      footer={footer?.(result)}
      onClose={onClose}
    >
      <div className="list-change">
        {now.error && <ErrorBlock error={now.error} still="已有的概览不受影响。" onRetry={() => void now.refetch()} />}
        {!result && !now.error && <Waiting />}
        {result && (
          <p className="list-change-sum">
            <b>
              {previous.length} 只 → {result.selected} 只
            </b>
            <span>
              重合 {kept.length} 只{changes.length === 0 && '，没有差异'}
            </span>
            <span className="grow" />
            <ScreenStamp result={result} />
          </p>
        )}
        {order.map((way) => (
          <Changes key={way} way={way} rows={changes.filter((one) => one.way === way)} />
        ))}
        {result && changes.length === 0 && (
          <Empty icon="check" title="名单没有差异">
            按最新数据筛选，入选的与此前的名单完全相同。
          </Empty>
        )}
        {kept.length > 0 && (
          <details className="list-change-kept">
            <summary>继续在名单里 {kept.length} 只</summary>
            <ul>
              {kept.map(({ code, name: one, rank }) => (
                <li key={code}>
                  <b>{one}</b>
                  <span className="mono">{code}</span>
                  <span>名次 {rank}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        <p className="note">差异只由规则与数据算出，用来核对，不构成买卖建议。</p>
      </div>
    </Drawer>
  )
}

function Changes({ way, rows }: { way: ListChange['way']; rows: readonly ListChange[] }) {
  if (rows.length === 0) return null
  const { title, mark } = ways[way]
  return (
    <section className={`list-change-part ${way}`} aria-label={title}>
      <h3>
        {title} {rows.length}
      </h3>
      <ul>
        {rows.map(({ code, name, why }) => (
          <li key={code}>
            <Icon name={mark} size="small" />
            <b>{name}</b>
            <span className="mono">{code}</span>
            <span className="list-change-why">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Waiting = () => (
  <ul aria-hidden="true">
    {[92, 84, 88, 76].map((width) => (
      <li key={width}>
        <span className="skeleton" style={{ width: `${width}%` }} />
      </li>
    ))}
  </ul>
)

/** The screen of now, and of the day of the list for the places of then: without that day the reasons are shorter, nothing else. */
function useTwoDays(kind: ShownMarket['kind'], parameters: Parameters, previous: readonly NamedCode[], since: string | null) {
  const version = useSite().data_version[kind]
  const codes = previous.map(({ code }) => code)
  const now = useQuery({
    queryKey: ['screen', kind, version, 'change', parameters, codes],
    queryFn: ({ signal }) =>
      call(calls[kind].realtimeScreen, { body: { parameters, previous: codes, need: ['list', 'excluded'] } }, { signal }),
    retry: false,
  })
  const newest = now.data?.trade_date ?? null
  const year = Number((newest ?? '').slice(0, 4))
  const closed = useQuery({ ...closedDatesQuery(year), enabled: newest !== null && since === null }).data
  const day = since ?? (newest && closed ? tradingDayBefore(newest, new Set(closed)) : null)
  const earlier = useQuery({
    queryKey: ['history-screen', kind, version, 'change', parameters, day],
    queryFn: ({ signal }) => call(calls[kind].historyScreen, { body: { parameters, trade_date: day ?? '', need: ['list'] } }, { signal }),
    enabled: day !== null && day !== newest,
    retry: false,
  })
  return { now, earlier: earlier.data?.results[0] ?? null, day }
}
