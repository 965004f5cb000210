import { type Endpoint, notifyPath } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import { throwApiError } from '../base/api-error.ts'
import { routePath } from './serve-endpoint.ts'

/** Host names in requests of a proxy or a browser on the same machine. No name that somebody else points at this address is one of them. */
const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Asked by address: supervisors, load balancers and what reads the figures. */
const byAddress: readonly string[] = ['/healthz', '/readyz', '/metrics', '/status']

/**
 * Refuses what names another host than this site's (400, 40021): a page of somebody else's, under a name that leads here, is not answered.
 * Calls with a key or a signature may use any name: programs on the same machine, and WeChat.
 */
export function refuseOtherHosts(app: FastifyInstance, names: readonly string[], endpoints: readonly Endpoint[]): void {
  const known = new Set([...ownNames, ...names])
  const open = new Set([...byAddress, notifyPath, ...endpoints.filter(({ scope }) => scope !== null).map(({ path }) => routePath(path))])
  app.addHook('onRequest', async ({ host, routeOptions: { url } }) => {
    if (!known.has(hostnameOf(host)) && !open.has(url ?? '')) throwApiError(errorCodes.foreignOrigin)
  })
}

/** Without its port; '' for what is no host. */
function hostnameOf(host: string): string {
  const address = `http://${host}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}
