import { calls } from '@convexa/contract/calls'
import { markets } from '@convexa/contract/enums/market'
import type { ConfigListItem } from '@convexa/contract/qmt'
import type { FillListItem } from '@convexa/contract/qmt-trade'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { dateTime } from '../../../base/dates.ts'
import { count, fixed, money } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { TableColumn } from '../../../ui/table/table-props.ts'
import { Badge } from '../../../ui/tag.tsx'
import { daysOf, type FillDay, statusWords } from './fills.ts'
import styles from './fills-drawer.module.css'

const limit = 100

/** 委托与成交: what the client of a config told of its orders, by day. */
export function FillsDrawer({ config, onClose }: { config: ConfigListItem; onClose: () => void }) {
  const [offset, setOffset] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['qmt', 'fills', config.id, offset],
    queryFn: ({ signal }) => call(calls.qmt.fillList, { params: { id: config.id }, query: { offset, limit } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const days = daysOf(data?.list_items ?? [])
  return (
    <Drawer
      title="委托与成交"
      note={`${config.name} · ${config.last_heartbeat ? `最近心跳 ${dateTime(config.last_heartbeat).slice(0, 16)}` : '还没有心跳'}`}
      width={880}
      tools={
        <Button look={['small']} icon="refresh" disabled={isFetching} onClick={() => void refetch()}>
          刷新
        </Button>
      }
      onClose={onClose}
      footer={
        data && data.total > limit ? (
          <Pager label="委托" offset={offset} shown={data.list_items.length} total={data.total} limit={limit} onGo={setOffset} />
        ) : undefined
      }
    >
      {error ? (
        <ErrorBlock error={error} still="客户端的记录都在你电脑上的日志里。" onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton columns={undefined} rows={8} />
      ) : days.length === 0 ? (
        <Empty icon="page" title="客户端还没有回报">
          导出后在你的电脑上运行客户端，每笔委托的结果会出现在这里；演练的委托会标明。
        </Empty>
      ) : (
        days.map((day) => <Day key={`${day.date} ${day.dryRun}`} day={day} config={config} paged={data.total > limit} />)
      )}
    </Drawer>
  )
}

/** `paged`: the day may go on on another page, its sums are of what is here. */
function Day({ day, config, paged }: { day: FillDay; config: ConfigListItem; paged: boolean }) {
  const { date, dryRun, orders, bought, sold, done } = day
  return (
    <section className={styles.fillDay} aria-label={`${date} ${dryRun ? '演练' : '真实委托'}`}>
      <header>
        <h3>{date}</h3>
        <Badge look={dryRun ? 'plain' : 'brand'}>{dryRun ? '演练' : '真实委托'}</Badge>
        <span className="text-3">
          {paged && '本页 '}
          {orders.length} 笔委托，{done} 笔有成交 · 买入 {money(bought)} · 卖出 {money(sold)}
        </span>
      </header>
      <DataTable label={`${date}的委托`} columns={columnsOf(config)} rows={orders} rowKey={({ order_id }) => order_id} cards />
    </section>
  )
}

function columnsOf({ kind }: ConfigListItem): readonly TableColumn<FillListItem>[] {
  const { unit, priceDecimals } = markets[kind]
  return [
    { key: 'time', label: '时间', width: 64, cell: ({ ordered_at: at }) => dateTime(at).slice(11, 19) },
    { key: 'side', label: '方向', width: 40, card: 'lead', cell: ({ side }) => (side === 'buy' ? '买入' : '卖出') },
    { key: 'code', label: '代码', width: 80, cell: ({ code }) => <span className="mono">{code}</span> },
    { key: 'name', label: '名称', width: 96, card: 'title', cell: ({ name, code }) => <span className="medium">{name || code}</span> },
    { key: 'volume', label: `委托(${unit})`, width: 64, numeric: true, cell: ({ volume }) => count(volume) },
    { key: 'filled', label: `成交(${unit})`, width: 64, numeric: true, card: 'lead', cell: ({ filled }) => count(filled) },
    {
      key: 'price',
      label: '均价(元)',
      width: 72,
      numeric: true,
      cell: ({ price, filled }) => fixed(filled > 0 ? price : null, priceDecimals),
    },
    { key: 'amount', label: '金额(元)', width: 88, numeric: true, cell: ({ amount, filled }) => fixed(filled > 0 ? amount : null) },
    {
      key: 'status',
      label: '结果',
      width: 120,
      card: 'line',
      cell: ({ status, note }) => (
        <span className={status === 'rejected' ? 'warn' : undefined}>
          {statusWords[status]}
          {note && <span className="text-3">：{note}</span>}
        </span>
      ),
    },
  ]
}
