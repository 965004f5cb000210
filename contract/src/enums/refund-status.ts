import type { Row } from './table.ts'

/** `refund_status` of an order: where its money is on the way back. */
export const refundStatuses = {
  PROCESSING: { label: '退款处理中' },
  SUCCESS: { label: '已退款' },
  ABNORMAL: { label: '退款异常，请联系客服' },
} as const satisfies Record<string, Row>
export type RefundStatus = keyof typeof refundStatuses
