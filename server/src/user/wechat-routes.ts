import { authorize, wechat } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { serve } from '../http/serve-endpoint.ts'
import { readAddress } from './addresses.ts'
import { issueCode } from './codes.ts'
import { ownAccount } from './profile-routes.ts'
import { readTarget } from './verification-routes.ts'
import { listCredentials } from './wechat-credentials.ts'
import { bindByTicket, bindOwn, loginByWechat, unbind } from './wechat-login.ts'

/** Cookie in which a browser keeps the state that it began a scan with. It gives no right to anything. */
const stateCookie = '__Host-wxs'

export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, authorize.byWechatWeb, async ({ body, cookie, visitor, humanCheck }) =>
    loginByWechat(context, { code: body.code, state: body.state, cookie: cookie(stateCookie) }, visitor, humanCheck),
  )

  serve(app, context, wechat.credentials, async ({ user }) => ({ list_items: await listCredentials(context, user.id) }))

  serve(app, context, wechat.addCredential, async ({ user, body, cookie }) => {
    const scan = { code: body.code, state: body.state, cookie: cookie(stateCookie) }
    return { bound: true as const, nickname: await bindOwn(context, ownAccount(user), scan) }
  })

  serve(app, context, wechat.removeCredential, async ({ user, params }) => {
    await unbind(context, ownAccount(user), params.id)
    return {}
  })

  serve(app, context, wechat.bindCode, async ({ params, query, ip, humanCheck }) =>
    issueCode(context, { purpose: 'bind_wechat', target: readTarget(params.target, query.channel), userId: null, ip, humanCheck }),
  )

  serve(app, context, wechat.bind, async ({ params, body, visitor }) => bindByTicket(context, readAddress(params.target), body, visitor))
}
