import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/layout.tsx'
import { useSecondsTo } from '../../ui/use-seconds-to.ts'
import { askGiveUp } from './cancel-order.ts'
import { useOrderSeconds } from './order-seconds.ts'
import { clockWords, yuan } from './order-text.ts'
import { codeAddress, ownPayWay, sheetAddress } from './pay-way.ts'
import { type PendingOrder, usePendingOrder } from './use-pending-order.ts'
import { setWaiting } from './waiting-order.ts'

/** Tells the banner of an order that this browser may pay, as long as it may be paid and the page does not show it anyhow. Draws nothing. */
export function OrderWatch() {
  const { search } = useLocation()
  const way = useOwnWay()
  const pending = usePendingOrder()
  const over = useSecondsTo(pending && pending.readAt + pending.order.expire_in * 1000) === 0
  const order = pending?.order
  const shownHere = order !== undefined && new URLSearchParams(search).get('order') === order.order_id
  const shownOrder = order && !over && !shownHere && way !== 'ios' ? order : null
  useEffect(() => {
    setWaiting(
      shownOrder && { id: shownOrder.order_id, words: `你有一笔待支付订单（${shownOrder.plan_name} ${yuan(shownOrder.amount_fen)}` },
    )
  }, [shownOrder])
  useEffect(() => () => setWaiting(null), [])
  return null
}

/** How long it may still be paid, and what can be done about it. */
export function OrderBanner({ words }: { words: string }) {
  const pending = usePendingOrder()
  return pending && <Waiting {...pending} words={words} />
}

function Waiting({ order, readAt, words }: PendingOrder & { words: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const way = useOwnWay()
  const left = useOrderSeconds(order, readAt)
  const pay = () => {
    if (way === 'jsapi') location.assign(sheetAddress(order.order_id))
    else void navigate(codeAddress(order.order_id), { replace: pathname === '/personal/subscription' })
  }
  return (
    <>
      <span>
        {words}，<span className="hidden-text">请在 {order.expire_at.slice(11, 16)} 前支付</span>
        {/* It ticks: read out it would never end. */}
        <span className="banner-time" aria-hidden="true">
          剩余 {clockWords(left)}
        </span>
        ）
      </span>
      <Row as="span" gap={4} align="stretch" className="banner-acts">
        <Button look={['small']} onClick={pay}>
          继续支付
        </Button>
        <Button look={['small', 'ghost']} onClick={() => void askGiveUp(order)}>
          取消
        </Button>
      </Row>
    </>
  )
}

const useOwnWay = () => ownPayWay(useSite().features.ios_virtual_pay)
