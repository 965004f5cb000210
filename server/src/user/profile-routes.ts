import { user } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import { audit } from '../db/audit.ts'
import { setAvatar } from '../file/files.ts'
import { fileStore } from '../file/store.ts'
import type { Caller } from '../http/caller.ts'
import { jsonParts, serve, throwApiError } from '../http/serve-endpoint.ts'
import { askDeletion, restore } from './deletion.ts'
import { exportOf } from './export.ts'
import { listLogins } from './logins.ts'
import { nameOf } from './names.ts'
import { tell } from './notices.ts'
import { reAuthByCode, reAuthByPassword } from './re-auth.ts'
import { needReAuth } from './sessions.ts'
import { profileOf } from './users.ts'

/** What users see and change of their own account. */
export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, user.info, async ({ user: caller }) => {
    const { id, sessionId } = caller
    return profileOf(context, id, sessionId)
  })

  serve(app, context, user.changeInfo, async ({ user: caller, body, context: { db, config } }) => {
    const { id, sessionId } = ownAccount(caller)
    const changes = {
      ...(body.nickname !== undefined && { nickname: nameOf(body.nickname) }),
      ...(body.prefs !== undefined && { prefs: JSON.stringify(body.prefs) }),
    }
    if (body.avatar_id !== undefined) await setAvatar({ db, store: fileStore(config.dataDir) }, id, { file_id: body.avatar_id })
    if (Object.keys(changes).length > 0) await db.updateTable('app_user').set(changes).where('id', '=', id).execute()
    return profileOf(context, id, sessionId)
  })

  serve(app, context, user.loginRecords, async ({ user: caller, query, context: { db } }) => listLogins(db, caller.id, query))

  serve(app, context, user.reAuth, async ({ user: caller, body, visitor }) => {
    const own = ownAccount(caller)
    const until =
      'password' in body
        ? await reAuthByPassword(context, own, body.password, visitor)
        : await reAuthByCode(context, own, body.verification_code)
    return { re_auth_until: shanghaiTime(until) }
  })

  serve(app, context, user.remove, async ({ user: caller, context: { db } }) => {
    const own = ownAccount(caller)
    needReAuth(own)
    const at = await askDeletion(db, own.id, 'user', own.sessionId)
    await tell(context, own.id, 'deletion_asked', 'email or sms')
    return { deletion_at: shanghaiTime(at) }
  })

  serve(app, context, user.restore, async ({ user: caller, context: { db } }) => {
    const { id, sessionId } = caller
    await restore(db, id, 'user')
    return profileOf(context, id, sessionId)
  })

  serve(app, context, user.export, async ({ user: caller, context, signal }) => {
    // A visitor of the demo has no password to show, and left nothing that names a person.
    if (!caller.isDemo) needReAuth(caller)
    await audit(context.db, { actor: 'user', action: 'user.export', userId: caller.id })
    return jsonParts(exportOf(context, caller.id, signal))
  })
}

/**
 * The caller, who is no visitor of the demo: a guest is erased after a day and gets nothing that names a person or is sealed. @throws
 * ApiError 25010
 */
export function ownAccount(caller: Caller): Caller {
  if (caller.isDemo) throwApiError(errorCodes.guestNotAllowed)
  return caller
}
