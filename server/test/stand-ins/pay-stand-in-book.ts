/** A trade in the stand-in's own book: what it says here has really been paid. */
export interface Booked {
  readonly otn: string
  readonly type: 'JSAPI' | 'NATIVE'
  readonly total: number
  readonly description: string
  readonly openid: string
  readonly token: string
  readonly expiresAt: number
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND'
  transactionId: string | null
  payerTotal: number
  paidAt: number
}

export interface BookedRefund {
  readonly outRefundNo: string
  readonly otn: string
  readonly amount: number
  readonly at: number
  state: 'PROCESSING' | 'SUCCESS' | 'ABNORMAL' | 'CLOSED'
}
