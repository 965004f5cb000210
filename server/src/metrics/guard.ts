import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether a header `Authorization` holds the token: as a scraper sends it (`Bearer …`), or as the password that a browser asks its user for
 * (`Basic …`, whatever the name).
 */
export function holdsToken(token: string, header: string | undefined): boolean {
  const [, scheme = '', given = ''] = /^(bearer|basic) +(\S+)$/i.exec(header ?? '') ?? []
  const said =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(given, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '')
      : given
  return scheme !== '' && timingSafeEqual(digest(said), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
