import { avatarBytes, file } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { failure, serve } from '../http/kernel.ts'
import { sendFailure } from '../http/reply.ts'
import { acceptUploads } from '../http/upload-body.ts'
import { ownAccount } from '../user/profile-routes.ts'
import type { World } from '../world.ts'
import { grantUpload, receive, setAvatar } from './files.ts'
import { avatarType } from './image.ts'
import { localStore, nameShape } from './store.ts'

/** Uploads in three steps: permission, bytes, use. What is kept is read below /files by whoever knows its random name. */
export async function routes(app: FastifyInstance, world: World): Promise<void> {
  const ground = { db: world.db, store: localStore(world.config.dataDir) }

  serve(app, world, file.avatarUpload, async ({ user, world: { db } }) => grantUpload(db, ownAccount(user).id))

  await acceptUploads(app, avatarBytes, (scope) => {
    serve(scope, world, file.upload, async ({ user, params, file: read }) => receive(ground, ownAccount(user).id, params.id, read))
  })

  serve(app, world, file.setAvatar, async ({ user, body }) => ({ avatar_url: await setAvatar(ground, ownAccount(user).id, body) }))

  app.get<{ Params: { name: string } }>('/files/:name', async (request, reply) => {
    const { name } = request.params
    const bytes = nameShape.test(name) ? await ground.store.get(name) : null
    if (!bytes) return sendFailure(request, reply, failure(40004), world.log)
    return reply
      .header('content-type', avatarType)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(bytes)
  })
}
