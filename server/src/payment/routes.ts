import { notifyPath, payment } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { Failure, fail, serve, signedIn } from '../http/kernel.ts'
import { statusOf } from '../order/orders.ts'
import { ownAccount } from '../user/profile-routes.ts'
import { seenIn } from '../user/user-agent.ts'
import type { World } from '../world.ts'
import { payGround } from './ground.ts'
import { hear } from './notify.ts'
import { leave, payOrder, sheetOf } from './pay-order.ts'
import { payerOf } from './payer.ts'
import { signedOf } from './signature.ts'

/** A notice is about two KiB. */
const mostNotice = 64 * 1024

export async function routes(app: FastifyInstance, world: World): Promise<void> {
  const { db, config } = world
  const ground = payGround(world.db, world)
  const log = (event: string, details: Record<string, unknown>) => world.log.warn(details, event)

  serve(app, world, payment.nativeProcess, async ({ body, user }) => {
    const way = await payOrder(await needed(signedIn(user).id, body.order_id), signedIn(user).id, body.order_id, 'NATIVE', null)
    if (!('codeUrl' in way)) throw new Error('a Native attempt without its code')
    return { code_url: way.codeUrl, expire_at: way.expireAt }
  })
  serve(app, world, payment.jsapiProcess, async ({ body, user, visitor }) => {
    // Who pays inside WeChat is known by a sealed id, which a visitor of the demo leaves nowhere.
    const { id } = ownAccount(user)
    const ready = await needed(id, body.order_id)
    const { browser, device } = seenIn(visitor.userAgent)
    if (!browser.startsWith('微信') || device === '电脑') fail(31010)
    const openid = await payerOf({ db, config, log }, id, body.code)
    const way = await payOrder(ready, id, body.order_id, 'JSAPI', openid)
    if (!('prepayId' in way)) throw new Error('a JSAPI attempt without its prepay_id')
    return sheetOf(ready, way.prepayId, world.now())
  })
  serve(app, world, payment.nativeClose, async ({ body, user }) => left(signedIn(user).id, body.order_id, 'NATIVE'))
  serve(app, world, payment.jsapiClose, async ({ body, user }) => left(signedIn(user).id, body.order_id, 'JSAPI'))

  const left = async (userId: string, orderId: string, type: 'NATIVE' | 'JSAPI') => ({
    status: ground ? await leave(ground, userId, orderId, type) : await statusOf(db, userId, orderId),
  })
  /** Whose order it is comes before whether it can be paid. */
  const needed = async (userId: string, orderId: string) => {
    await statusOf(db, userId, orderId)
    if (!ground) throw new Failure(31008, '本站未开通微信支付')
    return ground
  }

  // In a scope of its own: what WeChat signs are the bytes, and what it hears is no envelope.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostNotice }, (_request, body, done) => done(null, body))
    scope.post(notifyPath, { bodyLimit: mostNotice }, async (request, reply) => {
      const refuse = (status: number, message: string) => reply.status(status).send({ code: 'FAIL', message })
      if (!ground) return refuse(401, '未开通微信支付')
      try {
        const header = (name: string) => [request.headers[name]].flat()[0]
        const heard = await hear(ground, signedOf(header, String(request.body ?? '')))
        return heard === 204 ? reply.status(204).send() : refuse(401, '签名错误')
      } catch (error) {
        world.log.warn({ req: request.id, err: error }, 'notice not written')
        return refuse(503, '系统繁忙')
      }
    })
  })
}
