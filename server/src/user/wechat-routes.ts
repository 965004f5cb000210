import { authorize, wechat } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { serve, signedIn } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { readAddress } from './addresses.ts'
import { issueCode } from './codes.ts'
import { ownAccount } from './profile-routes.ts'
import { readTarget } from './verification-routes.ts'
import { listCredentials } from './wechat-credentials.ts'
import { bindByTicket, bindOwn, loginByWechat, unbind } from './wechat-login.ts'

/** Cookie in which a browser keeps the state that it began a scan with. It gives no right to anything. */
const stateCookie = '__Host-wxs'

export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, authorize.byWechatWeb, async ({ body, cookie, visitor, humanCheck }) =>
    loginByWechat(world, { code: body.code, state: body.state, cookie: cookie(stateCookie) }, visitor, humanCheck),
  )

  serve(app, world, wechat.credentials, async ({ user }) => ({ list_items: await listCredentials(world, signedIn(user).id) }))

  serve(app, world, wechat.addCredential, async ({ user, body, cookie }) => {
    const scan = { code: body.code, state: body.state, cookie: cookie(stateCookie) }
    return { bound: true as const, nickname: await bindOwn(world, ownAccount(user), scan) }
  })

  serve(app, world, wechat.removeCredential, async ({ user, params }) => {
    await unbind(world, ownAccount(user), params.id)
    return {}
  })

  serve(app, world, wechat.bindCode, async ({ params, query, ip, humanCheck }) =>
    issueCode(world, { purpose: 'bind_wechat', target: readTarget(params.target, query.channel), userId: null, ip, humanCheck }),
  )

  serve(app, world, wechat.bind, async ({ params, body, visitor }) => bindByTicket(world, readAddress(params.target), body, visitor))
}
