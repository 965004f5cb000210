import type { PayType, VipOrderStatus } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'

/** What moved an order. `notice`, `query`, `close`, `bill`: the source of the news of the payment. */
export type Cause = 'user' | 'timeout' | 'operator' | 'answer' | MoneySource
export type MoneySource = 'notice' | 'query' | 'close' | 'bill'

export type AttemptState = 'INIT' | 'OPEN' | 'CLOSING' | 'CLOSED' | 'PAID' | 'FAILED' | 'UNKNOWN'

/** What an attempt is closed for. `quit`, `switch`: the order may be paid again; `cancel`, `expire`: it ends; `paid`: another attempt paid it. */
export type ClosingFor = 'quit' | 'switch' | 'cancel' | 'expire' | 'paid'

export type RefundState = 'REQUESTED' | 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
export type RefundReason = 'LATE' | 'DUPLICATE' | 'OPERATOR'

/** Plans, orders and money. */
export interface OrderTables {
  vip_plan: {
    id: string
    name: string
    days: number
    price_fen: number
    origin_price_fen: number | null
    recommended: Generated<boolean>
    on_sale: Generated<boolean>
    place: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  vip_order: {
    id: string
    user_id: string
    plan_id: string
    plan_name: string
    days: number
    amount_fen: number
    status: Generated<VipOrderStatus>
    closed_by: 'user' | 'timeout' | null
    created_at: Generated<Date>
    expires_at: Date
    paid_at: Date | null
  }
  order_transition: { from_status: number; to_status: number }
  order_event: {
    id: Generated<number>
    order_id: string
    at: Generated<Date>
    from_status: number | null
    to_status: number
    cause: Cause
  }
  payment_attempt: {
    otn: string
    order_id: string
    seq: number
    type: PayType
    state: Generated<AttemptState>
    closing: ClosingFor | null
    code_url: string | null
    prepay_id: string | null
    created_at: Generated<Date>
    next_query_at: Date | null
    query_count: Generated<number>
    queried_at: Date | null
  }
  payment: {
    transaction_id: string
    otn: string
    order_id: string
    total_fen: number
    payer_total_fen: number
    paid_at: Date
    source: MoneySource
    effect: 'GRANT' | 'REFUND'
    created_at: Generated<Date>
  }
  subscription_grant: {
    id: string
    user_id: string
    order_id: string | null
    days: number
    granted_at: Date
    starts_at: Date
    ends_at: Date
    revoked_at: Date | null
  }
  refund: {
    out_refund_no: string
    transaction_id: string
    amount_fen: number
    state: Generated<RefundState>
    reason: RefundReason
    revokes: Generated<boolean>
    tries: Generated<number>
    next_try_at: Date | null
    created_at: Generated<Date>
    done_at: Date | null
  }
  payment_notice: {
    event_id: string
    event_type: string
    body_sha256: Buffer
    outcome: string
    times: Generated<number>
    received_at: Generated<Date>
  }
  payment_anomaly: {
    id: Generated<number>
    at: Generated<Date>
    what: string
    otn: string
    transaction_id: string
    detail: JSONColumnType<Record<string, unknown>>
    resolved_at: Date | null
  }
  payment_bill: {
    day: string
    payments: number
    refunds: number
    found: number
    unexplained: number
    compared_at: Generated<Date>
  }
  wechat_payer: { user_id: string; sealed: Buffer; app_id: string | null; updated_at: Generated<Date> }
}
