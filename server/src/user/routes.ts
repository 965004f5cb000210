import { authorize, user } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { fail, serve } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { countAttempt } from './attempts.ts'
import { checkPassword } from './passwords.ts'
import { type Caller, closeSession, openSession, refreshSession } from './sessions.ts'
import { accountOf, profileOf } from './users.ts'

export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, authorize.byPassword, async ({ body, ip, world: { db, config } }) => {
    const account = accountOf(body.account)
    const takeBack = await countAttempt(db, account, ip)
    const found = await db
      .selectFrom('app_user')
      .select(['id', 'password_hash', 'is_demo'])
      .where(sql`lower(account)`, '=', account)
      .executeTakeFirst()
    // The demo account's password is public: it opens nothing where the operator has switched it off.
    const allowed = found && (config.demoLogin || !found.is_demo) ? found : null
    if (!(await checkPassword(body.password, allowed?.password_hash ?? null)) || !allowed) fail(11001)
    await takeBack()
    const tokens = await openSession(db, allowed)
    return { ...tokens, user: await profileOf(db, allowed.id) }
  })

  serve(app, world, authorize.refresh, async ({ body, world: { db } }) => {
    const { userId, ...tokens } = await refreshSession(db, body.refresh_token)
    return { ...tokens, user: await profileOf(db, userId) }
  })

  serve(app, world, authorize.logout, async ({ user: caller, world: { db } }) => {
    await closeSession(db, signedIn(caller).sessionId)
    return {}
  })

  serve(app, world, user.info, async ({ user: caller, world: { db } }) => profileOf(db, signedIn(caller).id))
}

/** The caller of an endpoint that needs a login: the kernel has refused everybody else. */
function signedIn(caller: Caller | null): Caller {
  if (!caller) throw new Error('this endpoint is answered without a login')
  return caller
}
