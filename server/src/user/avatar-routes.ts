import { avatarBytes, file } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { grantUpload, receive, setAvatar } from '../file/files.ts'
import { avatarType } from '../file/image.ts'
import { fileStore, nameShape } from '../file/store.ts'
import { sendFailure } from '../http/reply.ts'
import { apiError, serve } from '../http/serve-endpoint.ts'
import { acceptUploads } from '../http/upload-body.ts'
import { ownAccount } from './profile-routes.ts'

/** Uploads in three steps: permission, bytes, use. A kept file is public below /files under its random name. */
export async function routes(app: FastifyInstance, context: AppContext): Promise<void> {
  const deps = { db: context.db, store: fileStore(context.config.dataDir) }

  serve(app, context, file.avatarUpload, async ({ user, context: { db } }) => grantUpload(db, ownAccount(user).id))

  await acceptUploads(app, avatarBytes, (scope) => {
    serve(scope, context, file.upload, async ({ user, params, file: read }) => receive(deps, ownAccount(user).id, params.id, read))
  })

  serve(app, context, file.setAvatar, async ({ user, body }) => ({ avatar_url: await setAvatar(deps, ownAccount(user).id, body) }))

  app.get<{ Params: { name: string } }>('/files/:name', async (request, reply) => {
    const { name } = request.params
    const bytes = nameShape.test(name) ? await deps.store.get(context.db, name) : null
    if (!bytes) return sendFailure(request, reply, apiError(errorCodes.notFound), context.log)
    return reply
      .header('content-type', avatarType)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(bytes)
  })
}
