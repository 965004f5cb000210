import { orderStatus, orderStatuses } from '@convexa/contract/enums/order-status'
import { labelOf } from '@convexa/contract/enums/table'
import type { VipOrderStatus } from '@convexa/contract/order'
import { useSite } from '../../api/site.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { type Step, Steps } from '../../ui/steps.tsx'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { giveUp, leaveCode } from './cancel-order.ts'
import styles from './order-parts.module.css'
import { Elsewhere, Ended, Invoice, What } from './order-parts.tsx'
import { isOpenOrder } from './order-text.ts'
import { iosWords, ownPayWay } from './pay-way.ts'
import { QrCode } from './qr-code.tsx'
import { useNativeCode, useOrder } from './use-order.ts'

const steps: readonly Step[] = [
  { key: 'wait', title: '等待支付' },
  { key: 'paid', title: '支付成功，开通中' },
  { key: 'done', title: '已开通' },
]
const stepOf = (status: VipOrderStatus): number => (status === orderStatus.finished ? 3 : status === orderStatus.payFinished ? 1 : 0)

/**
 * Pays one order: by a code at a desk, and says where it can be paid from anywhere else. Closing leaves the order open and ends the attempt,
 * so that nobody pays by a code that is no longer shown.
 */
export function PayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { order, status, ask } = useOrder(id)
  const { ios_virtual_pay: iosVirtualPay } = useSite().features
  const way = ownPayWay(iosVirtualPay)
  const cancelling = useAction()
  const cancel = () =>
    cancelling.run(async () => {
      await giveUp(id)
      onClose()
    })
  const { data } = order
  const open = status !== undefined && isOpenOrder(status)
  const close = () => {
    if (open && way === 'native') void leaveCode(id)
    onClose()
  }
  // Its buttons are others once the order is known, and when it has ended.
  useFocusKept(open, '[data-modal] [data-focus]')
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
    <Dialog title={data ? `开通「${data.plan_name}」` : '支付订单'} onClose={close} width={600} footer={acts}>
      <div className={styles.pay} aria-live="polite">
        {!data && order.error && <ErrorBlock error={order.error} still="订单没有受影响。" onRetry={() => void order.refetch()} />}
        {!data && !order.error && (
          <div className={styles.payOpen}>
            <div className={styles.payCode}>
              <span className="skeleton" />
            </div>
            <Skeleton columns={undefined} rows={5} />
          </div>
        )}
        {data && open && way === 'ios' && (
          <Stack as="p" gap={8} align="center" className={styles.payEnded}>
            {iosWords}
          </Stack>
        )}
        {data && open && way !== 'ios' && (
          <div className={styles.payOpen}>
            {way === 'native' ? <Scan id={id} status={status} /> : <Elsewhere id={id} />}
            <What order={data} readAt={order.dataUpdatedAt} />
          </div>
        )}
        {data && status !== undefined && !open && <Ended order={data} status={status} />}
      </div>
      {status !== undefined && status !== orderStatus.quit && way !== 'ios' && (
        <Steps label="支付进度" steps={steps} now={stepOf(status)} />
      )}
      {data && way !== 'ios' && <Invoice id={id} open={open} />}
      <FieldError>{cancelling.refused}</FieldError>
    </Dialog>
  )
}

/** The code, or why there is none. */
function Scan({ id, status }: { id: string; status: VipOrderStatus }) {
  const code = useNativeCode(id)
  const lapsed = code.data !== undefined && !code.isFetching && (status === orderStatus.payFailed || status === orderStatus.payQuit)
  return (
    <div className={styles.payScan}>
      <div className={styles.payCode}>
        {code.data && !lapsed && <QrCode text={code.data.code_url} label="微信支付二维码" />}
        {code.isFetching && !code.data && <div className="skeleton" />}
        {code.error && !code.isFetching && <ErrorBlock error={code.error} onRetry={() => void code.refetch()} />}
        {lapsed && (
          <div className="alert warn" role="alert">
            <Icon name="warn" />
            <div>
              <b>{labelOf(orderStatuses, status)}</b>
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
