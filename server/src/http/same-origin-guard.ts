import type { IncomingHttpHeaders } from 'node:http'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'

/**
 * CSRF guard for GET endpoints with side effects: only our own page's script or a program may call them. An image, a link, a frame or a prefetch
 * of any site would call them too, and so would another site's script, though it could not read the answer.
 * @param origins of our page on other hosts
 * @throws ApiError 40001
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, origins: readonly string[]): void {
  if (prefetches.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')))) throwApiError(errorCodes.malformedRequest)
  const site = headers['sec-fetch-site']
  // Every browser since 2023 says these; a program says none.
  const isPage = headers.origin !== undefined && origins.includes(headers.origin)
  if (site !== undefined && site !== 'same-origin' && !isPage) throwApiError(errorCodes.malformedRequest)
  if ((headers['sec-fetch-dest'] ?? 'empty') !== 'empty') throwApiError(errorCodes.malformedRequest)
  if (headers['sec-fetch-mode'] === 'navigate') throwApiError(errorCodes.malformedRequest)
  if (site === undefined && headers.origin !== undefined && !isPage && !isOwn(headers.origin, headers.host))
    throwApiError(errorCodes.malformedRequest)
}

const prefetches = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const isOwn = (origin: string, host: string | undefined): boolean => URL.canParse(origin) && new URL(origin).host === host
