import { orderStatuses } from '@convexa/contract/enums/order-status'
import { labelOf } from '@convexa/contract/enums/table'
import type { Order } from '@convexa/contract/order'
import { useMemo, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { dateTime, shortTime } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Row } from '../../ui/layout.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { askGiveUp } from './cancel-order.ts'
import { useOrderSeconds } from './order-seconds.ts'
import { clockWords, isOpenOrder, payWords, refundOf, statusLook, yuan } from './order-text.ts'
import { ReceiptDialog } from './receipt-dialog.tsx'
import styles from './subscription.module.css'
import { ordersQuery } from './vip-queries.ts'

const limit = 10

const columns: readonly TableColumn<Order>[] = [
  {
    key: 'id',
    label: '订单号',
    width: 120,
    cell: ({ order_id }) => (
      <span className="mono" title={order_id}>
        {shortOf(order_id)}
      </span>
    ),
  },
  { key: 'plan', label: '方案', width: 120, card: 'title', cell: ({ plan_name }) => plan_name },
  { key: 'amount', label: '金额', width: 80, numeric: true, cell: ({ amount_fen }) => yuan(amount_fen) },
  { key: 'status', label: '状态', width: 120, card: 'lead', cell: (order) => <Status order={order} /> },
  {
    key: 'time',
    label: '时间',
    width: 120,
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={`下单时间 ${dateTime(created_at)}`}>
        {shortTime(created_at)}
      </time>
    ),
  },
]

/** The end of a number is what differs; the whole one is in the receipt. */
const shortOf = (id: string): string => id.slice(-12)

function Status({ order }: { order: Order }) {
  const refund = refundOf(order)
  return (
    <span className={`${styles.orderStatus} ${statusLook(order.status)}`}>
      {labelOf(orderStatuses, order.status)}
      {isOpenOrder(order.status) && <Left order={order} />}
      {refund && <span className="text-3"> · {refund}</span>}
    </span>
  )
}

/** How long it may still be paid. */
function Left({ order }: { order: Order }) {
  // Counted from when this answer came: the browser's clock may be wrong.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per answer
  const readAt = useMemo(() => Date.now(), [order])
  const left = useOrderSeconds(order, readAt)
  return left > 0 && <span className={`text-3 ${styles.orderLeft}`}> {clockWords(left)}</span>
}

/** All orders of the user, the newest first, each with what can be done about it. */
export function OrdersCard({ onPay }: { onPay: (orderId: string) => void }) {
  const [offset, setOffset] = useState(0)
  const [shown, setShown] = useState<Order | null>(null)
  const { items, total, loading, error, retry } = useList(ordersQuery(offset, limit))
  return (
    <Card title="订单" note={total > 0 ? `${total} 笔` : undefined} bare>
      <DataTable
        label="订单"
        columns={columns}
        rows={items}
        rowKey={({ order_id }) => order_id}
        {...(loading && { loading: 3 })}
        instead={
          error ? (
            <ErrorBlock error={error} still="订单加载失败，已付的款项和会员不受影响。" onRetry={retry} />
          ) : (
            <Empty icon="page" title="还没有订单" />
          )
        }
        menu={(order) => <OrderActs order={order} onPay={onPay} onShow={setShown} />}
        density="standard"
        cards
      />
      {total > limit && !error && <Pager label="订单" offset={offset} shown={items.length} total={total} limit={limit} onGo={setOffset} />}
      {shown && <ReceiptDialog order={items.find(({ order_id }) => order_id === shown.order_id) ?? shown} onClose={() => setShown(null)} />}
    </Card>
  )
}

function OrderActs({ order, onPay, onShow }: { order: Order; onPay: (id: string) => void; onShow: (order: Order) => void }) {
  if (!isOpenOrder(order.status))
    return (
      <Button look={['small', 'ghost']} onClick={() => onShow(order)}>
        详情
      </Button>
    )
  return (
    <Row as="span" inline gap={4} align="stretch">
      <Button look={['small', 'outline']} onClick={() => onPay(order.order_id)}>
        {payWords(order.status)}
      </Button>
      <Button look={['small', 'ghost']} onClick={() => void askGiveUp(order)}>
        取消
      </Button>
    </Row>
  )
}
