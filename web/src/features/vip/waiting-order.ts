import { create } from 'zustand'

/** An order that waits to be paid, as the banner of every page speaks of it. */
export interface WaitingOrder {
  id: string
  /** `你有一笔待支付订单（年度会员 ¥298.00`, left open: how long it has goes on behind it. */
  words: string
}

/** Told by `OrderWatch`, whose code comes after the page's own. */
export const useWaitingOrder = create<{ waiting: WaitingOrder | null }>(() => ({ waiting: null }))

export function setWaiting(next: WaitingOrder | null): void {
  const { waiting } = useWaitingOrder.getState()
  if (waiting?.id !== next?.id) useWaitingOrder.setState({ waiting: next })
}
