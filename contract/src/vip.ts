import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { VipOrderStatus } from './order.ts'
import { Id } from './scalars.ts'

/** What a plan gives, beside what everybody has: `{label: '每日回测', value: '200 次', free: '20 次'}`. */
export const Benefit = z.object({ key: z.string(), label: z.string(), value: z.string(), free: z.string() })
export type Benefit = z.output<typeof Benefit>

/** What can be bought now. Money in fen; a day is 24 hours. */
export const Plan = z.object({
  plan_id: z.string(),
  plan_name: z.string(),
  days: z.int(),
  price_fen: z.int(),
  /** What it cost before, where the operator says so. */
  origin_price_fen: z.int().optional(),
  benefits: z.array(Benefit),
  recommended: z.boolean(),
})
export type Plan = z.output<typeof Plan>

const calls = callTable.vip

export const vip = {
  plans: endpoint(calls.plans, { summary: '会员方案', data: z.array(Plan) }),
  /** The open order of the same plan and price is given again while five minutes of it are left. */
  subscribe: endpoint(calls.subscribe, {
    summary: '下单购买会员',
    body: z.strictObject({ plan_id: Id }),
    data: z.object({ order_id: z.string(), amount_fen: z.int(), expire_at: z.string(), status: VipOrderStatus }),
  }),
}
