import { authorize, type BodyOf, type TokenData } from '@convexa/contract'
import { accountOf } from '@convexa/contract/account'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Failure, fail } from '../http/fail.ts'
import { serve, signedIn, type Visitor } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { countAttempt } from './attempts.ts'
import { userOf } from './contacts.ts'
import { enterAsGuest, isDemoAccount } from './guests.ts'
import { passHumanCheck } from './human-check.ts'
import { listSessions, recordLogin } from './logins.ts'
import { tell } from './notices.ts'
import { admitLogin, checkPassword, renewHash } from './passwords.ts'
import { routes as profile } from './profile-routes.ts'
import { closeSession, endSession, endSessions, openSession, refreshSession } from './sessions.ts'
import { profileOf } from './users.ts'
import { routes as verification } from './verification-routes.ts'
import { routes as wechat } from './wechat-routes.ts'

export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, authorize.byPassword, async ({ body, visitor, humanCheck }) => {
    const asGuest = world.config.demoLogin && isDemoAccount(accountOf(body.account), body.password)
    return asGuest ? enterAsGuest(world, visitor, humanCheck) : admitLogin(() => logIn(world, body, visitor, humanCheck))
  })

  serve(app, world, authorize.refresh, async ({ body, world: { db } }) => {
    const { userId, ...tokens } = await refreshSession(db, body.refresh_token)
    return { ...tokens, user: await profileOf(world, userId) }
  })

  serve(app, world, authorize.sessions, async ({ user, world: { db } }) => ({ list_items: await listSessions(db, signedIn(user)) }))

  serve(app, world, authorize.endSession, async ({ user, params, world: { db } }) => {
    if (!(await endSession(db, signedIn(user).id, params.id))) fail(40004)
    return {}
  })

  serve(app, world, authorize.endOthers, async ({ user, world: { db } }) => {
    const { id, sessionId } = signedIn(user)
    return { logged_out_devices: await endSessions(db, id, 'others', sessionId) }
  })

  serve(app, world, authorize.logout, async ({ user, world: { db } }) => {
    await closeSession(db, signedIn(user).sessionId)
    return {}
  })

  profile(app, world)
  verification(app, world)
  wechat(app, world)
}

/** @throws Failure 11001, 11002, 40030 */
async function logIn(
  world: World,
  body: BodyOf<typeof authorize.byPassword>,
  visitor: Visitor,
  humanCheck: string | undefined,
): Promise<TokenData> {
  const { db, config } = world
  const account = accountOf(body.account)
  const found = await findToLogIn(world, account, visitor)
  const isHuman = () => passHumanCheck(db, config, humanCheck)
  const attempt = await countAttempt(db, { who: found?.id ?? account, visitor, known: Boolean(found?.known), isHuman })
  // A row of the account that all visitors once shared opens nothing any more.
  const allowed = found && !found.is_demo ? found : null
  const { right, renewed } = await checkPassword(body.password, allowed?.password_hash ?? null)
  if (!right || !allowed || allowed.disabled_at) {
    if (!right) await attempt.wrong()
    await recordLogin(db, { userId: found?.id ?? null, sessionId: null, method: 'password', success: false, visitor })
    // Said to who knows the password only.
    if (right) throw new Failure(11001, '该账号已停用，如有疑问请联系客服')
    fail(11001)
  }
  await attempt.right()
  if (!allowed.known && visitor.fingerprint) await tellOfNewDevice(world, allowed.id)
  const tokens = await openSession(db, allowed, { method: 'password', visitor })
  // After the session, which is opened on the hash that was compared.
  await renewHash(db, allowed.id, allowed.password_hash, renewed)
  return { ...tokens, user: await profileOf(world, allowed.id) }
}

/** To who has logged in before: the first device is no news. */
async function tellOfNewDevice(world: World, userId: string): Promise<void> {
  const success = world.db.selectFrom('login_record').select('id').where('user_id', '=', userId).where('success', '=', true)
  if (await success.limit(1).executeTakeFirst()) await tell(world, userId, 'new_device', 'email')
}

const knownDays = 90

/** One statement for known and unknown accounts alike. `known`: this device has logged in to the account within 90 days. */
const findToLogIn = (world: World, account: string, { fingerprint }: Visitor) =>
  userOf(world, account)
    .select('disabled_at')
    .select((from) =>
      from
        .exists(
          from
            .selectFrom('login_record')
            .whereRef('login_record.user_id', '=', 'app_user.id')
            .where('login_record.fingerprint', '=', fingerprint)
            .where('login_record.success', '=', true)
            .where('login_record.login_at', '>', sql<Date>`now() - make_interval(days => ${knownDays})`)
            .select('login_record.id'),
        )
        .as('known'),
    )
    .executeTakeFirst()
