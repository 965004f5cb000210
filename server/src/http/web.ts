import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { errorCodes } from '@convexa/contract/enums/error-code'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../base/api-error.ts'
import { serverFolder } from '../base/program-files.ts'
import { inTime, throwStoreAway } from '../store/store-away.ts'
import { newNonce, noncePlace, pagePolicy } from './headers.ts'
import type { FindOlderAsset } from './kept-assets.ts'

export const webFolder = join(serverFolder, '..', 'web', 'dist')

/** Paths that are never a page: a mistake below them is answered as JSON. */
const notPages = /^\/(v1|user|assets|files|healthz|readyz|metrics|status|openapi\.json)(\/|$)/
const forEver = 'public, max-age=31536000, immutable'
const namesFile = /\.[^/]*$/

/** Browsers name what they want. A program that takes whatever there is gets the page too (who looks whether the site is up), but never in place of a file. */
function asksForPage({ method, headers }: FastifyRequest, path: string): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || notPages.test(path)) return false
  const { accept = '*/*' } = headers
  return accept.includes('text/html') || (accept === '*/*' && headers['sec-fetch-dest'] === undefined && !namesFile.test(path))
}

/**
 * The built web app: hashed files below /assets for a year, the others checked each time. `page` answers every route of the
 * browser with index.html, never stored, with a nonce of its own; it returns false for what is not a page. `older`: hashed files of
 * releases before.
 */
export async function serveWeb(
  app: FastifyInstance,
  folder: string = webFolder,
  {
    frames = 'https://open.weixin.qq.com',
    apiHost = null,
    older,
  }: { frames?: string; apiHost?: string | null; older?: FindOlderAsset } = {},
) {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return { page: () => false }
  const built = readFileSync(index, 'utf8')
  // An origin that was checked when it was read: nothing in it has to be escaped.
  const html = apiHost ? built.replace('<head>', `<head><meta name="api-host" content="${apiHost}" />`) : built
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '.vite/**'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, 'assets') + sep)
      reply.header('cache-control', hashed ? forEver : 'no-cache')
    },
  })
  if (older) {
    app.get<{ Params: { name: string } }>('/assets/:name', async ({ params, headers }, reply) => {
      const found = await inTime(older(params.name, /\bgzip\b/.test(String(headers['accept-encoding'] ?? '')))).catch(throwStoreAway)
      if (!found) throw apiError(errorCodes.notFound)
      reply.headers({ 'cache-control': forEver, 'content-type': found.type, vary: 'accept-encoding' })
      if (found.encoding) reply.header('content-encoding', found.encoding)
      return reply.send(found.body)
    })
  }
  return {
    page: (request: FastifyRequest, reply: FastifyReply): boolean => {
      const path = request.url.split('?', 1)[0] ?? ''
      if (!asksForPage(request, path)) return false
      const nonce = newNonce()
      reply
        .code(200)
        .header('content-security-policy', pagePolicy(nonce, frames, apiHost))
        .header('content-type', 'text/html; charset=utf-8')
        .send(html.replaceAll(noncePlace, nonce))
      return true
    },
  }
}
