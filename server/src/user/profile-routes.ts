import { user } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { setAvatar } from '../file/files.ts'
import { localStore } from '../file/store.ts'
import { fail, jsonParts, serve, signedIn } from '../http/kernel.ts'
import { shanghaiTime } from '../time.ts'
import type { World } from '../world.ts'
import { audit } from './audit.ts'
import { askDeletion, restore } from './deletion.ts'
import { exportOf } from './export.ts'
import { listLogins } from './logins.ts'
import { nameOf } from './names.ts'
import { tell } from './notices.ts'
import { reAuthByCode, reAuthByPassword } from './re-auth.ts'
import { type Caller, needReAuth } from './sessions.ts'
import { profileOf } from './users.ts'

/** What users see and change of their own account. */
export function routes(app: FastifyInstance, world: World): void {
  serve(app, world, user.info, async ({ user: caller }) => {
    const { id, sessionId } = signedIn(caller)
    return profileOf(world, id, sessionId)
  })

  serve(app, world, user.changeInfo, async ({ user: caller, body, world: { db, config } }) => {
    const { id, sessionId } = ownAccount(caller)
    const changes = {
      ...(body.nickname !== undefined && { nickname: nameOf(body.nickname) }),
      ...(body.prefs !== undefined && { prefs: JSON.stringify(body.prefs) }),
    }
    if (body.avatar_id !== undefined) await setAvatar({ db, store: localStore(config.dataDir) }, id, { file_id: body.avatar_id })
    if (Object.keys(changes).length > 0) await db.updateTable('app_user').set(changes).where('id', '=', id).execute()
    return profileOf(world, id, sessionId)
  })

  serve(app, world, user.loginRecords, async ({ user: caller, query, world: { db } }) => listLogins(db, signedIn(caller).id, query))

  serve(app, world, user.reAuth, async ({ user: caller, body, visitor }) => {
    const own = ownAccount(caller)
    const until =
      'password' in body
        ? await reAuthByPassword(world, own, body.password, visitor)
        : await reAuthByCode(world, own, body.verification_code)
    return { re_auth_until: shanghaiTime(until) }
  })

  serve(app, world, user.remove, async ({ user: caller, world: { db } }) => {
    const own = ownAccount(caller)
    needReAuth(own)
    const at = await askDeletion(db, own.id, 'user', own.sessionId)
    await tell(world, own.id, 'deletion_asked', 'email or sms')
    return { deletion_at: shanghaiTime(at) }
  })

  serve(app, world, user.restore, async ({ user: caller, world: { db } }) => {
    const { id, sessionId } = signedIn(caller)
    await restore(db, id, 'user')
    return profileOf(world, id, sessionId)
  })

  serve(app, world, user.export, async ({ user: caller, world, signal }) => {
    const own = signedIn(caller)
    // A visitor of the demo has no password to show, and left nothing that names a person.
    if (!own.isDemo) needReAuth(own)
    await audit(world.db, { actor: 'user', action: 'user.export', userId: own.id })
    return jsonParts(exportOf(world, own.id, signal))
  })
}

/** The caller, who is no visitor of the demo: whoever is erased after a day gets nothing that names a person or is sealed. @throws Failure 25010 */
export function ownAccount(caller: Caller | null): Caller {
  const own = signedIn(caller)
  if (own.isDemo) fail(25010)
  return own
}
