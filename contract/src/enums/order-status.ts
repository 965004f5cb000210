import type { Row } from './table.ts'

/** States of an order by the specification's names. 5 and 6 are its ends. */
export const orderStatus = { waitPaying: 0, paying: 1, payFailed: 2, payQuit: 3, payFinished: 4, quit: 5, finished: 6 } as const

/** `status` of an order (reliability.md 3.1). */
export const orderStatuses = {
  0: { label: '待支付' },
  1: { label: '支付中' },
  2: { label: '支付失败' },
  3: { label: '已取消支付' },
  4: { label: '已支付，开通中' },
  5: { label: '已关闭' },
  6: { label: '已完成' },
} as const satisfies Record<(typeof orderStatus)[keyof typeof orderStatus], Row>
export type VipOrderStatus = keyof typeof orderStatuses
