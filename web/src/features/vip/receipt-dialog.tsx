import type { Order } from '@convexa/contract/order'
import { useSite } from '../../api/site.ts'
import { dateTime } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyValues } from '../../ui/key-values.tsx'
import { copyText } from '../../ui/table/sheet.ts'
import { toast } from '../../ui/toast.tsx'
import { receiptWords, refundOf, yuan } from './order-text.ts'
import styles from './subscription.module.css'

const ways = { JSAPI: '微信支付（微信内）', NATIVE: '微信支付（扫码）' } as const

/** All that is known of an order, to be kept or shown to the operator. */
export function ReceiptDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { contact } = useSite()
  const refund = refundOf(order)
  const copy = async () => {
    if (await copyText(order.order_id)) toast.done('订单号已复制')
    else toast.info('浏览器不允许复制，请手动选择订单号')
  }
  const line = (name: string, value: string | undefined | null) => (value ? [[name, value] as const] : [])
  const time = (moment: string | undefined) => moment && dateTime(moment)
  return (
    <Dialog
      title="订单详情"
      onClose={onClose}
      width={480}
      footer={
        <>
          <Button onClick={() => void copy()}>复制订单号</Button>
          <Button look={['primary']} data-focus onClick={onClose}>
            关闭
          </Button>
        </>
      }
    >
      <KeyValues
        rows={[
          ['方案', `${order.plan_name}（${order.days} 天）`],
          ['金额', yuan(order.amount_fen)],
          ['状态', receiptWords(order)],
          ['下单时间', dateTime(order.created_at)],
          ...line('支付时间', time(order.paid_at)),
          ...line('支付方式', order.paid_at && order.pay_type && ways[order.pay_type]),
          ...line('会员有效期', order.starts_at && order.ends_at && `${dateTime(order.starts_at)} 至 ${dateTime(order.ends_at)}`),
          ...line('退款', refund && `${order.refund_fen === undefined ? '' : `${yuan(order.refund_fen)} · `}${refund}`),
          [
            '订单号',
            <span key="id" className="mono">
              {order.order_id}
            </span>,
          ],
          ...line('微信支付单号', order.transaction_id),
        ]}
      />
      <p className={styles.receiptNote}>发票与退款请联系客服{contact && `（${contact}）`}，并提供订单号。</p>
    </Dialog>
  )
}
