import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order, VipOrderStatus } from '@convexa/contract/order'
import { useEffect, useRef } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { askGiveUp } from './cancel-order.ts'
import styles from './order-parts.module.css'
import { Elsewhere, Ended, Invoice, What } from './order-parts.tsx'
import { useOrderSeconds } from './order-seconds.ts'
import { isOpenOrder } from './order-text.ts'
import { codeAddress, iosWords, type PayWay } from './pay-way.ts'
import { useOrder } from './use-order.ts'
import { type SheetStep, useSheet } from './use-sheet.ts'

/** Pays one order by WeChat's own sheet, from its pages alone; anywhere else it says where. `takeCode`: what WeChat gave for the payer, once. */
export function SheetCard({ id, way, takeCode }: { id: string; way: PayWay; takeCode: () => string | null }) {
  const { order, status, ask } = useOrder(id)
  const { data, error } = order
  const open = status !== undefined && isOpenOrder(status)
  const state: CardState = data
    ? { kind: 'ready' }
    : error
      ? { kind: 'error', error, still: '订单没有受影响。', onRetry: () => void order.refetch() }
      : { kind: 'loading', rows: 6 }
  return (
    <Card title={data ? `开通「${data.plan_name}」` : '支付订单'} className={styles.payCard} state={state}>
      {data && open && way === 'jsapi' && <Sheet order={data} status={status} readAt={order.dataUpdatedAt} ask={ask} takeCode={takeCode} />}
      {data && open && way === 'ios' && (
        <Stack as="p" gap={8} align="center" className={styles.payEnded}>
          {iosWords}
        </Stack>
      )}
      {data && open && (way === 'native' || way === 'elsewhere') && (
        <>
          <Elsewhere id={id} />
          {way === 'native' && (
            <PageLink className="button primary large wide" to={codeAddress(id)}>
              在本机扫码支付
            </PageLink>
          )}
        </>
      )}
      {data && status !== undefined && !open && (
        <>
          <Ended order={data} status={status} />
          <PageLink className="button primary large wide" to="/personal/subscription">
            {status === orderStatus.quit ? '重新选择方案' : '查看我的会员'}
          </PageLink>
        </>
      )}
    </Card>
  )
}

/** How the sheet was left, until the order is no longer open. */
const notices: Partial<Record<SheetStep, { icon: IconName; look: string; words: string }>> = {
  ok: { icon: 'info', look: 'info', words: '正在向微信确认支付结果，通常几秒完成，请勿重复支付。' },
  cancel: { icon: 'info', look: 'warn', words: '你取消了支付，订单有效期内可以继续。' },
  fail: { icon: 'warn', look: 'warn', words: '支付失败，可以重试，或在微信里换一种付款方式。' },
  missing: { icon: 'warn', look: 'warn', words: '没有打开微信支付，请在手机微信中重新打开本页面。' },
}

function Sheet({
  order,
  status,
  readAt,
  ask,
  takeCode,
}: {
  order: Order
  status: VipOrderStatus
  readAt: number
  ask: () => void
  takeCode: () => string | null
}) {
  const sheet = useSheet(order.order_id)
  const cancelling = useAction()
  const left = useOrderSeconds(order, readAt)
  const begun = useRef(false)
  useEffect(() => {
    // A code means that the user pressed pay before the detour over WeChat, so payment goes on. The code is valid once.
    if (begun.current) return
    begun.current = true
    const code = takeCode()
    if (code !== null) void sheet.pay(code)
  }, [takeCode, sheet])
  const said = notices[sheet.step]
  const returned = sheet.step === 'ok'
  return (
    <>
      <What order={order} readAt={readAt} />
      <div aria-live="polite">
        {said && (
          <Row as="p" gap={8} align="stretch" className={`${styles.payHeard} ${said.look}`}>
            <Icon name={said.icon} />
            {said.words}
          </Row>
        )}
        <FieldError>{sheet.refused ?? cancelling.refused}</FieldError>
      </div>
      {returned ? (
        <Button look={['primary', 'large', 'wide']} onClick={ask}>
          我已支付，检查状态
        </Button>
      ) : (
        <Button look={['primary', 'large', 'wide']} disabled={sheet.busy || left === 0} onClick={() => void sheet.pay(null)}>
          {sheet.busy ? '正在打开微信支付…' : buttonWords(sheet.step, status)}
        </Button>
      )}
      <Button
        look={['ghost', 'large', 'wide']}
        disabled={sheet.busy || cancelling.busy}
        onClick={() => void cancelling.run(() => askGiveUp(order))}
      >
        取消订单
      </Button>
      <Invoice id={order.order_id} open />
    </>
  )
}

function buttonWords(step: SheetStep, status: VipOrderStatus): string {
  if (step === 'fail' || status === orderStatus.payFailed) return '重试'
  return step === 'ready' && status === orderStatus.waitPaying ? '立即支付' : '继续支付'
}
