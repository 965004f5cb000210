import { notifyPath, payment } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { ApiError, serve, throwApiError } from '../http/serve-endpoint.ts'
import { ownAccount } from '../user/profile-routes.ts'
import { seenIn } from '../user/user-agent.ts'
import { statusOf } from './orders.ts'
import { leave, payOrder, sheetOf } from './pay-order.ts'
import { payerOf } from './payer.ts'
import { paymentDeps } from './payment-deps.ts'
import { acceptNotification } from './payment-notification.ts'
import { signedOf } from './signature.ts'

/** A notice is about two KiB. */
const mostNotice = 64 * 1024

export async function routes(app: FastifyInstance, context: AppContext): Promise<void> {
  const { db, config } = context
  const deps = paymentDeps(context.db, context)
  const log = (event: string, details: Record<string, unknown>) => context.log.warn(details, event)

  serve(app, context, payment.nativeProcess, async ({ body, user }) => {
    const way = await payOrder(await needed(user.id, body.order_id), user.id, body.order_id, 'NATIVE', null)
    if (!('codeUrl' in way)) throw new Error('a Native attempt without its code')
    return { code_url: way.codeUrl, expire_at: way.expireAt }
  })
  serve(app, context, payment.jsapiProcess, async ({ body, user, visitor }) => {
    // A payer inside WeChat is known by a sealed id, which is not kept of a visitor of the demo.
    const { id } = ownAccount(user)
    const ready = await needed(id, body.order_id)
    const { browser, device } = seenIn(visitor.userAgent)
    if (!browser.startsWith('微信') || device === '电脑') throwApiError(errorCodes.payInWechat)
    const openid = await payerOf({ db, config, log }, id, body.code)
    const way = await payOrder(ready, id, body.order_id, 'JSAPI', openid)
    if (!('prepayId' in way)) throw new Error('a JSAPI attempt without its prepay_id')
    return sheetOf(ready, way.prepayId, context.now())
  })
  serve(app, context, payment.nativeClose, async ({ body, user }) => left(user.id, body.order_id, 'NATIVE'))
  serve(app, context, payment.jsapiClose, async ({ body, user }) => left(user.id, body.order_id, 'JSAPI'))

  const left = async (userId: string, orderId: string, type: 'NATIVE' | 'JSAPI') => ({
    status: deps ? await leave(deps, userId, orderId, type) : await statusOf(db, userId, orderId),
  })
  /** Checks that the order is the caller's before whether it can be paid. */
  const needed = async (userId: string, orderId: string) => {
    await statusOf(db, userId, orderId)
    if (!deps) throw new ApiError(errorCodes.paymentAway, '本站未开通微信支付')
    return deps
  }

  // In a scope of its own: WeChat signs the raw bytes, and expects an answer without envelope.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostNotice }, (_request, body, done) => done(null, body))
    scope.post(notifyPath, { bodyLimit: mostNotice }, async (request, reply) => {
      const refuse = (status: number, message: string) => reply.status(status).send({ code: 'FAIL', message })
      if (!deps) return refuse(401, '未开通微信支付')
      try {
        const header = (name: string) => [request.headers[name]].flat()[0]
        const status = await acceptNotification(deps, signedOf(header, String(request.body ?? '')))
        return status === 204 ? reply.status(204).send() : refuse(401, '签名错误')
      } catch (error) {
        context.log.warn({ req: request.id, err: error }, 'notice not written')
        return refuse(503, '系统繁忙')
      }
    })
  })
}
