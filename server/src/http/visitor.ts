import type { FastifyRequest } from 'fastify'

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
