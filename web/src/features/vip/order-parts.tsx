import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order, VipOrderStatus } from '@convexa/contract/order'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../api/messages.ts'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeyValues } from '../../ui/key-values.tsx'
import { Stack } from '../../ui/layout.tsx'
import { copyText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { useOwnUser } from '../account/own-user.ts'
import styles from './order-parts.module.css'
import { useOrderSeconds } from './order-seconds.ts'
import { clockWords, gainsOf, refundOf, yuan } from './order-text.ts'
import { sheetAddress } from './pay-way.ts'
import { plansQuery } from './vip-queries.ts'

/** What is bought, for how much, and how long it may still be paid. */
export function What({ order, readAt }: { order: Order; readAt: number }) {
  const plans = useQuery(plansQuery).data ?? []
  const plan = plans.find(({ plan_id }) => plan_id === order.plan_id)
  const { user } = useOwnUser()
  const left = useOrderSeconds(order, readAt)
  return (
    <div className={styles.payWhat}>
      <p className={styles.payAmount}>{yuan(order.amount_fen)}</p>
      <KeyValues
        rows={[
          ['订单有效期', <span key="left">{left > 0 ? clockWords(left) : '已到期'}</span>],
          ...gainsOf(order, plan?.benefits ?? [], user?.vip ?? null, Date.now()).map(
            ({ label, before, after }) =>
              [
                label,
                <span key={label}>
                  {before !== null && <span className="text-3">{before} → </span>}
                  {after}
                </span>,
              ] as const,
          ),
        ]}
      />
    </div>
  )
}

/** Neither a desk nor a phone inside WeChat: where it can be paid. */
export function Elsewhere({ id }: { id: string }) {
  const copy = async () => {
    if (await copyText(location.origin + sheetAddress(id))) toast.done('链接已复制')
    else toast.info('浏览器不允许复制，请手动复制地址栏的链接')
  }
  return (
    <div className={styles.payElsewhere}>
      <Icon name="info" />
      <p>{messages.paymentRestricted}</p>
      <Button look={['small']} onClick={() => void copy()}>
        复制链接
      </Button>
    </div>
  )
}

/** Paid, or closed for good. */
export function Ended({ order, status }: { order: Order; status: VipOrderStatus }) {
  const refund = refundOf(order)
  const closed = status === orderStatus.quit
  return (
    <Stack gap={8} align="center" className={styles.payEnded}>
      <span className={closed ? `${styles.payMark} quiet` : styles.payMark}>
        <Icon name={closed ? 'lock' : 'check'} />
      </span>
      <b>{closed ? '订单已关闭' : '支付成功'}</b>
      <p>{endWords(order, status)}</p>
      {refund && (
        <p>
          {order.refund_fen !== undefined && `${yuan(order.refund_fen)} · `}
          {refund}
        </p>
      )}
    </Stack>
  )
}

const backWords = { PROCESSING: '付款正在原路退回。', SUCCESS: '付款已原路退回。', ABNORMAL: '付款尚未退回，请联系客服。' } as const

function endWords(order: Order, status: VipOrderStatus): string {
  if (status === orderStatus.finished) return `会员已开通${order.ends_at ? `，有效期至 ${order.ends_at.slice(0, 10)}` : ''}。`
  if (status === orderStatus.payFinished) return '已收到付款，正在开通，通常几秒完成。'
  const why = order.closed_by === 'timeout' ? '订单已过期' : '订单已关闭'
  if (order.refund_status === undefined) return `${why}，请重新下单。若已付款，款项会原路退回。`
  return `${why}，${backWords[order.refund_status]}`
}

/** Contact for invoices and refunds. */
export function Invoice({ id, open }: { id: string; open: boolean }) {
  const { contact } = useSite()
  return (
    <p className={styles.payInvoice}>
      {open && '支付即时开通。'}发票与退款请联系客服{contact && `（${contact}）`}，并提供订单号 <span className="mono">{id}</span>
    </p>
  )
}
