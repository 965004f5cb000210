import { vip } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { ApiError, serve, throwApiError } from '../http/serve-endpoint.ts'
import { listPlans } from '../vip/plans.ts'
import { subscribe } from './orders.ts'
import { cancel } from './pay-order.ts'
import { paymentDeps } from './payment-deps.ts'

export function routes(app: FastifyInstance, context: AppContext): void {
  const { db, config } = context
  const deps = paymentDeps(db, context)
  serve(app, context, vip.plans, async () => listPlans(db))
  serve(app, context, vip.subscribe, async ({ body, user }) => {
    const { id, isDemo } = user
    if (isDemo && !config.wechatPay?.testMoney) throw new ApiError(errorCodes.paymentAway, '体验账号不能购买，请注册自己的账号')
    return subscribe(db, id, body.plan_id, {
      canPay: deps !== null,
      makeRoom: async (orderId) => {
        if (!deps) return 1
        return cancel(deps, id, orderId).catch((error: unknown) => {
          // Paid this moment: nobody wants to pay it again.
          if (error instanceof ApiError && error.code === errorCodes.paidOrderDeletion) throwApiError(errorCodes.orderPaid)
          throw error
        })
      },
    })
  })
}
