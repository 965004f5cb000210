import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** What a request says of the device it comes from: signals for the login history, never a credential. */
export interface Visitor {
  /** Address of the client, as far as our own proxies are trusted. */
  readonly ip: string
  readonly userAgent: string
  /** `${device}-${browser}-${os}-${random}` of header X-Fingerprint; null when none of that shape came. */
  readonly fingerprint: string | null
}

const fingerprintShape = /^[\w.-]{8,100}$/

export function visitorOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Visitor {
  const given = headers['x-fingerprint']
  return {
    ip,
    userAgent: headers['user-agent']?.slice(0, 1_000) ?? '',
    fingerprint: typeof given === 'string' && fingerprintShape.test(given) ? given : null,
  }
}

/**
 * Behind a proxy that TRUST_PROXY does not name everybody has the proxy's address, and shares its limits. Says so at the first request with a
 * header X-Forwarded-For that is not believed, once.
 */
export function untrustedProxyNotice(log: Pick<Logger, 'warn'>): (request: Pick<FastifyRequest, 'headers' | 'ips' | 'socket'>) => void {
  let warned = false
  return ({ headers, ips, socket }) => {
    if (warned || headers['x-forwarded-for'] === undefined || (ips && ips.length > 1)) return
    warned = true
    log.warn(
      { from: socket.remoteAddress },
      'X-Forwarded-For is not believed: name the proxy in TRUST_PROXY, or its visitors share one address',
    )
  }
}
