import { authorize, type BodyOf, type TokenData } from '@convexa/contract'
import { accountOf } from '@convexa/contract/account'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ApiError, throwApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { serve, type Visitor } from '../http/serve-endpoint.ts'
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

export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, authorize.byPassword, async ({ body, visitor, humanCheck }) => {
    const asGuest = context.config.demoLogin && isDemoAccount(accountOf(body.account), body.password)
    return asGuest ? enterAsGuest(context, visitor, humanCheck) : admitLogin(() => logIn(context, body, visitor, humanCheck))
  })

  serve(app, context, authorize.refresh, async ({ body, context: { db } }) => {
    const { userId, ...tokens } = await refreshSession(db, body.refresh_token)
    return { ...tokens, user: await profileOf(context, userId) }
  })

  serve(app, context, authorize.sessions, async ({ user, context: { db } }) => ({ list_items: await listSessions(db, user) }))

  serve(app, context, authorize.endSession, async ({ user, params, context: { db } }) => {
    if (!(await endSession(db, user.id, params.id))) throwApiError(errorCodes.notFound)
    return {}
  })

  serve(app, context, authorize.endOthers, async ({ user, context: { db } }) => {
    const { id, sessionId } = user
    return { logged_out_devices: await endSessions(db, id, 'others', sessionId) }
  })

  serve(app, context, authorize.logout, async ({ user, context: { db } }) => {
    await closeSession(db, user.sessionId)
    return {}
  })

  profile(app, context)
  verification(app, context)
  wechat(app, context)
}

/** @throws ApiError 11001, 11002, 40030 */
async function logIn(
  context: AppContext,
  body: BodyOf<typeof authorize.byPassword>,
  visitor: Visitor,
  humanCheck: string | undefined,
): Promise<TokenData> {
  const { db, config } = context
  const account = accountOf(body.account)
  const found = await findToLogIn(context, account, visitor)
  const isHuman = () => passHumanCheck(db, config, humanCheck)
  const attempt = await countAttempt(db, { who: found?.id ?? account, visitor, known: Boolean(found?.known), isHuman })
  // A row of the account that all visitors once shared opens nothing any more.
  const allowed = found && !found.is_demo ? found : null
  const { right, renewed } = await checkPassword(body.password, allowed?.password_hash ?? null)
  if (!right || !allowed || allowed.disabled_at) {
    if (!right) await attempt.wrong()
    await recordLogin(db, { userId: found?.id ?? null, sessionId: null, method: 'password', success: false, visitor })
    // Only after the right password, so that the answer does not reveal the account to others.
    if (right) throw new ApiError(errorCodes.wrongCredentials, '该账号已停用，如有疑问请联系客服')
    throwApiError(errorCodes.wrongCredentials)
  }
  await attempt.right()
  if (!allowed.known && visitor.fingerprint) await tellOfNewDevice(context, allowed.id)
  const tokens = await openSession(db, allowed, { method: 'password', visitor })
  // After the session, which is opened on the hash that was compared.
  await renewHash(db, allowed.id, allowed.password_hash, renewed)
  return { ...tokens, user: await profileOf(context, allowed.id) }
}

/** Sends a notice of a new device, unless it is the first login. */
async function tellOfNewDevice(context: AppContext, userId: string): Promise<void> {
  const success = context.db.selectFrom('login_record').select('id').where('user_id', '=', userId).where('success', '=', true)
  if (await success.limit(1).executeTakeFirst()) await tell(context, userId, 'new_device', 'email')
}

const knownDays = 90

/** One statement for known and unknown accounts alike. `known`: this device has logged in to the account within 90 days. */
const findToLogIn = (context: AppContext, account: string, { fingerprint }: Visitor) =>
  userOf(context, account)
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
