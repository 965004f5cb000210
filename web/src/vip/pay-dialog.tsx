import { type Order, orderStatus, type VipOrderStatus } from '@convexa/contract/order'
import { useQuery } from '@tanstack/react-query'
import { useAct } from '../qmt/use-act.ts'
import { useSite } from '../state/site.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FieldError } from '../ui/field-error.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeyValues } from '../ui/key-values.tsx'
import { ErrorBlock } from '../ui/states.tsx'
import { type Step, Steps } from '../ui/steps.tsx'
import { copyText } from '../ui/table/sheet.ts'
import { toast } from '../ui/toast.tsx'
import { useSecondsTo } from '../ui/use-seconds-to.ts'
import { clockWords, isOpenOrder, refundOf, statusWords, yuan } from './order-words.ts'
import { elsewhereWords, iosWords, jsapiWords, ownPayWay } from './pay-way.ts'
import { QrCode } from './qr-code.tsx'
import { useNativeCode, useOrder } from './use-order.ts'
import { cancelOrder, plansQuery } from './vip-queries.ts'
import './pay-dialog.css'

const steps: readonly Step[] = [
  { key: 'wait', title: '等待支付' },
  { key: 'paid', title: '支付成功，开通中' },
  { key: 'done', title: '已开通' },
]
const stepOf = (status: VipOrderStatus): number => (status === orderStatus.finished ? 3 : status === orderStatus.payFinished ? 1 : 0)

/** Pays one order: by a code at a desk, and says where it can be paid from anywhere else. Closing leaves the order open. */
export function PayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { order, status, ask } = useOrder(id)
  const { ios_virtual_pay: iosVirtualPay } = useSite().features
  const way = ownPayWay(iosVirtualPay)
  const cancelling = useAct()
  const cancel = () =>
    cancelling.run(async () => {
      const now = await cancelOrder(id)
      if (now === orderStatus.paying) toast.info('正在向微信确认，确认没有付款后订单会自动关闭')
      else toast.done('订单已取消')
      onClose()
    })
  const { data } = order
  const open = status !== undefined && isOpenOrder(status)
  const acts = open ? (
    <>
      <Button key="cancel" disabled={cancelling.busy} onClick={() => void cancel()}>
        取消订单
      </Button>
      <Button key="ask" look={['primary']} data-focus onClick={ask}>
        我已支付，检查状态
      </Button>
    </>
  ) : (
    <Button key="close" look={['primary']} data-focus onClick={onClose}>
      {data ? '完成' : '关闭'}
    </Button>
  )
  return (
    <Dialog title={data ? `开通「${data.plan_name}」` : '支付订单'} onClose={onClose} width={600} footer={acts}>
      <div className="pay" aria-live="polite">
        {!data && order.error && <ErrorBlock error={order.error} still="订单没有受影响。" onRetry={() => void order.refetch()} />}
        {!data && !order.error && <div className="pay-waiting skeleton" />}
        {data && open && way === 'ios' && <p className="pay-ended">{iosWords}</p>}
        {data && open && way !== 'ios' && (
          <div className="pay-open">
            {way === 'native' ? <Scan id={id} status={status} /> : <Elsewhere words={way === 'jsapi' ? jsapiWords : elsewhereWords} />}
            <What order={data} readAt={order.dataUpdatedAt} />
          </div>
        )}
        {data && status !== undefined && !open && <Ended order={data} status={status} />}
      </div>
      {status !== undefined && status !== orderStatus.quit && way !== 'ios' && (
        <Steps label="支付进度" steps={steps} now={stepOf(status)} />
      )}
      <FieldError>{cancelling.refused}</FieldError>
    </Dialog>
  )
}

/** The code, or why there is none. */
function Scan({ id, status }: { id: string; status: VipOrderStatus }) {
  const code = useNativeCode(id)
  const lapsed = code.data !== undefined && !code.isFetching && (status === orderStatus.payFailed || status === orderStatus.payQuit)
  return (
    <div className="pay-scan">
      <div className="pay-code">
        {code.data && !lapsed && <QrCode text={code.data.code_url} label="微信支付二维码" />}
        {code.isFetching && !code.data && <div className="skeleton" />}
        {code.error && !code.isFetching && <ErrorBlock error={code.error} onRetry={() => void code.refetch()} />}
        {lapsed && (
          <div className="alert warn" role="alert">
            <Icon name="warn" />
            <div>
              <b>{statusWords[status]}</b>
              <div className="actions">
                <Button look={['small']} onClick={() => void code.refetch()}>
                  重新支付
                </Button>
              </div>
            </div>
          </div>
        )}
      </div>
      <p>请用手机微信扫码支付</p>
    </div>
  )
}

/** Not a desk: where it can be paid. */
function Elsewhere({ words }: { words: string }) {
  const copy = async () => {
    if (await copyText(location.href)) toast.done('链接已复制')
    else toast.info('浏览器不允许复制，请手动复制地址栏的链接')
  }
  return (
    <div className="pay-scan">
      <div className="pay-code pay-elsewhere">
        <Icon name="info" />
        <p>{words}</p>
        <Button look={['small']} onClick={() => void copy()}>
          复制链接
        </Button>
      </div>
    </div>
  )
}

/** What is bought, for how much, and how long it may still be paid. */
function What({ order, readAt }: { order: Order; readAt: number }) {
  const plans = useQuery(plansQuery).data ?? []
  const plan = plans.find(({ plan_id }) => plan_id === order.plan_id)
  const left = useSecondsTo(readAt + order.expire_in * 1000)
  return (
    <div className="pay-what">
      <p className="pay-amount">{yuan(order.amount_fen)}</p>
      <KeyValues
        rows={[
          ['订单有效期', <span key="left">{left > 0 ? clockWords(left) : '已到期'}</span>],
          ['会员时长', `${order.days} 天`],
          ...(plan?.benefits ?? []).slice(0, 4).map(
            ({ label, value, free }) =>
              [
                label,
                <span key={label}>
                  <span className="text-3">{free} → </span>
                  {value}
                </span>,
              ] as const,
          ),
        ]}
      />
    </div>
  )
}

/** Paid, or closed for good. */
function Ended({ order, status }: { order: Order; status: VipOrderStatus }) {
  const refund = refundOf(order)
  const words =
    status === orderStatus.finished
      ? `会员已开通${order.ends_at ? `，有效期至 ${order.ends_at.slice(0, 10)}` : ''}。`
      : status === orderStatus.payFinished
        ? '已收到付款，正在开通，通常几秒完成。'
        : `${order.closed_by === 'timeout' ? '订单已过期' : '订单已关闭'}，请重新下单。若已付款，款项会原路退回。`
  return (
    <div className="pay-ended">
      <span className={`pay-mark ${status === orderStatus.quit ? 'quiet' : 'ok'}`}>
        <Icon name={status === orderStatus.quit ? 'lock' : 'check'} />
      </span>
      <b>{status === orderStatus.quit ? '订单已关闭' : '支付成功'}</b>
      <p>{words}</p>
      {refund && <p>{refund}</p>}
    </div>
  )
}
