import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serverFolder } from '../base/program-files.ts'
import { newNonce, noncePlace, pagePolicy } from './headers.ts'

export const webFolder = join(serverFolder, '..', 'web', 'dist')

/** Paths that are never a page: a mistake below them is answered as JSON. */
const notPages = /^\/(v1|user|assets|files|healthz|readyz|metrics|status|openapi\.json)(\/|$)/
const namesFile = /\.[^/]*$/

/** Browsers name what they want. A program that takes whatever there is gets the page too (who looks whether the site is up), but never in place of a file. */
function asksForPage({ method, headers }: FastifyRequest, path: string): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || notPages.test(path)) return false
  const { accept = '*/*' } = headers
  return accept.includes('text/html') || (accept === '*/*' && headers['sec-fetch-dest'] === undefined && !namesFile.test(path))
}

/**
 * The built web app: hashed files below /assets for a year, the others checked each time. `page` answers every route of the
 * browser with index.html, never stored, with a nonce of its own; it returns false for what is not a page.
 */
export async function serveWeb(
  app: FastifyInstance,
  folder: string = webFolder,
  { frames = 'https://open.weixin.qq.com', apiHost = null }: { frames?: string; apiHost?: string | null } = {},
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
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
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
