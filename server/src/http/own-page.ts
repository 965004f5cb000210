import type { IncomingHttpHeaders } from 'node:http'
import { fail } from './fail.ts'

/**
 * Guards a GET that does something: only our own page's script or a program may call it. An image, a link, a frame or a prefetch of any site
 * would fire it too, and so would another site's script, though it could not read the answer.
 * @param origins of our page on other hosts
 * @throws Failure 40001
 */
export function refuseStrangers(headers: IncomingHttpHeaders, origins: readonly string[]): void {
  if (prefetches.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')))) fail(40001)
  const site = headers['sec-fetch-site']
  // Every browser since 2023 says these; a program says none.
  const isPage = headers.origin !== undefined && origins.includes(headers.origin)
  if (site !== undefined && site !== 'same-origin' && !isPage) fail(40001)
  if ((headers['sec-fetch-dest'] ?? 'empty') !== 'empty') fail(40001)
  if (headers['sec-fetch-mode'] === 'navigate') fail(40001)
  if (site === undefined && headers.origin !== undefined && !isPage && !isOwn(headers.origin, headers.host)) fail(40001)
}

const prefetches = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const isOwn = (origin: string, host: string | undefined): boolean => URL.canParse(origin) && new URL(origin).host === host
